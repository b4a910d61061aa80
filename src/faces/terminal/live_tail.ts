/**
 * The unfinished end of a text on a terminal: shown word by word, erased when something better is there.
 * Rule: it knows every row it has used, and never moves the cursor above the screen's top.
 */
import { displayWidth, splitGraphemes } from "./width.ts";

const TAB_STOP = 8;

/** What happens when the screen is full: `commit` goes on and can no longer be erased, `hold` shows no more. */
export type Overflow = "commit" | "hold";

/** Plain text at the bottom of the screen. Every method gives what to write. */
export class LiveTail {
  readonly #width: number;
  readonly #maxRows: number;
  #rowsAbove = 0;
  #rowsAboveInLine = 0;
  #row = "";
  #column = 0;
  #isEmpty = true;
  #isHeld = false;
  #isCommitted = false;

  /** For a terminal of `columns` by `rows`. The last column stays free, so that no terminal wraps by itself. */
  constructor(columns: number, rows: number) {
    this.#width = Math.max(2, columns - 1);
    this.#maxRows = Math.max(1, rows - 1);
  }

  /** Nothing is shown. */
  get isEmpty(): boolean {
    return this.#isEmpty;
  }

  /** What is shown has grown over the screen and stays. */
  get isCommitted(): boolean {
    return this.#isCommitted;
  }

  /** Shows `text`, which holds no control characters but tab and newline. */
  append(text: string, overflow: Overflow): string {
    let output = "";
    for (const grapheme of splitGraphemes(text)) {
      if (this.#isHeld) break;
      this.#isEmpty = false;
      output += this.#show(grapheme, overflow);
    }
    return output;
  }

  /** Leaves what is shown where it is: it can no longer be erased. */
  commit(): void {
    if (!this.#isEmpty) this.#isCommitted = true;
  }

  /** Takes away what is shown. */
  erase(): string {
    const output = this.#isEmpty ? "" : eraseUp(this.#rowsAbove);
    this.reset();
    return output;
  }

  /** Takes away the last line of the text that was shown, if it is still on the screen. */
  eraseLastLine(): string {
    const rows = this.#rowsAboveInLine + (this.#row === "" ? 1 : 0);
    return rows > this.#maxRows ? "" : eraseUp(rows);
  }

  /** Forgets what is shown; the cursor is taken to be at the start of an empty row. */
  reset(): void {
    this.#rowsAbove = 0;
    this.#rowsAboveInLine = 0;
    this.#isEmpty = true;
    this.#isHeld = false;
    this.#isCommitted = false;
    this.#setRow("");
  }

  #show(grapheme: string, overflow: Overflow): string {
    if (grapheme === "\n") return this.#newRow("\n", "", overflow, true);
    const text = grapheme === "\t" ? " ".repeat(TAB_STOP - (this.#column % TAB_STOP)) : grapheme;
    const width = displayWidth(text);
    if (this.#column + width <= this.#width) {
      this.#row += text;
      this.#column += width;
      return text;
    }
    if (text.trim() === "") return this.#newRow("\n", "", overflow, false);
    const wordStart = this.#row.lastIndexOf(" ") + 1;
    const word = this.#row.slice(wordStart);
    if (wordStart === 0 || word === "") return this.#newRow("\n" + text, text, overflow, false);
    const before = `\r\x1b[K${this.#row.slice(0, wordStart)}\n`;
    return this.#newRow(before + word + text, word + text, overflow, false);
  }

  #newRow(output: string, row: string, overflow: Overflow, isNewLine: boolean): string {
    if (this.#rowsAbove + 2 > this.#maxRows && !this.#isCommitted) {
      if (overflow === "hold") {
        this.#isHeld = true;
        return "";
      }
      this.#isCommitted = true;
    }
    this.#rowsAbove++;
    this.#rowsAboveInLine = isNewLine ? 0 : this.#rowsAboveInLine + 1;
    this.#setRow(row);
    return output;
  }

  #setRow(row: string): void {
    this.#row = row;
    this.#column = displayWidth(row);
  }
}

function eraseUp(rows: number): string {
  return `\r${rows > 0 ? `\x1b[${rows}A` : ""}\x1b[J`;
}
