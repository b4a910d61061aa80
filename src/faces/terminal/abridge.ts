/**
 * Long text that somebody must judge, made to fit a screen: its beginning, its end, and how much is between.
 * Rule: what is left out is counted where it is left out; the end of the text always stays.
 */
import type { Span } from "./ansi.ts";
import { counted } from "../../platform/text.ts";
import { displayWidth, splitGraphemes } from "./width.ts";

/** So many rows of the screen one line may take. */
const MAX_LINE_ROWS = 4;

/** Text that fits. */
export interface Abridged {
  lines: Span[];
  /** Something was left out. */
  isAbridged: boolean;
}

/**
 * Makes `lines` fit.
 *
 * @param room how many rows there are, and how many columns each has
 *
 * @example
 * ```ts
 * import { abridge } from "./abridge.ts";
 * import assert from "node:assert/strict";
 *
 * const lines = ["touch x", "", "", "", "", "", "", "npm test"].map((text) => ({ text, styles: [] }));
 * assert.deepEqual(abridge(lines, { rows: 4, columns: 80 }).lines.map(({ text }) => text), [
 *   "touch x", "", "⋯ 5 more lines ⋯", "npm test",
 * ]);
 * ```
 */
export function abridge(
  lines: readonly Span[],
  { rows, columns }: { rows: number; columns: number },
): Abridged {
  const cut = lines.map((line) => cutLine(line, MAX_LINE_ROWS * columns));
  const isCut = cut.some((line, index) => line !== lines[index]);
  const rowsOf = ({ text }: Span) => Math.max(1, Math.ceil(displayWidth(text) / columns));
  const total = cut.reduce((sum, line) => sum + rowsOf(line), 0);
  if (total <= rows) return { lines: cut, isAbridged: isCut };
  const tailRoom = Math.max(1, Math.floor((rows - 1) / 3));
  const tail = fitting(cut.toReversed(), tailRoom, rowsOf);
  const head = fitting(cut, Math.max(1, rows - 1 - tailRoom), rowsOf);
  const between = cut.length - head - tail;
  if (between <= 0) return { lines: cut, isAbridged: isCut };
  const gap: Span = { text: `⋯ ${counted(between, "more line")} ⋯`, styles: ["inverse"] };
  return { lines: [...cut.slice(0, head), gap, ...cut.slice(-tail)], isAbridged: true };
}

/** How many of `lines` fit into `room` rows; one at least. */
function fitting(lines: readonly Span[], room: number, rowsOf: (line: Span) => number): number {
  let used = 0;
  const index = lines.findIndex((line) => (used += rowsOf(line)) > room);
  return Math.max(1, index === -1 ? lines.length : index);
}

function cutLine(line: Span, width: number): Span {
  if (displayWidth(line.text) <= width) return line;
  const graphemes = splitGraphemes(line.text);
  const side = Math.max(1, Math.floor(width / 4));
  const head = graphemes.slice(0, side).join("");
  const tail = graphemes.slice(-side).join("");
  const between = counted(graphemes.length - 2 * side, "more character");
  return { ...line, text: `${head} ⋯ ${between} ⋯ ${tail}` };
}
