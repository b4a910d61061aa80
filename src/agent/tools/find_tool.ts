/**
 * find_tool: which tools there are besides the built-in ones.
 * Rule: the best few with their schemas, the rest by name; a source that cannot be reached is said.
 */
import MiniSearch from "minisearch";
import { z } from "zod";
import { canonicalJson } from "../../platform/canonical_json.ts";
import { capText } from "../../platform/text.ts";
import { done, failed, orFailed } from "../outcome.ts";
import type { OutsideTool, OutsideTools } from "../outside_tools.ts";
import type { Tool } from "../tool.ts";

const MAX_SHOWN = 5;
const MAX_NAMES = 100;
const MAX_DESCRIPTION_BYTES = 2_000;
const MAX_SCHEMA_BYTES = 8_000;

const input = z.object({
  query: z.string().describe("What the tool should do, in a few words; empty for all names."),
});

/** Makes the tool that finds tools from outside. */
export function findTool(outside: OutsideTools): Tool<z.infer<typeof input>> {
  return {
    name: "find_tool",
    description:
      "Find tools beyond the built-in ones, from servers that the user has configured. Gives names, " +
      "descriptions and input schemas; call_tool calls them.",
    input,
    effect: "run",
    run: ({ query }, context) =>
      orFailed(async () => {
        if (outside.sources.length === 0) {
          return failed(
            "No servers with more tools are configured ([tools.mcp] in planning/config.toml).",
          );
        }
        const { tools, problems } = await outside.list(context);
        const best = rank(tools, query).slice(0, MAX_SHOWN);
        const others = tools.filter((tool) => !best.includes(tool)).map(({ name }) => name);
        const parts = [
          ...best.map(describe),
          ...(others.length === 0 ? [] : [otherNames(others, best.length > 0)]),
          ...problems,
        ];
        if (tools.length === 0) return failed(parts.join("\n\n") || "The servers have no tools.");
        return done(parts.join("\n\n"));
      }),
  };
}

/** The tools that have something to do with `query`, the best first. */
function rank(tools: readonly OutsideTool[], query: string): OutsideTool[] {
  const index = new MiniSearch<OutsideTool>({
    idField: "name",
    fields: ["name", "description"],
    searchOptions: { boost: { name: 2 }, prefix: true, fuzzy: 0.2 },
    tokenize: (text) => text.replace(/(?<=[a-z])(?=[A-Z])/g, " ").split(/[^\p{L}\p{N}]+/u),
  });
  index.addAll(tools);
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  return index.search(query).flatMap(({ id }) => byName.get(String(id)) ?? []);
}

function describe(tool: OutsideTool): string {
  const description = capText(tool.description, MAX_DESCRIPTION_BYTES).text;
  const schema = capText(canonicalJson(tool.inputSchema), MAX_SCHEMA_BYTES).text;
  return `${tool.name}\n${description}\nInput: ${schema}`;
}

function otherNames(names: readonly string[], isRest: boolean): string {
  const rest = names.length - MAX_NAMES;
  const shown = names.slice(0, MAX_NAMES).join(", ");
  return `${isRest ? "Others" : "Tools"}: ${shown}${rest > 0 ? ` and ${rest} more` : ""}`;
}
