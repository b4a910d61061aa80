/**
 * Text from outside in one line, or in lines of a given width.
 * Rule: what comes out holds no control characters, and a line break only where it is put here.
 */
import { stripControlSequences } from "../platform/text.ts";

/**
 * `text` as one line: every run of white space is one space, control sequences are gone.
 *
 * @example
 * ```ts
 * import { oneLine } from "./one_line.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(oneLine(" Fix\n\n the\ttests "), "Fix the tests");
 * ```
 */
export function oneLine(text: string): string {
  return stripControlSequences(text.toWellFormed())
    .replace(/[\s\p{Cc}\u2028\u2029\u0085]+/gu, " ").trim();
}

/**
 * Cuts one line at `columns`, between words where that leaves more than half of it, and says so by `…`.
 *
 * @param widthOf how many columns a text takes
 */
export function cutLine(
  line: string,
  columns: number,
  widthOf: (text: string) => number,
): string {
  if (widthOf(line) <= columns) return line;
  let kept = "";
  for (const { segment } of new Intl.Segmenter("en").segment(line)) {
    if (widthOf(kept + segment) > columns - 1) break;
    kept += segment;
  }
  const isBetweenWords = line.charAt(kept.length) === " ";
  const space = kept.lastIndexOf(" ");
  const whole = isBetweenWords || space < kept.length / 2 ? kept : kept.slice(0, space);
  return `${whole.trimEnd()}…`;
}

/**
 * Breaks one line between words into lines of at most `columns`; those after the first are indented by two. A word
 * that is longer is broken where its line is full.
 */
export function wrapLine(
  line: string,
  columns: number,
  widthOf: (text: string) => number,
): string[] {
  const lines: string[] = [];
  let current = "";
  for (const word of line.split(" ")) {
    const longer = current === "" ? word : `${current} ${word}`;
    if (current.trim() === "" || widthOf(longer) <= columns) {
      current = longer;
      continue;
    }
    lines.push(current);
    current = `  ${word}`;
  }
  return [...lines, current].flatMap((line) => brokenAt(line, columns, widthOf));
}

/** The pieces of a line that is one long word. */
function brokenAt(line: string, columns: number, widthOf: (text: string) => number): string[] {
  if (widthOf(line) <= columns) return [line];
  const pieces: string[] = [];
  let current = "";
  for (const { segment } of new Intl.Segmenter("en").segment(line)) {
    if (current.trim() !== "" && widthOf(current + segment) > columns) {
      pieces.push(current);
      current = "  ";
    }
    current += segment;
  }
  return [...pieces, current];
}
