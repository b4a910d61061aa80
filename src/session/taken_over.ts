/**
 * Records that stand in an epoch because the conversation needs them there, and tell nothing new.
 * Rule: pure, from the record and the baseline of its epoch; whoever counts facts counts these once.
 */
import type { Baseline } from "./baseline.ts";
import type { SessionRecord } from "./records.ts";

/** Whether what the baseline carries accounts for the record already. */
export function isCarried(record: SessionRecord, { parent }: Baseline): boolean {
  const isCopied = record.seq > 1 && record.seq <= 1 + (parent?.copied ?? 0);
  return isCopied || record.type === "user" && record.moved === true;
}

/** Whether an earlier epoch of the same session has the record as well. */
export function isTakenOver(record: SessionRecord, baseline: Baseline): boolean {
  return baseline.epoch > 0 && isCarried(record, baseline);
}
