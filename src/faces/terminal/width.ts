/**
 * How many columns text takes on a terminal, and cutting it to a number of columns.
 * Rule: a grapheme (an emoji sequence, a letter with its accents) is never split.
 */
import stringWidth from "string-width";

const TAB_STOP = 8;
const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });
const PRINTABLE_ASCII = /^[ -~]*$/;

/** The columns that one line of `text` takes: 2 for East Asian wide characters and emoji, 0 for combining ones. */
export function displayWidth(text: string): number {
  return PRINTABLE_ASCII.test(text) ? text.length : stringWidth(text);
}

/** The graphemes of `text`, in order. */
export function splitGraphemes(text: string): string[] {
  if (PRINTABLE_ASCII.test(text)) return text.split("");
  return Array.from(graphemes.segment(text), (part) => part.segment);
}

/** Replaces tabs by the spaces up to the next stop (every eight columns), counted from `startColumn`. */
export function expandTabs(line: string, startColumn = 0): string {
  if (!line.includes("\t")) return line;
  let expanded = "";
  let column = startColumn;
  for (const part of line.split(/(\t)/)) {
    const text = part === "\t" ? " ".repeat(TAB_STOP - (column % TAB_STOP)) : part;
    expanded += text;
    column += displayWidth(text);
  }
  return expanded;
}

/**
 * Cuts one line to at most `width` columns; what is cut off is shown by `ellipsis`.
 *
 * @example
 * ```ts
 * import { truncate } from "./width.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(truncate("漢字漢字", 5), "漢字…");
 * ```
 */
export function truncate(line: string, width: number, ellipsis = "…"): string {
  if (displayWidth(line) <= width) return line;
  const room = width - displayWidth(ellipsis);
  if (room < 0) return "";
  return takeColumns(line, room) + ellipsis;
}

/** The longest start of `line` that takes at most `width` columns. */
export function takeColumns(line: string, width: number): string {
  let taken = "";
  let column = 0;
  for (const grapheme of splitGraphemes(line)) {
    column += displayWidth(grapheme);
    if (column > width) break;
    taken += grapheme;
  }
  return taken;
}

/** Fills `text` with spaces to `width` columns; longer text stays as it is. */
export function pad(text: string, width: number, align: "left" | "right" | "center" = "left") {
  const missing = Math.max(0, width - displayWidth(text));
  if (align === "right") return " ".repeat(missing) + text;
  if (align === "left") return text + " ".repeat(missing);
  const before = Math.floor(missing / 2);
  return " ".repeat(before) + text + " ".repeat(missing - before);
}

/** Makes one line of `text`: every run of white space that holds a line break becomes a space. */
export function oneLine(text: string): string {
  return text.replace(/\s*[\r\n\u0085\u2028\u2029]\s*/g, " ").trim();
}
