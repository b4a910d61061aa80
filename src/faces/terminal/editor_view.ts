/**
 * Where the line that is being edited stands on the screen. Rule: pure; every row is at most as wide as the
 * terminal, and there are never more rows than it has.
 */
import type { EditorState } from "./editor_state.ts";
import { displayWidth, expandTabs, splitGraphemes, takeColumns } from "./width.ts";

/** Rows to show, without line breaks, and the place of the cursor among them. */
export interface EditorView {
  rows: string[];
  cursorRow: number;
  cursorColumn: number;
  /** The columns of the first row that belong to the prompt. */
  promptWidth: number;
}

/** Lays the text out behind `prompt`; further lines stand below its end. Below all come `hints`. */
export function layoutEditor(
  state: EditorState,
  prompt: string,
  hints: readonly string[],
  columns: number,
  screenRows: number,
): EditorView {
  const shownPrompt = takeColumns(searchPrompt(state) ?? prompt, Math.max(0, columns - 2));
  const indent = displayWidth(shownPrompt);
  const rows: string[] = [];
  let row = shownPrompt;
  let column = indent;
  let cursor: { row: number; column: number } | undefined;
  let index = 0;
  const nextRow = (start: string) => {
    rows.push(row);
    row = start;
    column = start.length;
  };
  const place = () => {
    if (index >= state.cursor) cursor ??= { row: rows.length, column };
  };
  for (const part of splitGraphemes(state.text)) {
    const text = part === "\t" ? expandTabs(part, column).slice(0, columns) : part;
    const width = part === "\n" ? 0 : displayWidth(text);
    // Behind a full row the cursor stands at the start of the next, and so does what does not fit.
    if (column >= columns || column + width > columns) nextRow("");
    place();
    index += part.length;
    if (part === "\n") {
      nextRow(" ".repeat(indent));
      continue;
    }
    row += text;
    column += width;
  }
  if (column >= columns) nextRow("");
  const end = { row: rows.length, column };
  const { row: cursorRow, column: cursorColumn } = cursor ?? end;
  rows.push(row, ...hints.map((hint) => takeColumns(hint, columns)));
  const maxRows = Math.max(1, screenRows - 1);
  const from = Math.max(0, Math.min(cursorRow - Math.floor(maxRows / 2), rows.length - maxRows));
  return {
    rows: rows.slice(from, from + maxRows),
    cursorRow: cursorRow - from,
    cursorColumn,
    promptWidth: from === 0 ? shownPrompt.length : 0,
  };
}

function searchPrompt(state: EditorState): string | undefined {
  if (state.search === undefined) return undefined;
  const name = state.search.foundIndex === -1 ? "no match" : "search";
  return `(${name}) ${state.search.query}: `;
}
