/**
 * The part of a file that a small model is asked for anew: all of it, or where the change belongs.
 * Rule: pure; a part is whole lines, and what is put back in its place leaves every other byte as it was.
 */
import { utf8ByteLength } from "../../platform/text.ts";
import { isCrlf, toCrlf } from "../../agent/edit_text.ts";
import { definitionLine, symbolsIn } from "./likely_files.ts";

/** Lines of a text. */
export interface Piece {
  /** From 0; the line behind the last one. */
  start: number;
  end: number;
  /** What the model is shown: LF line ends, and no more indented than it must be. */
  text: string;
  /** What stands in front of each line in the file. */
  indent: string;
  isWhole: boolean;
}

/** What tells the place. */
export interface PlaceEvidence {
  path: string;
  goal: string;
  outputs: readonly string[];
}

/** The part of `text` in which the change belongs, of at most `maxBytes`. */
export function pieceOf(text: string, evidence: PlaceEvidence, maxBytes: number): Piece {
  const lines = text.replaceAll("\r\n", "\n").split("\n");
  if (utf8ByteLength(text) <= maxBytes) return made(lines, 0, lines.length);
  const anchor = anchorIn(lines, evidence);
  // What is to be added to a file goes to its end.
  if (anchor === undefined) return around(lines, lines.length - 1, maxBytes);
  const end = endOfBlock(lines, anchor);
  const block = lines.slice(anchor, end).join("\n");
  const isBlock = end - anchor > 1 && utf8ByteLength(block) <= maxBytes;
  return isBlock ? made(lines, anchor, end) : around(lines, anchor, maxBytes);
}

/** `text` with `answer` in the place of `piece`. */
export function withPiece(text: string, piece: Piece, answer: string): string {
  const lines = text.replaceAll("\r\n", "\n").split("\n");
  const body = piece.isWhole ? withLastLineEnd(text, answer) : answer.replace(/\n+$/, "");
  const added = body.split("\n").map((line) => line === "" ? line : piece.indent + line);
  const next = [...lines.slice(0, piece.start), ...added, ...lines.slice(piece.end)].join("\n");
  return isCrlf(text) ? toCrlf(next) : next;
}

/** A file goes on ending as it did; a new one ends with a line end. */
function withLastLineEnd(text: string, answer: string): string {
  const end = text === "" || text.endsWith("\n") ? "\n" : "";
  return answer.replace(/\n+$/, "") + end;
}

function made(lines: readonly string[], start: number, end: number): Piece {
  const part = lines.slice(start, end);
  const isWhole = start === 0 && end === lines.length;
  const indent = isWhole ? "" : commonIndent(part);
  const text = part.map((line) => line.slice(line.trim() === "" ? 0 : indent.length)).join("\n");
  return { start, end, text, indent, isWhole };
}

function commonIndent(lines: readonly string[]): string {
  const indents = lines.filter((line) => line.trim() !== "").map(indentOf);
  return indents.reduce((common, indent) => common.startsWith(indent) ? indent : common);
}

function indentOf(line: string): string {
  return /^[ \t]*/.exec(line)?.[0] ?? "";
}

/** The line to begin with: a definition that the goal names, or where a check that fails points to. */
function anchorIn(
  lines: readonly string[],
  { path, goal, outputs }: PlaceEvidence,
): number | undefined {
  const text = lines.join("\n");
  const defined = symbolsIn(goal).map((symbol) => definitionLine(text, symbol))
    .find((line) => line !== undefined);
  if (defined !== undefined) return defined;
  const name = (path.split("/").at(-1) ?? path).replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const pointing = new RegExp(String.raw`${name}["']?(?::|, line |\()(\d+)`);
  for (const output of outputs) {
    const line = Number(pointing.exec(output)?.[1] ?? 0);
    if (line > 0 && line <= lines.length) return line - 1;
  }
  return undefined;
}

/** The line behind a definition's block: the first one that is indented no more, and closes nothing. */
function endOfBlock(lines: readonly string[], start: number): number {
  const depth = indentOf(lines[start] ?? "").length;
  let end = start + 1;
  for (let line = start + 1; line < lines.length; line++) {
    const text = lines[line] ?? "";
    if (text.trim() === "") continue;
    const isInside = indentOf(text).length > depth;
    const isClosing = !isInside && /^\s*(?:[)}\]]|end\b)/.test(text);
    if (!isInside && !isClosing) break;
    end = line + 1;
    if (isClosing && /^\s*(?:[}]|end\b)[;,)]*\s*$/.test(text)) break;
  }
  return end;
}

/** As many lines around one as fit. */
function around(lines: readonly string[], line: number, maxBytes: number): Piece {
  let [start, end] = [line, line + 1];
  let size = utf8ByteLength(lines[line] ?? "") + 1;
  for (let hasGrown = true; hasGrown;) {
    hasGrown = false;
    for (const next of [start - 1, end]) {
      const text = lines[next];
      if (text === undefined || size + utf8ByteLength(text) + 1 > maxBytes) continue;
      size += utf8ByteLength(text) + 1;
      if (next < start) start = next;
      else end = next + 1;
      hasGrown = true;
    }
  }
  return made(lines, start, end);
}
