/**
 * What a benchmark is, and the arithmetic that they share.
 * Rule: a value stands beside a reference that was measured in the same run, or beside none.
 */

/** A file of scripts/bench/ exports these two. */
export interface Benchmark {
  /** As given on the command line: `deno task bench start`. */
  name: string;
  /** Measures, cleans up after itself, and gives one row a quantity. */
  run: () => Promise<Row[]>;
}

/** One measured quantity. */
export interface Row {
  /** What was measured, in words that stand alone in a table. */
  what: string;
  value: number;
  /** Of `value` and of the reference's: `ms`, `MB/s`, `records/s`. */
  unit: string;
  /** What it is compared with, measured side by side. */
  reference?: { what: string; value: number };
  /** The goal in words, such as `at most 1.3 × the reference`. */
  goal?: string;
  isGoalMet?: boolean;
}

/** The value in the middle of `values` (the upper one of two). */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted[Math.floor(sorted.length / 2)];
  if (middle === undefined) throw new Error("no values to take the median of");
  return middle;
}

/** How long `operation` takes, in milliseconds. */
export async function timeMs(operation: () => unknown): Promise<number> {
  const startMs = performance.now();
  await operation();
  return performance.now() - startMs;
}
