/**
 * call_tool: calls a tool that find_tool has found.
 * Rule: asks first unless the configuration allows that tool.
 */
import { z } from "zod";
import { canonicalJson, sha256Hex } from "../../platform/canonical_json.ts";
import { refusalOf } from "../approval.ts";
import { failed, orFailed } from "../outcome.ts";
import type { OutsideTool, OutsideTools } from "../outside_tools.ts";
import type { Tool } from "../tool.ts";

const input = z.object({
  name: z.string().min(1).describe("The tool's name, as find_tool gave it."),
  arguments: z.record(z.string(), z.json()).optional().describe("The tool's input."),
});

/** Makes the tool that calls tools from outside. */
export function callTool(outside: OutsideTools): Tool<z.infer<typeof input>> {
  return {
    name: "call_tool",
    description: "Call a tool that find_tool has found, with the input that its schema asks for.",
    input,
    effect: "run",
    run: ({ name, arguments: given }, context) =>
      orFailed(async () => {
        const { tools, problems } = await outside.list(context);
        const tool = named(tools, name);
        if (tool === undefined) {
          const reasons = problems.map((problem) => `\n${problem}`).join("");
          return failed(
            `There is no tool ${JSON.stringify(name)}; find_tool finds them.${reasons}`,
          );
        }
        const [source, ...rest] = tool.name.split("/");
        const answer = tool.isAllowed ? { isAllowed: true } : await context.approve({
          tool: "call_tool",
          summary: `call ${tool.name}`,
          detail: JSON.stringify(given ?? {}, null, 2),
          scope: {
            // What the user has said yes to is the tool as it was told then.
            keys: [`call ${tool.name} ${toldOf(tool)}`],
            words: `the tool ${
              rest.join("/")
            } of the server ${source}, whatever its input, for as long as the server describes it as now`,
          },
        });
        if (!answer.isAllowed) {
          return failed(refusalOf("The call was not made.", answer));
        }
        context.intend({ done: "", changes: [] });
        return await outside.call(tool.name, given ?? {}, context);
      }),
  };
}

/** What a tool is told to be: another description or input is another tool. */
function toldOf({ description, inputSchema }: OutsideTool): string {
  return sha256Hex(new TextEncoder().encode(canonicalJson({ description, inputSchema })));
}

/** The tool of that full name, or the only one whose name without its source it is. */
function named(tools: readonly OutsideTool[], name: string): OutsideTool | undefined {
  const exact = tools.find((tool) => tool.name === name);
  if (exact !== undefined) return exact;
  const [candidate, ...more] = tools.filter((tool) => tool.name.endsWith(`/${name}`));
  return more.length === 0 ? candidate : undefined;
}
