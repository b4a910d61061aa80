/**
 * A simple command's words, as sh splits them.
 * Rule: blank is a space, a tab or a newline and nothing else; what is not understood has no words.
 */

const PIECE = /[ \t\n]+|\\[^]|'[^']*'|"(?:\\[^]|[^"\\])*"|[^ \t\n\\'"]+/y;

/**
 * Splits a line without operators into words, quotes and backslashes taken out.
 *
 * @returns undefined where a quote is not ended, or a backslash stands last
 *
 * @example
 * ```ts
 * import { shellWords } from "./shell_words.ts";
 * import assert from "node:assert/strict";
 *
 * assert.deepEqual(shellWords("npm  'run me' a\\ b"), ["npm", "run me", "a b"]);
 * assert.deepEqual(shellWords("npm\u00a0test"), ["npm\u00a0test"]);
 * assert.equal(shellWords("npm 'test"), undefined);
 * ```
 */
export function shellWords(line: string): string[] | undefined {
  const words: string[] = [];
  let word: string | undefined;
  const end = () => {
    if (word !== undefined) words.push(word);
    word = undefined;
  };
  PIECE.lastIndex = 0;
  while (PIECE.lastIndex < line.length) {
    const piece = PIECE.exec(line)?.[0];
    if (piece === undefined) return undefined;
    if (/^[ \t\n]/.test(piece)) end();
    else if (piece !== "\\\n") word = (word ?? "") + unquoted(piece);
  }
  end();
  return words;
}

function unquoted(piece: string): string {
  if (piece.startsWith("'")) return piece.slice(1, -1);
  if (piece.startsWith('"')) {
    return piece.slice(1, -1).replaceAll(
      /\\([$`"\\\n])/g,
      (_, next: string) => next === "\n" ? "" : next,
    );
  }
  return piece.startsWith("\\") ? piece.slice(1) : piece;
}
