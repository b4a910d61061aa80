/**
 * Tables fitted to a width: columns shrink fairly and their cells wrap.
 * Rule: no line is wider than the width; where columns would be too narrow, rows are listed instead.
 */
import type { Span, StyleName } from "./ansi.ts";
import { type SpanLine, spansWidth, wrapSpans } from "./wrap.ts";

/** How a column's cells stand. */
export type Align = "left" | "right" | "center";

/** A cell: styled text, which may hold `\n`. */
export type Cell = readonly Span[];

/** What a table shows. Rows may be shorter than the header; what is missing is empty. */
export interface TableContent {
  header: readonly Cell[];
  rows: readonly (readonly Cell[])[];
  aligns: readonly Align[];
}

/** The columns a cell must at least have; under that the table becomes a list. */
const MIN_COLUMN = 4;
const RULE: readonly StyleName[] = ["dim"];

/**
 * Lays out a table of at most `width` columns with a rule below the header.
 * `bar` stands between columns, `rule` makes the line (a cross where they meet is `cross`).
 */
export function layoutTable(
  content: TableContent,
  width: number,
  lines: { bar: string; rule: string; cross: string } = { bar: " │ ", rule: "─", cross: "─┼─" },
): SpanLine[] {
  const available = width - lines.bar.length * (content.header.length - 1);
  const widths = columnWidths(content, available);
  if (widths === undefined) return listRows(content, width);
  const row = (cells: readonly Cell[]) => layoutRow(cells, widths, content.aligns, lines.bar);
  const rule = widths.map((columns) => lines.rule.repeat(columns)).join(lines.cross);
  return [
    ...row(content.header),
    [{ text: rule, styles: RULE }],
    ...content.rows.flatMap(row),
  ];
}

/** Each column's width: its natural one, or that of the largest cap at which all fit; undefined when none does. */
function columnWidths(content: TableContent, available: number): number[] | undefined {
  const natural = content.header.map((title, index) => {
    const cells = [title, ...content.rows.map((row) => row[index] ?? [])];
    return cells.reduce((widest, cell) => Math.max(widest, cellWidth(cell)), 1);
  });
  const capped = (cap: number) => natural.map((columns) => Math.min(columns, cap));
  const total = (widths: number[]) => widths.reduce((sum, columns) => sum + columns, 0);
  if (total(natural) <= available) return natural;
  let cap = available;
  while (cap >= MIN_COLUMN && total(capped(cap)) > available) cap--;
  if (cap < MIN_COLUMN) return undefined;
  // What the cap leaves over goes to the columns that it cut, from the left.
  const widths = capped(cap);
  let left = available - total(widths);
  return widths.map((columns, index) => {
    const isCut = columns < (natural[index] ?? 0) && left > 0;
    if (isCut) left--;
    return isCut ? columns + 1 : columns;
  });
}

function cellWidth(cell: Cell): number {
  return Math.max(...wrapSpans(cell, Number.MAX_SAFE_INTEGER).map(spansWidth));
}

function layoutRow(
  cells: readonly Cell[],
  widths: readonly number[],
  aligns: readonly Align[],
  bar: string,
): SpanLine[] {
  const columns = widths.map((width, index) => wrapSpans(cells[index] ?? [], width));
  const height = Math.max(...columns.map((lines) => lines.length));
  return Array.from({ length: height }, (_, line) => {
    const parts = widths.flatMap((width, index): Span[] => {
      const aligned = alignSpans(columns[index]?.[line] ?? [], width, aligns[index] ?? "left");
      return index === 0 ? aligned : [{ text: bar, styles: RULE }, ...aligned];
    });
    return trimEnd(parts);
  });
}

function alignSpans(spans: readonly Span[], width: number, align: Align): Span[] {
  const missing = Math.max(0, width - spansWidth(spans));
  const before = align === "right" ? missing : align === "center" ? Math.floor(missing / 2) : 0;
  const space = (count: number): Span[] => {
    return count === 0 ? [] : [{ text: " ".repeat(count), styles: [] }];
  };
  return [...space(before), ...spans, ...space(missing - before)];
}

/** Takes away the spaces at a line's end, those of a bar included. */
function trimEnd(spans: readonly Span[]): Span[] {
  const trimmed = [...spans];
  while (trimmed.length > 0) {
    const last = trimmed.pop();
    const text = last?.text.trimEnd() ?? "";
    if (last !== undefined && text !== "") return [...trimmed, { ...last, text }];
  }
  return trimmed;
}

/** The table as a list: a line for each cell, `title: value`, and an empty line between rows. */
function listRows(content: TableContent, width: number): SpanLine[] {
  return content.rows.flatMap((row, rowIndex) => {
    const lines = content.header.flatMap((title, index) =>
      wrapSpans([...title, { text: ": ", styles: [] }, ...(row[index] ?? [])], width)
    );
    return rowIndex === 0 ? lines : [[], ...lines];
  });
}
