/**
 * The tools as the turn loop sees them: what the model is told, and a way to run calls.
 * Rule: results come in the order of the calls, however they were run.
 */
import type { ToolDefinition } from "../model/port.ts";
import type { JsonValue } from "../platform/canonical_json.ts";
import type { CallOutcome } from "../session/outcome.ts";
import type { ToolContext, ToolEffect, ToolOutcome } from "./tool.ts";

/** A call that the model made. */
export interface ToolCall {
  /** 1, 2, 3 … within the session. */
  call: number;
  tool: string;
  input: JsonValue;
  /** What the model sent where it was not JSON; such a call is not run. */
  malformed?: string | undefined;
}

/** What is told about calls as they run. */
export interface CallObserver {
  onStart(call: ToolCall): void;
  /** In call order. A call that was not run because the turn ended gets no result. */
  onResult(call: ToolCall, outcome: ToolOutcome): void;
}

/** The tools of a conversation. */
export interface ToolSet {
  /** In the order in which the model is told of them, always the same. */
  readonly definitions: readonly ToolDefinition[];
  /** What running a tool may do; undefined for one that does not exist. */
  effectOf(tool: string): ToolEffect | undefined;
  /**
   * Runs the calls of one reply: those that only read side by side, the others one after another.
   *
   * @throws the reason of the context's signal when it is aborted
   */
  runCalls(calls: readonly ToolCall[], context: ToolContext, observer: CallObserver): Promise<void>;
  /** What can be told of a call that the end of its process cut off; undefined where nothing can. */
  afterCutOff?(tool: string, context: ToolContext): Promise<CallOutcome | undefined>;
  /** Stops what runs besides (MCP servers). */
  close(): Promise<void>;
}
