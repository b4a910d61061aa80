/**
 * Tool calls that a model writes as text: the forms of the common chat templates, and a JSON object at the end.
 * Rule: pure; only a call of a tool that there is counts, and what is no call stays the text that it was.
 */
import type { CompletionPart, ToolDefinition } from "../model/port.ts";
import type { JsonValue } from "../platform/canonical_json.ts";

/** A call, and where it stands in the text. */
interface Written {
  name: string;
  input: { [name: string]: JsonValue };
  start: number;
}

/** A longer text is not looked through: looking takes time by its square, and nobody writes such a call. */
const MOST_CHARACTERS = 100_000;

type Form = (text: string) => Written[];

/** How calls are marked, by the templates that do so. Each form reads all of its calls. */
const FORMS: readonly Form[] = [
  // Hermes, Qwen: <tool_call>{"name": …, "arguments": …}</tool_call>, the last one perhaps without its end.
  marked(/<\|?tool_call\|?>\s*(\{[\s\S]*?\})\s*(?=<\/?\|?tool_call|$)/g),
  // Mistral: [TOOL_CALLS][{"name": …, "arguments": …}], or the name before its arguments.
  marked(/\[TOOL_CALLS\]\s*(\[[\s\S]*\]|\{[\s\S]*\})/g),
  named(
    /\[TOOL_CALLS\]\s*([\w.-]+)\s*(?:\[ARGS\])?\s*(\{[\s\S]*?\})\s*(?=\[TOOL_CALLS\]|<\/s>|$)/g,
  ),
  // Llama 3: <|python_tag|>{"name": …, "parameters": …}; <function=NAME>{…}</function>.
  marked(/<\|python_tag\|>\s*(\{[\s\S]*\})/g),
  named(/<function[= ]"?([\w.-]+)"?>\s*(\{[\s\S]*?\})\s*(?:<\/function>|$)/g),
  // Qwen3-Coder, MiniMax, Anthropic's old form: an element a parameter.
  elements(
    /(?:<tool_call>\s*)?<function[= ]"?([\w.-]+)"?>([\s\S]*?)(?:<\/function>|$)/g,
    /<parameter[= ]"?([\w.-]+)"?>\n?([\s\S]*?)\n?<\/parameter>/g,
  ),
  elements(
    /<invoke name="([\w.-]+)">([\s\S]*?)(?:<\/invoke>|$)/g,
    /<parameter name="([\w.-]+)">([\s\S]*?)<\/parameter>/g,
  ),
  // No mark: an object in a fence at the end, or the answer as a whole. What is explained behind it is no call.
  marked(/```[\w-]*\s*(\{[\s\S]*?\}|\[[\s\S]*?\])\s*```\s*$/g),
  marked(/^\s*(\{[\s\S]*\}|\[[\s\S]*\])\s*$/g),
];

/**
 * The parts of a reply with the calls that its text holds in the place of that text. Undefined where there is none, or
 * the reply has calls of its own.
 *
 * @param tools those that there are
 */
export function withWrittenCalls(
  content: readonly CompletionPart[],
  tools: readonly ToolDefinition[],
): CompletionPart[] | undefined {
  if (content.some(({ type }) => type === "tool-call")) return undefined;
  const text = content.map((part) => part.type === "text" ? part.text : "").join("");
  const calls = writtenCalls(text, tools);
  const [first] = calls;
  if (first === undefined) return undefined;
  const before = text.slice(0, first.start).trimEnd();
  return [
    ...content.filter(({ type }) => type !== "text"),
    ...(before === "" ? [] : [{ type: "text" as const, text: before }]),
    ...calls.map(({ name, input }, index) => ({
      type: "tool-call" as const,
      name,
      id: `written-${index}`,
      input,
    })),
  ];
}

/** The calls of tools that there are, as the first form reads them that finds any. */
export function writtenCalls(text: string, tools: readonly ToolDefinition[]): Written[] {
  if (text.length > MOST_CHARACTERS) return [];
  for (const form of FORMS) {
    const calls = form(text).flatMap((call) => {
      const tool = tools.find(({ name }) => name === call.name);
      return tool === undefined ? [] : [{ ...call, input: typed(call.input, tool) }];
    });
    if (calls.length > 0) return calls;
  }
  return [];
}

/** JSON that says both name and input. */
function marked(pattern: RegExp): Form {
  return (text) =>
    [...text.matchAll(pattern)].flatMap((match) => {
      const value = parsed(match[1] ?? "");
      const values = Array.isArray(value) ? value : [value];
      return values.flatMap((one) => callOf(one, match.index));
    });
}

/** The name, and JSON that is the input. */
function named(pattern: RegExp): Form {
  return (text) =>
    [...text.matchAll(pattern)].flatMap(({ 1: name = "", 2: json = "", index }) => {
      const input = parsed(json);
      return isObject(input) ? [{ name, input, start: index }] : [];
    });
}

/** The name, and an element a parameter. */
function elements(pattern: RegExp, parameter: RegExp): Form {
  return (text) =>
    [...text.matchAll(pattern)].map(({ 1: name = "", 2: body = "", index }) => ({
      name,
      input: Object.fromEntries(
        [...body.matchAll(parameter)].map(([, key = "", value = ""]) => [key, value]),
      ),
      start: index,
    }));
}

function callOf(value: JsonValue | undefined, start: number): Written[] {
  if (!isObject(value)) return [];
  const inner = isObject(value.function) ? value.function : value;
  const name = inner.name ?? inner.tool ?? inner.tool_name ?? value.function;
  const given = ["arguments", "parameters", "input"].map((key) => inner[key])
    .find((known) => known !== undefined);
  const input = typeof given === "string" ? parsed(given) : given;
  return typeof name === "string" && isObject(input) ? [{ name, input, start }] : [];
}

/** What stands as text where the tool wants another type is read as that. */
function typed(input: Written["input"], { inputSchema }: ToolDefinition): Written["input"] {
  const properties = isObject(inputSchema.properties) ? inputSchema.properties : {};
  return Object.fromEntries(
    Object.entries(input).map(([key, value]) => {
      const wanted = properties[key];
      const isText = !isObject(wanted) || wanted.type === "string" || wanted.type === undefined;
      const read = typeof value === "string" && !isText ? parsed(value) : undefined;
      return [key, read ?? value];
    }),
  );
}

function parsed(json: string): JsonValue | undefined {
  try {
    const value: JsonValue = JSON.parse(json);
    return value;
  } catch {
    return undefined;
  }
}

function isObject(value: JsonValue | undefined): value is { [name: string]: JsonValue } {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}
