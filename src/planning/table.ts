/**
 * Tables with known columns, in any order, and with columns of the person's own.
 * Rule: a known column is found by its header; the others keep their place and their cells as they stand.
 */
import type { TableRow } from "mdast";
import { CELL_CONTEXT, readInline, writeInline } from "./inline_text.ts";
import { type InlineSpan, placeOf, spanOfChildren } from "./markdown.ts";
import type { Layout } from "./layout.ts";
import type { Part, Section, SectionedDocument } from "./sections.ts";

/** What a table looks like: the headers from left to right, known ones by their name, others as their source. */
export type Columns = readonly string[];

/** A row as it was read. */
export interface ReadRow {
  line: number;
  /** The cell of a known column; `undefined` when it is empty. */
  cell(name: string): InlineSpan | undefined;
  /** The source of the cells of unknown columns, from left to right. */
  others: string[];
}

/** A table as it was read; `columns` has every known column. */
export interface ReadTable {
  columns: string[];
  rows: ReadRow[];
}

/**
 * Reads the first table of a section. Blocks before it and behind it are kept. Without a table there
 * are no rows.
 *
 * @param names the known columns; those that the table lacks are added behind the others
 * @param required the columns without which a row means nothing
 * @throws {PlanningError} when a required column is missing, one is there twice, or a row is longer than the header
 */
export function readTable(
  document: SectionedDocument,
  section: Section,
  names: readonly string[],
  required: readonly string[],
): ReadTable {
  const index = section.nodes.findIndex((node) => node.type === "table");
  const table = section.nodes[index];
  if (table?.type !== "table") {
    document.keep(section.name, "after", section.nodes);
    return { columns: [...names], rows: [] };
  }
  document.keep(section.name, "before", section.nodes.slice(0, index));
  document.keep(section.name, "after", section.nodes.slice(index + 1));
  const [header, ...rows] = table.children;
  const columns = header === undefined ? [] : readHeader(document, header, names);
  const missing = required.find((name) => !columns.includes(name));
  if (missing !== undefined) {
    throw document.fault(placeOf(table).line, `the table has no column "${missing}"`);
  }
  const isKnown = columns.map((column) => names.includes(column));
  return {
    columns: [...columns, ...names.filter((name) => !columns.includes(name))],
    rows: rows.map((row) => readRow(document, row, columns, isKnown)),
  };
}

function readHeader(
  document: SectionedDocument,
  header: TableRow,
  names: readonly string[],
): string[] {
  const columns: string[] = [];
  for (const cell of cellsOf(document.source, header)) {
    const text = readInline(cell).trim().toLowerCase();
    const name = names.find((known) => known.toLowerCase() === text);
    if (name !== undefined && columns.includes(name)) {
      throw document.fault(placeOf(header).line, `the column "${name}" is there twice`);
    }
    columns.push(name ?? sourceOf(cell));
  }
  return columns;
}

function readRow(
  document: SectionedDocument,
  row: TableRow,
  columns: readonly string[],
  isKnown: readonly boolean[],
): ReadRow {
  const { line } = placeOf(row);
  const cells = cellsOf(document.source, row);
  if (cells.length > columns.length) {
    throw document.fault(
      line,
      `the row has ${cells.length} cells, the header ${columns.length}; write \\| for a | that is text`,
    );
  }
  return {
    line,
    cell: (name) => cells[columns.indexOf(name)],
    others: columns.flatMap((_, at) => isKnown[at] ? [] : [sourceOf(cells[at])]),
  };
}

function cellsOf(source: string, row: TableRow): (InlineSpan | undefined)[] {
  return row.children.map((cell) => {
    const span = spanOfChildren(source, cell);
    return span === undefined ? undefined : { ...span, isTableCell: true };
  });
}

function sourceOf(span: InlineSpan | undefined): string {
  return span === undefined ? "" : span.source.slice(span.start, span.end);
}

/** A row to be written: Markdown by known column, and the source of the others. */
export interface WrittenRow {
  cells: Readonly<Record<string, string>>;
  others: readonly string[];
}

/** Writes the table that {@linkcode readTable} reads. `columns` must hold every one of `names` once. */
function writeTable(
  columns: Columns,
  names: readonly string[],
  rows: readonly WrittenRow[],
): string {
  const lines = rows.map((row) => {
    let other = 0;
    return line(
      columns.map((column) =>
        (names.includes(column) ? row.cells[column] : row.others[other++]) ?? ""
      ),
    );
  });
  return [line(columns), line(columns.map(() => "---")), ...lines].join("\n");
}

/**
 * The part that {@linkcode readTable} reads. A table without rows is left out, unless the person's own
 * columns, or text of theirs above it, would lose their place.
 */
export function tablePart(
  layout: Layout,
  name: string,
  columns: Columns,
  names: readonly string[],
  rows: readonly WrittenRow[],
): Part {
  const isUntouched = rows.length === 0 && columns.join("|") === names.join("|") &&
    !layout.kept.some((text) => text.place === name && text.at === "before");
  return { name, blocks: isUntouched ? [] : [writeTable(columns, names, rows)] };
}

function line(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}

/** Text as the content of a cell. */
export function writeCell(text: string): string {
  return writeInline(text, CELL_CONTEXT);
}
