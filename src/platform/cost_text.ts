/**
 * Costs in words.
 * Rule: the same everywhere: what is not known is "–", a sum of which a part is not known is "at least", an estimate has "~".
 */

/** An amount in US dollars: `$12.34`, under one dollar `$0.0123`; an estimate has `~` before it. */
export function formatCost(dollars: number, isEstimated = false): string {
  const digits = dollars === 0 || dollars >= 1 ? 2 : 4;
  const text = dollars > 0 && dollars < 0.00005 ? "<$0.0001" : `$${dollars.toFixed(digits)}`;
  return isEstimated ? `~${text}` : text;
}

/** What requests cost together, and how much of it is known. */
export interface CostSum {
  /** US dollars, of those whose cost is known. */
  cost: number;
  requests: number;
  /** Requests whose cost is not known. */
  unpriced: number;
  /** Requests whose cost is an estimate. */
  estimated: number;
}

/**
 * A sum as it is shown.
 *
 * @example
 * ```ts
 * import { costText } from "./cost_text.ts";
 * import assert from "node:assert/strict";
 *
 * const sum = { cost: 1.5, requests: 3, unpriced: 0, estimated: 0 };
 * assert.equal(costText(sum), "$1.50");
 * assert.equal(costText({ ...sum, estimated: 1 }), "~$1.50");
 * assert.equal(costText({ ...sum, unpriced: 1 }), "at least $1.50");
 * assert.equal(costText({ ...sum, cost: 0, unpriced: 3 }), "–");
 * ```
 */
export function costText({ cost, requests, unpriced, estimated }: CostSum): string {
  if (unpriced >= requests) return "–";
  const text = formatCost(cost, estimated > 0);
  return unpriced > 0 ? `at least ${text}` : text;
}
