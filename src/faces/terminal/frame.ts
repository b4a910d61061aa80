/**
 * A few rows at the cursor that are drawn again and again in the same place.
 * Rule: it erases what it has drawn, and nothing above it.
 */
import { displayWidth } from "./width.ts";

/** Rows as they are seen, without styles, and where the cursor stands among them. */
export interface FrameView {
  rows: readonly string[];
  cursorRow: number;
  cursorColumn: number;
}

/** Rows that replace each other. Every method gives what to write. */
export class Frame {
  #shown: FrameView | undefined;

  /** Replaces what is shown by `view`, whose rows look like `painted` and are at most as wide as the terminal. */
  draw(view: FrameView, painted: readonly string[] = view.rows): string {
    const erased = this.erase();
    this.#shown = view;
    const up = view.rows.length - 1 - view.cursorRow;
    return erased + painted.join("\r\n") + moveUp(up) + "\r" + moveRight(view.cursorColumn);
  }

  /** Takes away what is shown; the cursor is where its first row began. */
  erase(): string {
    if (this.#shown === undefined) return "";
    const up = this.#shown.cursorRow;
    this.#shown = undefined;
    return moveUp(up) + "\r\x1b[J";
  }

  /** The terminal is `columns` wide now: rows that no longer fit have been broken by it. */
  reflow(columns: number): void {
    const shown = this.#shown;
    if (shown === undefined) return;
    const rowsOf = (row: string) => Math.max(1, Math.ceil(displayWidth(row) / columns));
    const above = shown.rows.slice(0, shown.cursorRow).reduce((sum, row) => sum + rowsOf(row), 0);
    this.#shown = { ...shown, cursorRow: above + Math.floor(shown.cursorColumn / columns) };
  }

  /** Leaves what is shown and goes below it. */
  leave(): string {
    const shown = this.#shown;
    this.#shown = undefined;
    if (shown === undefined) return "";
    const down = shown.rows.length - 1 - shown.cursorRow;
    return (down > 0 ? `\x1b[${down}B` : "") + "\r\n";
  }
}

function moveUp(rows: number): string {
  return rows > 0 ? `\x1b[${rows}A` : "";
}

function moveRight(columns: number): string {
  return columns > 0 ? `\x1b[${columns}C` : "";
}
