/**
 * The registry: the tools of a conversation, in a fixed order, and the way a call reaches one.
 * Rule: whatever the model sends, a call ends in an outcome; only an abort ends the turn.
 */
import { z } from "zod";
import type { ToolDefinition } from "../model/port.ts";
import type { JsonValue } from "../platform/canonical_json.ts";
import { M31aError, messageOf } from "../platform/errors.ts";
import type { CallOutcome } from "../session/outcome.ts";
import { endsTheTurn, failed } from "./outcome.ts";
import { toldSchema } from "./told_schema.ts";
import type { Tool, ToolContext, ToolEffect, ToolOutcome } from "./tool.ts";
import type { CallObserver, ToolCall, ToolSet } from "./tool_set.ts";

/** How many issues with an input the model is told at once. */
const MAX_ISSUES = 10;

/** How many calls run at the same time: each may be a process, and a reply may hold thousands. */
const MAX_SIDE_BY_SIDE = 8;

const jsonObject = z.record(z.string(), z.json());

/** A tool whose input has been given up to the schema: what a list of different tools holds. */
export interface RegisteredTool {
  readonly definition: ToolDefinition;
  readonly effect: Tool["effect"];
  /** Checks the input and runs the tool. */
  call(input: JsonValue, context: ToolContext): Promise<ToolOutcome>;
  readonly afterCutOff?: Tool["afterCutOff"];
}

/** Makes a {@linkcode Tool} callable with input of any shape. */
export function register<Input>(tool: Tool<Input>): RegisteredTool {
  const { $schema: _, ...schema } = z.toJSONSchema(tool.input, { io: "input" });
  return {
    definition: {
      name: tool.name,
      description: tool.description,
      inputSchema: toldSchema(jsonObject.parse(JSON.parse(JSON.stringify(schema)))),
    },
    effect: tool.effect,
    ...(tool.afterCutOff !== undefined && { afterCutOff: tool.afterCutOff }),
    async call(input, context) {
      const parsed = tool.input.safeParse(input);
      if (!parsed.success) {
        return failed(`The input of ${tool.name} is not right:\n${issuesOf(parsed.error)}`);
      }
      return await tool.run(parsed.data, context);
    },
  };
}

/** The problems that a schema found, one a line, with the path to each. */
function issuesOf(error: z.ZodError): string {
  const lines = error.issues.map(({ path, message }) =>
    `- ${path.length === 0 ? "the input" : path.map(String).join(".")}: ${message}`
  );
  const rest = lines.length - MAX_ISSUES;
  return [...lines.slice(0, MAX_ISSUES), ...(rest > 0 ? [`- and ${rest} more`] : [])].join("\n");
}

/** The tools of a conversation. */
export class Registry implements ToolSet {
  readonly definitions: readonly ToolDefinition[];
  readonly #tools: ReadonlyMap<string, RegisteredTool>;
  readonly #close: () => Promise<void>;

  /**
   * @param tools in the order in which the model is told of them
   * @param close stops what the tools have started
   * @param untold tools that a new conversation is not told of; one that began with them may call them
   */
  constructor(
    tools: readonly RegisteredTool[],
    close: () => Promise<void> = async () => {},
    untold: readonly RegisteredTool[] = [],
  ) {
    this.definitions = tools.map(({ definition }) => definition);
    this.#tools = new Map([...tools, ...untold].map((tool) => [tool.definition.name, tool]));
    this.#close = close;
  }

  /**
   * Runs one call. Every failure but an abort is an outcome: a tool that does not exist, input that
   * is not JSON or does not fit, a tool that throws.
   *
   * @throws the signal's reason when the context is aborted
   */
  async callTool(
    call: Omit<ToolCall, "call">,
    context: ToolContext,
  ): Promise<ToolOutcome> {
    const tool = this.#tools.get(call.tool);
    if (tool === undefined) {
      const names = [...this.#tools.keys()].join(", ");
      return failed(`There is no tool ${JSON.stringify(call.tool)}. The tools are: ${names}.`);
    }
    if (call.malformed !== undefined) {
      return failed(`The input of ${call.tool} is not JSON: ${call.malformed.slice(0, 200)}`);
    }
    const obstacle = context.forbid(call.tool, tool.effect);
    if (obstacle !== undefined) return failed(obstacle);
    try {
      return await tool.call(call.input, context);
    } catch (error) {
      context.signal.throwIfAborted();
      if (endsTheTurn(error)) throw error;
      const prefix = error instanceof M31aError ? "" : `${call.tool} failed: `;
      return failed(`${prefix}${messageOf(error)}`);
    }
  }

  effectOf(tool: string): ToolEffect | undefined {
    return this.#tools.get(tool)?.effect;
  }

  async afterCutOff(tool: string, context: ToolContext): Promise<CallOutcome | undefined> {
    return await this.#tools.get(tool)?.afterCutOff?.(context);
  }

  /** See {@linkcode ToolSet.runCalls}: neighbours that only read run side by side, in between one at a time. */
  async runCalls(
    calls: readonly ToolCall[],
    context: ToolContext,
    observer: CallObserver,
  ): Promise<void> {
    const mayGoTogether = (call: ToolCall) => this.#tools.get(call.tool)?.effect === "read";
    for (const group of groupsOf(calls, mayGoTogether, MAX_SIDE_BY_SIDE)) {
      context.signal.throwIfAborted();
      for (const call of group) observer.onStart(call);
      const running = group.map((call) => this.callTool(call, context));
      // One that fails while an earlier one is waited for is not unhandled: all are waited for in the end.
      const allEnded = Promise.allSettled(running);
      try {
        for (const [index, call] of group.entries()) {
          const outcome = await running[index];
          if (outcome !== undefined) observer.onResult(call, outcome);
        }
      } finally {
        await allEnded;
      }
    }
  }

  close(): Promise<void> {
    return this.#close();
  }
}

/** Cuts `items` into runs: neighbours that may go together, up to `most` of them, any other alone. */
function groupsOf<Item>(
  items: readonly Item[],
  mayGoTogether: (item: Item) => boolean,
  most: number,
): Item[][] {
  const groups: Item[][] = [];
  let isOpen = false;
  for (const item of items) {
    const goesTogether = mayGoTogether(item);
    const last = groups.at(-1);
    const joins = goesTogether && isOpen && last !== undefined && last.length < most;
    if (joins) last.push(item);
    if (!joins) groups.push([item]);
    isOpen = goesTogether;
  }
  return groups;
}
