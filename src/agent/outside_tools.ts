/**
 * Tools that come from outside m31a, found and called through two constant tools.
 * Rule: what the model is told of at the start never changes, whatever appears later.
 */
import type { JsonValue } from "../platform/canonical_json.ts";
import type { ToolContext, ToolOutcome } from "./tool.ts";

/** A tool from outside. */
export interface OutsideTool {
  /** `source/tool`; unique. */
  name: string;
  description: string;
  /** A JSON Schema. */
  inputSchema: JsonValue;
  /** The configuration allows it without a question. */
  isAllowed: boolean;
}

/** Where tools come from. */
export interface OutsideTools {
  /** The names of the sources, connected or not. */
  readonly sources: readonly string[];
  /** All tools that can be had now, and why others cannot. Connects to what is not connected yet. */
  list(context: ToolContext): Promise<{ tools: OutsideTool[]; problems: string[] }>;
  /** Calls a tool that {@linkcode list} gave. */
  call(
    name: string,
    input: { [name: string]: JsonValue },
    context: ToolContext,
  ): Promise<ToolOutcome>;
  /** Stops what was started. */
  close(): Promise<void>;
}
