/**
 * The two ends of a tool's run.
 * Rule: an error meant for people is what the model reads; anything else that is thrown goes on.
 */
import { Interrupted, M31aError } from "../platform/errors.ts";
import { SessionError } from "../session/errors.ts";
import type { CallOutcome } from "../session/outcome.ts";
import type { ToolOutcome } from "./tool.ts";

/** The tool did what it was asked. */
export function done(output: string, outcome?: CallOutcome): ToolOutcome {
  return { output, isError: false, ...(outcome === undefined ? {} : { outcome }) };
}

/** The tool did not do what it was asked, and `output` says why and what to do. */
export function failed(output: string, outcome?: CallOutcome): ToolOutcome {
  return { output, isError: true, ...(outcome === undefined ? {} : { outcome }) };
}

/** Whether what a tool threw is not the model's concern: an interruption, or a log that cannot be written. */
export function endsTheTurn(error: unknown): boolean {
  return error instanceof Interrupted || error instanceof SessionError;
}

/** Runs `run`; an error with a message for people becomes its outcome. An interruption goes on. */
export async function orFailed(run: () => Promise<ToolOutcome>): Promise<ToolOutcome> {
  try {
    return await run();
  } catch (error) {
    if (endsTheTurn(error) || !(error instanceof M31aError)) throw error;
    return failed(error.message);
  }
}
