/**
 * What a small model is told of a file, and what it proposes.
 * Rule: the file and the goal and nothing else; the answer is a block of code, which such a model writes far better than
 * the same in JSON.
 */
import type { Piece } from "./piece.ts";

/** The question. */
export function question(goal: string, path: string, { text, isWhole }: Piece): string {
  const fence = fenceAround(text);
  const language = /\.(\w+)$/.exec(path)?.[1] ?? "";
  const body = text === "" || text.endsWith("\n") ? text : `${text}\n`;
  const part = isWhole ? "" : " (a part of it)";
  return `Edit this file.\n\n${path}${part}:\n${fence}${language}\n${body}${fence}\n\n${goal}\n\n` +
    "Answer with the edited code.";
}

/** A fence that does not stand in the text. */
function fenceAround(text: string): string {
  const longest = Math.max(2, ...(text.match(/`{3,}/g) ?? []).map(({ length }) => length));
  return "`".repeat(longest + 1);
}

/** The first block of code of an answer; undefined where there is none, or it was cut off. */
export function contentOf(answer: string): string | undefined {
  return /^[ \t]*(`{3,})[^`\n]*\n([\s\S]*?)\n?^[ \t]*\1`*[ \t]*$/m.exec(
    answer.replaceAll("\r\n", "\n"),
  )
    ?.[2];
}
