/**
 * The two ends of a tool's run.
 * Rule: an error meant for people is what the model reads; anything else that is thrown goes on.
 */
import { Interrupted, M31aError } from "../platform/errors.ts";
import type { JsonValue } from "../platform/canonical_json.ts";
import type { ToolOutcome } from "./tool.ts";

/** The tool did what it was asked. */
export function done(output: string, facts?: { [name: string]: JsonValue }): ToolOutcome {
  return { output, isError: false, ...(facts === undefined ? {} : { facts }) };
}

/** The tool did not do what it was asked, and `output` says why and what to do. */
export function failed(output: string, facts?: { [name: string]: JsonValue }): ToolOutcome {
  return { output, isError: true, ...(facts === undefined ? {} : { facts }) };
}

/** Runs `run`; an error with a message for people becomes its outcome. An interruption goes on. */
export async function orFailed(run: () => Promise<ToolOutcome>): Promise<ToolOutcome> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof M31aError && !(error instanceof Interrupted)) return failed(error.message);
    throw error;
  }
}
