/**
 * Requests whose answer is one JSON object that the server enforces: a call of one of the tools that are allowed now, or
 * words where words are due.
 * Rule: the log is the same as ever, only the wire differs; a message is translated by itself, and what may differ from
 * answer to answer is in the schema alone.
 */
import { toFile } from "./picture_part.ts";
import type { CompletionPart, Prompt, PromptMessage, ToolDefinition } from "../model/port.ts";
import type { JsonValue } from "../platform/canonical_json.ts";
import type { AssistantPart, TurnSubject } from "../session/records.ts";
import type { Message } from "../session/replay.ts";
import type { ActionWay } from "../session/side_records.ts";

type Schema = { [key: string]: JsonValue };

/** Whether in that way the server holds each answer to a schema. */
export function isEnforced(way: ActionWay | undefined): boolean {
  return way === "constrained" || way === "candidates";
}

/** What cannot be called while a message is about that phase; plain conversation has no phase. */
const FORBIDDEN: Readonly<Partial<Record<TurnSubject["phase"] | "none", readonly string[]>>> = {
  none: ["submit_plan", "finish_task"],
  discuss: [
    "submit_plan",
    "finish_task",
    "edit_file",
    "write_file",
    "delete_file",
    "move_file",
    "run_command",
    "call_tool",
  ],
  plan: [
    "ask_user",
    "finish_task",
    "edit_file",
    "write_file",
    "delete_file",
    "move_file",
    "run_command",
    "call_tool",
  ],
  execute: ["submit_plan", "ask_user"],
  verify: ["submit_plan", "ask_user"],
};

/** Phases whose turn ends with words; the others end with a call. */
const ENDS_WITH_WORDS: ReadonlySet<TurnSubject["phase"] | "none"> = new Set(["none", "discuss"]);

/** What of a tool's schema says how an input must look; the rest is left out, since it costs and is not enforced. */
const KEPT = ["type", "properties", "required", "items", "enum", "const", "anyOf"];

/** What an answer is held to, while the last message is about `about`. */
export function actionSchema(tools: readonly ToolDefinition[], about: TurnSubject | null): Schema {
  const phase = about?.phase ?? "none";
  const forbidden = FORBIDDEN[phase] ?? [];
  const calls = tools.filter(({ name }) => !forbidden.includes(name)).map((tool): Schema => ({
    type: "object",
    properties: { tool: { const: tool.name }, input: shortSchema(tool.inputSchema) },
    required: ["tool", "input"],
    additionalProperties: false,
  }));
  const words: Schema = {
    type: "object",
    properties: { answer: { type: "string" } },
    required: ["answer"],
    additionalProperties: false,
  };
  return { anyOf: ENDS_WITH_WORDS.has(phase) ? [words, ...calls] : calls };
}

function shortSchema(schema: JsonValue): JsonValue {
  if (!isObject(schema)) return schema;
  const kept: Schema = {};
  for (const key of KEPT) {
    const value = schema[key];
    if (value === undefined) continue;
    if (key === "properties" && isObject(value)) {
      kept[key] = Object.fromEntries(
        Object.entries(value).map(([name, property]) => [name, shortSchema(property)]),
      );
    } else if (Array.isArray(value)) {
      kept[key] = key === "anyOf" ? value.map(shortSchema) : value;
    } else {
      kept[key] = shortSchema(value);
    }
  }
  return kept.type === "object" ? { ...kept, additionalProperties: false } : kept;
}

/** The messages of a conversation: what the model says is JSON, and results are told to it. */
export function constrainedPrompt(
  system: string,
  tools: readonly ToolDefinition[],
  messages: readonly Message[],
): Prompt {
  const prompt: PromptMessage[] = [{ role: "system", content: `${system}\n\n${toolText(tools)}` }];
  let wasResult = false;
  for (const message of messages) {
    const next = toMessage(message);
    const last = prompt.at(-1);
    // The results of one reply's calls are one message.
    if (wasResult && message.role === "tool" && last?.role === "user" && next.role === "user") {
      last.content.push(...next.content);
    } else {
      prompt.push(next);
    }
    wasResult = message.role === "tool";
  }
  return prompt;
}

function toMessage(message: Message): PromptMessage {
  if (message.role === "assistant") {
    const text = message.parts.flatMap(written).join("\n") || JSON.stringify({ answer: "" });
    return { role: "assistant", content: [{ type: "text", text }] };
  }
  const text = message.role === "user"
    ? message.text
    : `${message.tool}${message.isError ? " failed" : ""}:\n${message.output}`;
  const images = (message.images ?? []).map(toFile);
  return { role: "user", content: [{ type: "text", text }, ...images] };
}

function written(part: AssistantPart): string[] {
  if (part.kind === "reasoning") return [];
  if (part.kind === "text") {
    return part.text.trim() === "" ? [] : [JSON.stringify({ answer: part.text })];
  }
  return [JSON.stringify({ tool: part.tool, input: part.input })];
}

/** A line a tool: its name, what it takes, and the first sentence of what it does. */
function toolText(tools: readonly ToolDefinition[]): string {
  const lines = tools.map(({ name, description, inputSchema }) => {
    const properties = isObject(inputSchema.properties) ? Object.keys(inputSchema.properties) : [];
    const required = Array.isArray(inputSchema.required) ? inputSchema.required : [];
    const inputs = properties.map((input) => required.includes(input) ? input : `${input}?`);
    return `- ${name} {${inputs.join(", ")}}: ${/^[^.:]*/.exec(description)?.[0] ?? ""}`;
  });
  return 'Each answer is one JSON object: {"tool": NAME, "input": {…}} to use a tool, or {"answer": TEXT}. ' +
    `The tools, with what each takes (? where it may be left out):\n${lines.join("\n")}`;
}

/** What an answer comes to. One that is no such object, being cut off for example, stays the text that it is. */
export function actionIn(content: readonly CompletionPart[]): CompletionPart[] {
  const text = content.map((part) => part.type === "text" ? part.text : "").join("");
  const others = content.filter(({ type }) => type === "reasoning");
  let value: JsonValue;
  try {
    value = JSON.parse(text);
  } catch {
    return [...content];
  }
  if (!isObject(value)) return [...content];
  if (typeof value.answer === "string") return [...others, { type: "text", text: value.answer }];
  const { tool: name, input } = value;
  if (typeof name !== "string" || !isObject(input)) return [...content];
  return [...others, { type: "tool-call", name, id: "action", input }];
}

function isObject(value: JsonValue | undefined): value is Schema {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}
