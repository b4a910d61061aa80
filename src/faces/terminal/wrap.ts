/**
 * Breaks styled text into lines of a given width.
 * Rule: breaks at spaces and beside wide characters; a word wider than a line is cut between graphemes.
 */
import type { Span, StyleName } from "./ansi.ts";
import { displayWidth, expandTabs, splitGraphemes } from "./width.ts";

/** A line of spans. */
export type SpanLine = Span[];

/** A piece that is kept together, with the styles it has and the columns it takes. */
interface Piece {
  text: string;
  width: number;
  styles: readonly StyleName[];
  isSpace: boolean;
}

/**
 * Wraps `spans` to lines of at most `width` columns (at least one grapheme a line). `\n` in the text
 * breaks the line. Spaces at a break go; those at a line's own start stay.
 *
 * @example
 * ```ts
 * import { wrapText } from "./wrap.ts";
 * import assert from "node:assert/strict";
 *
 * assert.deepEqual(wrapText("one two three", 8), ["one two", "three"]);
 * ```
 */
export function wrapSpans(spans: readonly Span[], width: number): SpanLine[] {
  const lines: SpanLine[] = [];
  let line: Piece[] = [];
  let column = 0;
  let word: Piece[] = [];
  let wordWidth = 0;
  let isAfterSoftBreak = false;

  const breakLine = (isHard: boolean) => {
    if (!isHard) { while (line.at(-1)?.isSpace) line.pop(); }
    lines.push(joinPieces(line));
    line = [];
    column = 0;
    isAfterSoftBreak = !isHard;
  };
  const placeWord = () => {
    if (word.length === 0) return;
    if (column > 0 && column + wordWidth > width) breakLine(false);
    for (const piece of word) {
      for (const part of piece.width > width ? cutPiece(piece) : [piece]) {
        if (column > 0 && column + part.width > width) breakLine(false);
        line.push(part);
        column += part.width;
      }
    }
    word = [];
    wordWidth = 0;
  };

  for (const piece of splitPieces(spans)) {
    if (piece.text === "\n") {
      placeWord();
      breakLine(true);
      continue;
    }
    if (!piece.isSpace) {
      const isWide = piece.width === 2 && splitGraphemes(piece.text).length === 1;
      if (isWide) placeWord();
      word.push(piece);
      wordWidth += piece.width;
      if (isWide) placeWord();
      continue;
    }
    placeWord();
    const isSwallowed = column + piece.width > width || (column === 0 && isAfterSoftBreak);
    if (isSwallowed && column > 0) breakLine(false);
    if (isSwallowed) continue;
    line.push(piece);
    column += piece.width;
  }
  placeWord();
  if (line.length > 0 || lines.length === 0) breakLine(false);
  return lines;
}

/** {@linkcode wrapSpans} for plain text. */
export function wrapText(text: string, width: number): string[] {
  return wrapSpans([{ text, styles: [] }], width)
    .map((line) => line.map((span) => span.text).join(""));
}

/** The columns of a line of spans. */
export function spansWidth(spans: readonly Span[]): number {
  return displayWidth(spans.map((span) => span.text).join(""));
}

// CJK ideographs, kana, hangul and full-width forms break anywhere; everything else at spaces.
const PIECES =
  /\n|[^\S\n\u00a0]+|[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]|[^\s\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]+|\u00a0+/g;

function* splitPieces(spans: readonly Span[]): Generator<Piece> {
  for (const { text, styles } of spans) {
    for (const [part] of expandTabs(text).matchAll(PIECES)) {
      yield { text: part, width: displayWidth(part), styles, isSpace: /^[^\S\u00a0]/.test(part) };
    }
  }
}

function cutPiece(piece: Piece): Piece[] {
  return splitGraphemes(piece.text)
    .map((text) => ({ ...piece, text, width: displayWidth(text) }));
}

function joinPieces(pieces: readonly Piece[]): SpanLine {
  const spans: SpanLine = [];
  for (const { text, styles } of pieces) {
    const last = spans.at(-1);
    if (last !== undefined && last.styles === styles) last.text += text;
    else spans.push({ text, styles });
  }
  return spans;
}
