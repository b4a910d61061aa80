/**
 * How much of the statistics' overview goes on one screen.
 * Rule: pure; the headline is never pushed off the top, and shorter tables come before a table less.
 */

/** How many rows the overview's tables have at most. */
const MOST_ROWS = 8;
/** And at least, whatever the screen. */
const LEAST_ROWS = 3;
/** A gap, a heading and a rule. */
const LINES_AROUND = 3;

/** What there is to show. */
export interface OverviewParts {
  /** Lines that are there in any case. */
  fixedLines: number;
  models: number;
  causes: number;
  /** Whether there is a table of kinds of work, with a row a model. */
  hasWork: boolean;
}

/** How much of it is shown: rows of each table, and whether kinds of work are among them. */
export interface OverviewFit {
  rows: number;
  hasWork: boolean;
}

/**
 * Fits the overview on a screen.
 *
 * @param lines how many there are; undefined where nothing scrolls away, as in a pipe
 *
 * @example
 * ```ts
 * import { fitOverview } from "./overview_fit.ts";
 * import assert from "node:assert/strict";
 *
 * const parts = { fixedLines: 11, models: 5, causes: 12, hasWork: true };
 * assert.deepEqual(fitOverview(parts, 40), { rows: 8, hasWork: true });
 * assert.deepEqual(fitOverview(parts, 23), { rows: 3, hasWork: false });
 * ```
 */
export function fitOverview(parts: OverviewParts, lines: number | undefined): OverviewFit {
  const { fixedLines, models, causes } = parts;
  const table = (count: number, rows: number) =>
    count === 0 ? 0 : LINES_AROUND + Math.min(count, rows);
  for (const hasWork of parts.hasWork ? [true, false] : [false]) {
    for (let rows = MOST_ROWS; rows >= LEAST_ROWS; rows--) {
      const work = hasWork ? table(models, rows) : 0;
      const sum = fixedLines + table(models, rows) + work + table(causes, rows);
      if (lines === undefined || sum <= lines) return { rows, hasWork };
    }
  }
  return { rows: LEAST_ROWS, hasWork: false };
}
