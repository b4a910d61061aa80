/**
 * Small charts in text: bars, sparklines, and tables of numbers.
 * Rule: in the blocks of Unicode where the terminal can show them, in ASCII elsewhere; never wider than asked.
 */
import type { Environment } from "../../platform/environment.ts";
import { stripControlSequences } from "../../platform/text.ts";
import { type Paint, paintSpans, type Span } from "./ansi.ts";
import { type Align, layoutTable } from "./table.ts";
import { oneLine } from "./width.ts";

/** Whether the terminal's character set has more than ASCII (LC_ALL before LANG; Windows' terminals always do). */
export function isUnicodeTerminal(environment: Environment): boolean {
  if (Deno.build.os === "windows") return true;
  const locale = environment.LC_ALL ?? environment.LANG ?? "";
  return /utf-?8/i.test(locale);
}

const EIGHTHS = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
const HEIGHTS = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"];
const ASCII_HEIGHTS = ["_", ".", ":", "-", "=", "+", "*", "#"];

/**
 * A bar of `share` (0 to 1) of `width` columns, in eighths of a column; not filled up with spaces.
 *
 * @example
 * ```ts
 * import { bar, sparkline } from "./charts.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(bar(0.55, 10, true), "█████▌");
 * assert.equal(sparkline([1, 5, 3, undefined, 8], true), "▁▅▃ █");
 * ```
 */
export function bar(share: number, width: number, isUnicode: boolean): string {
  const columns = Math.min(1, Math.max(0, Number.isFinite(share) ? share : 0)) * width;
  if (!isUnicode) return "#".repeat(Math.round(columns));
  const eighths = Math.round(columns * 8);
  // Something is never shown as nothing.
  const shown = eighths === 0 && columns > 0 ? 1 : eighths;
  return "█".repeat(Math.floor(shown / 8)) + (EIGHTHS[shown % 8] ?? "");
}

/** A line of one column a value, from the smallest to the largest of `values`; undefined is a gap. */
export function sparkline(values: readonly (number | undefined)[], isUnicode: boolean): string {
  const heights = isUnicode ? HEIGHTS : ASCII_HEIGHTS;
  let least = Infinity;
  let most = -Infinity;
  for (const value of values) {
    if (value === undefined) continue;
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  return values.map((value) => {
    if (value === undefined) return " ";
    const share = most > least ? (value - least) / (most - least) : value === 0 ? 0 : 0.5;
    return heights[Math.min(heights.length - 1, Math.floor(share * heights.length))] ?? " ";
  }).join("");
}

/** A column of {@linkcode numberTable}. */
export interface NumberColumn {
  title: string;
  align: Align;
}

/** A table without frames, of at most `width` columns: titles bold, a thin rule, cells aligned. Ends in a newline. */
export function numberTable(
  columns: readonly NumberColumn[],
  rows: readonly (readonly (string | Span)[])[],
  style: { paint: Paint; isUnicode: boolean; width?: number },
): string {
  const rule = style.isUnicode ? "─" : "-";
  const lines = layoutTable(
    {
      header: columns.map((column) => [{ text: column.title, styles: ["bold"] }]),
      rows: rows.map((row) => row.map((cell) => [toSpan(cell)])),
      aligns: columns.map((column) => column.align),
    },
    style.width ?? 80,
    { bar: "  ", rule, cross: rule + rule },
  );
  return lines.map((line) => paintSpans(line, style.paint) + "\n").join("");
}

function toSpan(cell: string | Span): Span {
  const { text, styles } = typeof cell === "string" ? { text: cell, styles: [] } : cell;
  return { text: oneLine(stripControlSequences(text)), styles };
}
