/**
 * The tools that an MCP server lists, read one by one.
 * Rule: what is wrong with a tool costs that tool alone, and is said; a list always ends.
 */
import { z } from "zod";
import { canonicalJson, type JsonValue } from "../platform/canonical_json.ts";
import { messageOf } from "../platform/errors.ts";
import { maskSecrets, stripControlSequences } from "../platform/text.ts";
import { cleanJson } from "./clean.ts";

/** More tools or pages of one server are not listed: its list may have no end. */
const MAX_TOOLS = 5_000;
const MAX_PAGES = 500;
const MAX_NAME_CHARACTERS = 128;

/** How many of the tools that are left out are named. */
const MAX_NAMED = 10;

/** A tool as its server describes it. */
export interface ServerTool {
  name: string;
  description: string;
  inputSchema: JsonValue;
}

/** What a server lists. */
export interface ServerTools {
  tools: readonly ServerTool[];
  /** What was left out, and why; a sentence each. */
  problems: readonly string[];
}

/** A page of `tools/list`, whatever its tools are. */
export const toolPage = z.looseObject({
  tools: z.array(z.unknown()),
  nextCursor: z.string().nullish(),
});

const serverTool = z.object({
  name: z.string().min(1).max(MAX_NAME_CHARACTERS),
  description: z.string().nullish(),
  inputSchema: z.looseObject({ type: z.literal("object") }),
});

/**
 * Reads a whole list.
 *
 * @param ask gives the page at a cursor
 * @param secrets what the server is given and must not say
 * @throws what `ask` throws, for the first page; a later page that cannot be had is a problem
 */
export async function readTools(
  ask: (cursor: string | undefined) => Promise<z.infer<typeof toolPage>>,
  secrets: readonly string[],
): Promise<ServerTools> {
  const tools = new Map<string, ServerTool>();
  const wrong: string[] = [];
  const problems: string[] = [];
  const seen = new Set<string>();
  let cursor: string | undefined;
  let count = 0;
  for (let page = 0;; page++) {
    let answer: z.infer<typeof toolPage>;
    try {
      answer = await ask(cursor);
    } catch (error) {
      if (page === 0) throw error;
      const why = maskSecrets(messageOf(error), secrets);
      problems.push(`gives no page ${page + 1} of its list, ${stripControlSequences(why)}`);
      break;
    }
    for (const listed of answer.tools) {
      count += 1;
      if (count > MAX_TOOLS) break;
      const tool = readTool(listed, secrets);
      if (typeof tool === "string") wrong.push(tool);
      else if (!tools.has(tool.name)) tools.set(tool.name, tool);
      else if (canonicalJson({ ...tools.get(tool.name) }) !== canonicalJson({ ...tool })) {
        wrong.push(`${tool.name} (listed twice; the first one counts)`);
      }
    }
    cursor = answer.nextCursor ?? undefined;
    if (cursor === undefined && count <= MAX_TOOLS) break;
    if (count > MAX_TOOLS || page + 1 >= MAX_PAGES) {
      problems.push(
        `lists more than ${MAX_TOOLS} tools or ${MAX_PAGES} pages; the rest is left out`,
      );
      break;
    }
    if (cursor === undefined) break;
    if (seen.has(cursor)) {
      problems.push("gives the same page of its list again and again; what came before it counts");
      break;
    }
    seen.add(cursor);
  }
  return { tools: [...tools.values()], problems: [...leftOut(wrong), ...problems] };
}

function leftOut(wrong: readonly string[]): string[] {
  if (wrong.length === 0) return [];
  const rest = wrong.length - MAX_NAMED;
  const more = rest > 0 ? ` and ${rest} more` : "";
  return [`has tools that cannot be used: ${wrong.slice(0, MAX_NAMED).join(", ")}${more}`];
}

/** The tool, or its name and what is wrong with it. */
function readTool(listed: unknown, secrets: readonly string[]): ServerTool | string {
  const clean = (text: string) => stripControlSequences(maskSecrets(text, secrets));
  const parsed = serverTool.safeParse(listed);
  if (!parsed.success) {
    const { name } = z.looseObject({ name: z.string() }).safeParse(listed).data ?? {};
    const [issue] = parsed.error.issues;
    const where = issue?.path.map(String).join(".") ?? "";
    const shown = name === undefined ? "one without a name" : clean(name).slice(0, 40);
    return `${shown} (${where === "" ? "no tool" : where}: ${issue?.message ?? ""})`;
  }
  const { name, description, inputSchema } = parsed.data;
  if (clean(name) !== name) {
    return `${clean(name)} (its name holds control sequences or a secret)`;
  }
  const schema: JsonValue = JSON.parse(JSON.stringify(inputSchema));
  return { name, description: clean(description ?? ""), inputSchema: cleanJson(schema, secrets) };
}
