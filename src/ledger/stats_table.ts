/**
 * Statistics by one grouping as a table of plain values: the shape of `ledger stats --csv`.
 * Rule: the columns of a grouping are only ever added to, at the end; docs/ledger-format.md lists them.
 */
import type { GroupStats, LedgerStats } from "./stats.ts";

/** What statistics can be grouped by. */
export const GROUPINGS = [
  "model",
  "phase",
  "cause",
  "extension",
  "project",
  "author",
  "week",
  "memory",
] as const;
/** One of {@linkcode GROUPINGS}. */
export type Grouping = typeof GROUPINGS[number];

/** A value of a table; null: nothing to divide by. */
export type TableValue = string | number | null;

/** A table with a row a group. */
export interface StatsTable {
  columns: string[];
  rows: TableValue[][];
}

/** The table of a grouping. */
export function statsTable(stats: LedgerStats, by: Grouping): StatsTable {
  if (by === "phase") return table(stats.byPhase);
  if (by === "cause") return table(stats.byCause);
  if (by === "extension") return table(stats.byExtension);
  if (by === "project") return table(stats.byProject.map(flat));
  if (by === "author") return table(stats.byAuthor.map(flat));
  if (by === "memory") return table([stats.withMemory, stats.withoutMemory].map(flat));
  if (by === "week") return table(stats.byWeek.map(flat));
  return table(stats.byModel.map(flat));
}

function flat(group: GroupStats) {
  const { workingMsPerAttempt, tokensPerAttempt, costPerAttempt, ...sums } = group;
  return {
    ...sums,
    workingMsP50: workingMsPerAttempt.p50,
    workingMsP90: workingMsPerAttempt.p90,
    tokensP50: tokensPerAttempt.p50,
    tokensP90: tokensPerAttempt.p90,
    costP50: costPerAttempt.p50,
    costP90: costPerAttempt.p90,
  };
}

function table(groups: readonly object[]): StatsTable {
  const columns = Object.keys(groups[0] ?? { name: "" });
  return { columns, rows: groups.map((group) => Object.values(group)) };
}

/** A table as CSV (RFC 4180): a header, `\r\n` after each line, nothing for null. */
export function csvOf({ columns, rows }: StatsTable): string {
  return [columns, ...rows].map((row) => `${row.map(csvCell).join(",")}\r\n`).join("");
}

function csvCell(value: TableValue): string {
  if (value === null) return "";
  const text = String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
