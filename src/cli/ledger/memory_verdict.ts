/**
 * Whether memory seems to help, and how sure that is.
 * Rule: pure; never more is claimed than the numbers carry: two groups that nobody drew lots for.
 */
import type { GroupSums } from "../../ledger/stats.ts";

/** From one share to another, 0 to 1. */
interface Interval {
  from: number;
  to: number;
}

/** The 97.5th percentile of the normal distribution. */
const Z = 1.959964;
/** With fewer attempts than this on either side nothing is said of the difference. */
const LEAST_ATTEMPTS = 10;

type Counts = Pick<GroupSums, "shipped" | "failed" | "abandoned">;

const known = ({ shipped, failed, abandoned }: Counts) => shipped + failed + abandoned;

/**
 * Wilson's interval of 95 % for a ship rate; undefined without an attempt whose outcome is known.
 * Source: Wilson, "Probable Inference, the Law of Succession, and Statistical Inference" (1927).
 *
 * @example
 * ```ts
 * import { rateInterval } from "./memory_verdict.ts";
 * import assert from "node:assert/strict";
 *
 * const { from, to } = rateInterval({ shipped: 8, failed: 2, abandoned: 0 }) ?? { from: 0, to: 0 };
 * assert.deepEqual([from.toFixed(3), to.toFixed(3)], ["0.490", "0.943"]);
 * ```
 */
export function rateInterval(group: Counts): Interval | undefined {
  const attempts = known(group);
  if (attempts === 0) return undefined;
  const rate = group.shipped / attempts;
  const spread = Z * Math.sqrt(rate * (1 - rate) / attempts + Z ** 2 / (4 * attempts ** 2));
  const middle = rate + Z ** 2 / (2 * attempts);
  const scale = 1 + Z ** 2 / attempts;
  return {
    from: Math.max(0, (middle - spread) / scale),
    to: Math.min(1, (middle + spread) / scale),
  };
}

/**
 * The interval of 95 % for the difference of two ship rates.
 * Source: Newcombe, "Interval Estimation for the Difference Between Independent Proportions" (1998), method 10.
 */
function differenceInterval(one: Counts, other: Counts): Interval | undefined {
  const [a, b] = [rateInterval(one), rateInterval(other)];
  if (a === undefined || b === undefined) return undefined;
  const p = one.shipped / known(one);
  const q = other.shipped / known(other);
  return {
    from: p - q - Math.hypot(p - a.from, b.to - q),
    to: p - q + Math.hypot(a.to - p, q - b.from),
  };
}

/** An interval in whole percent. */
export function intervalText(interval: Interval | undefined): string {
  if (interval === undefined) return "–";
  return `${Math.round(interval.from * 100)} to ${Math.round(interval.to * 100)} %`;
}

/** What can be said, in a sentence or two. */
export function memoryVerdict(withMemory: Counts, withoutMemory: Counts): string {
  const [one, other] = [known(withMemory), known(withoutMemory)];
  if (one < LEAST_ATTEMPTS || other < LEAST_ATTEMPTS) {
    return `Too few attempts to compare: ${one} with memory that bears on the goal, ${other} without; at least ${LEAST_ATTEMPTS} of each are needed.`;
  }
  const difference = differenceInterval(withMemory, withoutMemory) ?? { from: -1, to: 1 };
  const points = (share: number) => `${share < 0 ? "−" : "+"}${Math.abs(Math.round(share * 100))}`;
  const range = `${points(difference.from)} to ${points(difference.to)} points (95 %)`;
  const found = difference.from > 0
    ? "Attempts with memory shipped more often"
    : difference.to < 0
    ? "Attempts with memory shipped less often"
    : "No difference can be told from chance";
  return `${found}: ${range}. Who had a memory was not drawn by lot: later attempts have more of it, so this shows no cause.`;
}
