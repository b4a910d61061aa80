/**
 * The result of a call that was under way when the process ended.
 * Rule: it says what is known, that it may have run in part, and no more.
 */
import type { RecordDraft } from "./records.ts";
import type { OpenCall } from "./sequence.ts";

/** What its text says to the model. */
export const INTERRUPTED_OUTPUT = "Interrupted: the process ended before this call had a result. " +
  "It may have run in part; look before you repeat it.";

/** The record of it. */
export function interruptedResult(call: OpenCall): RecordDraft {
  return {
    type: "tool_result",
    ...call,
    output: INTERRUPTED_OUTPUT,
    isError: true,
    interrupted: true,
  };
}
