/**
 * From a tool's outcome to the record of its call.
 * Rule: what is recorded is capped and clean; facts that cannot be recorded are left out, never the result.
 */
import { capText } from "../platform/text.ts";
import type { RecordDraft } from "../session/records.ts";
import type { OpenCall } from "../session/sequence.ts";
import { cleanJson, cleanText, Unrecordable } from "./clean.ts";
import type { ToolOutcome } from "./tool.ts";

/** What a model reads of one tool's output at the most, in bytes. */
const MAX_OUTPUT_BYTES = 64 * 1024;

/** The record of a call's result. */
export function recordableResult(
  { call, tool }: OpenCall,
  { output, isError, facts }: ToolOutcome,
  secrets: readonly string[],
): Extract<RecordDraft, { type: "tool_result" }> {
  const text = capText(cleanText(output, secrets), MAX_OUTPUT_BYTES).text;
  const result = { type: "tool_result", call, tool, output: text, isError } as const;
  if (facts === undefined) return result;
  try {
    const cleaned = Object.entries(facts).map(([name, fact]) => [name, cleanJson(fact, secrets)]);
    return { ...result, facts: Object.fromEntries(cleaned) };
  } catch (error) {
    if (error instanceof Unrecordable) return result;
    throw error;
  }
}
