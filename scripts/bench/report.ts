/**
 * The measured rows as a Markdown table, and its place in docs/benchmarks.md.
 * Rule: only what stands between the two markers is ever rewritten.
 */
import { cpus } from "node:os";
import { type Row } from "./benchmark.ts";

const BEGIN = "<!-- measured: begin -->";
const END = "<!-- measured: end -->";

/** The rows as a Markdown table with one line a row. */
export function tableOf(rows: readonly Row[]): string {
  const lines = rows.map((row) => {
    const { reference } = row;
    const ratio = reference === undefined ? "" : `${(row.value / reference.value).toFixed(2)} ×`;
    const comparison = reference === undefined
      ? ""
      : `${reference.what}: ${rounded(reference.value)} ${row.unit}`;
    const verdict = row.isGoalMet === undefined ? "" : row.isGoalMet ? " (met)" : " (**missed**)";
    const cells = [
      row.what,
      `${rounded(row.value)} ${row.unit}`,
      comparison,
      ratio,
      `${row.goal ?? ""}${verdict}`,
    ];
    return `| ${cells.join(" | ")} |`;
  });
  return [
    "| what | measured | beside it, in the same run | ratio | goal |",
    "| --- | --- | --- | --- | --- |",
    ...lines,
  ].join("\n");
}

/** Three significant digits, thousands separated. */
function rounded(value: number): string {
  if (value >= 1000) return Math.round(value).toLocaleString("en-US");
  return String(Number(value.toPrecision(3)));
}

/**
 * Puts `table`, with the date and the machine above it, in place of what stands between the markers.
 *
 * @throws {Error} when the document has not both markers, in order
 */
export function replaceMeasured(document: string, table: string): string {
  const begin = document.indexOf(BEGIN);
  const end = document.indexOf(END);
  if (begin === -1 || end < begin) throw new Error(`docs/benchmarks.md needs ${BEGIN} … ${END}`);
  const head = document.slice(0, begin + BEGIN.length);
  return `${head}\n\n${machine()}\n\n${table}\n\n${document.slice(end)}`;
}

function machine(): string {
  const processors = cpus();
  const date = new Date().toISOString().slice(0, 10);
  const memoryGb = Math.round(Deno.systemMemoryInfo().total / 2 ** 30);
  return `Measured on ${date}: ${processors.length} cores (${
    processors[0]?.model ?? "unknown"
  }), ` +
    `${memoryGb} GiB, ${Deno.build.os} ${Deno.build.arch}, Deno ${Deno.version.deno}.`;
}
