/**
 * What a session has used, in words.
 * Rule: tokens read from a cache are told apart, and a cost says how much of it is known.
 */
import { costText } from "../../platform/cost_text.ts";
import { counted } from "../../platform/text.ts";
import type { Totals } from "../../session/sequence.ts";

/** Requests, tokens and cost. */
export function usedText(totals: Readonly<Totals>): string {
  const { requests, tokens, cacheRead } = totals;
  const cached = cacheRead > 0 ? ` (${cacheRead} of them read from a cache)` : "";
  return `${counted(requests, "request")}, ${tokens} tokens${cached}, cost ${costText(totals)}`;
}
