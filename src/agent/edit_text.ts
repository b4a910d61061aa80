/**
 * Replacing an exact piece of a text, or saying where it nearly is.
 * Rule: pure; a text matches once or the answer names the places, and a file keeps its line ends.
 */

/** The text after the edit, or why there is none, in words for the model. */
export type EditResult = { text: string; replacements: number } | { problem: string };

const MAX_PLACES = 20;
const MAX_SHOWN_LINES = 12;
const MAX_COMPARISONS = 2_000_000;

/**
 * Replaces `oldText` in `text` by `newText`. It must be there once, unless `replaceAll`. In a file
 * with CRLF line ends, an LF of `oldText` or `newText` stands for CRLF.
 *
 * @example
 * ```ts
 * import { editText } from "./edit_text.ts";
 * import assert from "node:assert/strict";
 *
 * assert.deepEqual(editText("a\r\nb\r\n", "a\nb", "a\nc", false), { text: "a\r\nc\r\n", replacements: 1 });
 * ```
 */
export function editText(
  text: string,
  oldText: string,
  newText: string,
  replaceAll: boolean,
): EditResult {
  if (oldText === "") {
    return { problem: "old_text is empty. To fill or make a file, use write_file." };
  }
  for (const lineEnds of isCrlf(text) ? [toCrlf] : [asIs, toCrlf]) {
    const wanted = lineEnds(oldText);
    const places = placesOf(text, wanted);
    if (places.length === 0) continue;
    const replacement = lineEnds(newText);
    if (replacement === wanted) return { problem: "new_text is the same as old_text." };
    if (places.length > 1 && !replaceAll) return { problem: severalPlaces(text, places) };
    return {
      text: text.split(wanted).join(replacement),
      replacements: places.length,
    };
  }
  return { problem: `old_text is not in the file. ${nearestPlace(text, oldText)}` };
}

/** Whether every line of `text` ends in CRLF, and there is one. */
export function isCrlf(text: string): boolean {
  return text.includes("\r\n") && !/(?<!\r)\n/.test(text);
}

/** `text` with CRLF for each LF that has no CR before it. */
export function toCrlf(text: string): string {
  return text.replace(/(?<!\r)\n/g, "\r\n");
}

function asIs(text: string): string {
  return text;
}

/** The offsets of `wanted` in `text`, not overlapping. */
function placesOf(text: string, wanted: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + wanted.length)) {
    places.push(at);
  }
  return places;
}

function severalPlaces(text: string, places: readonly number[]): string {
  const lines = places.slice(0, MAX_PLACES).map((at) => text.slice(0, at).split("\n").length);
  const more = places.length > MAX_PLACES ? ` and ${places.length - MAX_PLACES} more` : "";
  return `old_text is in the file ${places.length} times, at lines ${lines.join(", ")}${more}. ` +
    "Give more of the lines around the one you mean, or set replace_all.";
}

/** Where the lines of `wanted` come closest to being in `text`, with those lines as they are. */
function nearestPlace(text: string, wanted: string): string {
  const lines = text.split(/\r?\n/);
  const wantedLines = wanted.replace(/\r?\n$/, "").split(/\r?\n/);
  const height = Math.min(wantedLines.length, lines.length);
  if (text === "") return "The file is empty.";
  if (lines.length * height > MAX_COMPARISONS) return "Read the file again.";
  const wantedWords = wantedLines.map(wordsOf);
  const words = lines.map(wordsOf);
  let best = { start: 0, score: 0 };
  for (let start = 0; start + height <= lines.length; start++) {
    let score = 0;
    for (let offset = 0; offset < height; offset++) {
      score += likeness(words[start + offset], wantedWords[offset]);
    }
    if (score > best.score) best = { start, score };
  }
  if (best.score / wantedLines.length < 0.3) {
    return "Nothing in it is much like it; read the file again.";
  }
  const end = best.start + height;
  const shown = lines.slice(best.start, Math.min(end, best.start + MAX_SHOWN_LINES));
  const isIndentation = wantedLines.every((line, offset) =>
    line.trim() === (lines[best.start + offset] ?? "").trim()
  );
  const why = isIndentation ? "the white space differs" : "closest";
  return `The nearest place is lines ${best.start + 1}-${end} (${why}):\n` +
    shown.map((line, offset) => `${best.start + offset + 1}: ${line}`).join("\n") +
    (end - best.start > MAX_SHOWN_LINES ? "\n…" : "");
}

function wordsOf(line: string): Set<string> {
  return new Set(line.match(/[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? []);
}

/** How many of the words of two lines are common to both: 0 to 1. */
function likeness(a: Set<string> | undefined, b: Set<string> | undefined): number {
  if (a === undefined || b === undefined) return 0;
  if (a.size === 0 && b.size === 0) return 0.5;
  let common = 0;
  for (const word of a) if (b.has(word)) common++;
  return common / (a.size + b.size - common || 1);
}
