/** The line below an answer: model, tokens, cache, cost, session. Rule: one line, at most as wide as the terminal. */
import type { Paint } from "./ansi.ts";
import { formatCount, formatPercent } from "./numbers.ts";
import { displayWidth, oneLine, truncate } from "./width.ts";
import { stripControlSequences } from "../../platform/text.ts";

/** What the status line says. What is not known is left out. */
export interface Status {
  model: string;
  inputTokens: number;
  outputTokens: number;
  /** The share of the input that came from the provider's cache, 0 to 1. */
  cacheHitRate?: number;
  /** What the session cost, in words. */
  cost?: string;
  sessionId: string;
}

/**
 * Renders the status line, without a newline. Where it does not fit, the cache, then the session, then the cost go.
 *
 * @example
 * ```ts
 * import { renderStatusLine } from "./status_line.ts";
 * import { createPaint } from "./ansi.ts";
 * import assert from "node:assert/strict";
 *
 * const status = { model: "m", inputTokens: 1234, outputTokens: 56, sessionId: "s1" };
 * assert.equal(renderStatusLine(status, 80, createPaint(false)), "m · 1.2k in, 56 out · s1");
 * ```
 */
export function renderStatusLine(status: Status, width: number, paint: Paint): string {
  const { cacheHitRate, cost } = status;
  const parts = [
    { text: status.model, rank: 0 },
    {
      text: `${formatCount(status.inputTokens)} in, ${formatCount(status.outputTokens)} out`,
      rank: 1,
    },
    { text: cacheHitRate === undefined ? "" : `cache ${formatPercent(cacheHitRate)}`, rank: 4 },
    { text: cost === "–" ? "cost –" : cost ?? "", rank: 2 },
    { text: status.sessionId, rank: 3 },
  ].map((part) => ({ ...part, text: oneLine(stripControlSequences(part.text)) }))
    .filter((part) => part.text !== "");
  for (let rank = 5; rank > 1; rank--) {
    const line = parts.filter((part) => part.rank < rank).map((part) => part.text).join(" · ");
    if (displayWidth(line) <= width) return paint(line, "dim");
  }
  const shortest = parts.filter((part) => part.rank < 2).map((part) => part.text).join(" · ");
  return paint(truncate(shortest, width), "dim");
}
