/**
 * From a tool's outcome to the record of its call.
 * Rule: what is recorded is capped and clean; an outcome that cannot be recorded is left out, never the result.
 */
import { z } from "zod";
import { capText } from "../platform/text.ts";
import { jsonValue } from "../session/json.ts";
import { type CallOutcome, callOutcome } from "../session/outcome.ts";
import type { RecordDraft } from "../session/records.ts";
import type { OpenCall } from "../session/sequence.ts";
import { cleanJson, cleanText, Unrecordable } from "./clean.ts";
import type { ToolOutcome } from "./tool.ts";

/** What a model reads of one tool's output at the most, in bytes. */
const MAX_OUTPUT_BYTES = 64 * 1024;

/** The record of a call's result. */
export function recordableResult(
  { call, tool }: OpenCall,
  { output, isError, outcome, images }: ToolOutcome,
  secrets: readonly string[],
): Extract<RecordDraft, { type: "tool_result" }> {
  const text = capText(cleanText(output, secrets), MAX_OUTPUT_BYTES).text;
  const shown = images === undefined || images.length === 0 ? {} : { images: [...images] };
  const result = { type: "tool_result", call, tool, output: text, isError, ...shown } as const;
  if (outcome === undefined) return result;
  const cleaned = cleanOutcome(outcome, secrets);
  return cleaned === undefined ? result : { ...result, outcome: cleaned };
}

function cleanOutcome(outcome: CallOutcome, secrets: readonly string[]): CallOutcome | undefined {
  try {
    return callOutcome.safeParse(cleanJson(jsonValue.parse(outcome), secrets)).data;
  } catch (error) {
    if (error instanceof Unrecordable || error instanceof z.ZodError) return undefined;
    throw error;
  }
}
