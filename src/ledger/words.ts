/**
 * The words of goals and paths, brought to a form in which they can meet.
 * Rule: English and identifiers; what is not understood is kept as it is.
 */

/** Words that say nothing about what a goal is about. */
const STOP_WORDS = new Set(
  "a an and are as at be by for from if in into is it its no not of on or that the this to use using when with"
    .split(" "),
);

/**
 * The words of a text or path in their order, lower-case and stemmed: `parseNumstat` gives its
 * parts and itself, `src/git/numstat_test.ts` gives src, git, numstat, test, ts.
 *
 * @example
 * ```ts
 * import { wordsOf } from "./words.ts";
 * import assert from "node:assert/strict";
 *
 * assert.deepEqual(wordsOf("Fix parsing of renamed files"), ["fix", "pars", "renam", "fil"]);
 * ```
 */
export function wordsOf(text: string, known: KnownWords = new Map()): string[] {
  const words: string[] = [];
  for (const token of text.match(/[\p{L}\p{N}_]+/gu) ?? []) {
    let own = known.get(token);
    if (own === undefined) known.set(token, own = wordsOfToken(token));
    for (const word of own) words.push(word);
  }
  return words;
}

/** The words of tokens that were met before: sessions of a project say the same things again and again. */
export type KnownWords = Map<string, readonly string[]>;

function wordsOfToken(token: string): string[] {
  const words: string[] = [];
  const parts = identifierParts(token);
  for (const part of parts) {
    const word = part.toLowerCase();
    if (word.length < 2 || STOP_WORDS.has(word) || /^\d+$/.test(word)) continue;
    words.push(stem(word));
  }
  if (parts.length > 1) words.push(stem(token.toLowerCase().replaceAll("_", "")));
  return words;
}

/** The parts of a camelCase, PascalCase or snake_case identifier. */
function identifierParts(token: string): string[] {
  return token
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, "$1 $2")
    .replace(/(\p{Lu}+)(\p{Lu}\p{Ll})/gu, "$1 $2")
    .split(/[ _]+/)
    .filter((part) => part !== "");
}

/** A light English stemmer: plurals, -ing, -ed, and the final -e that they hide. */
function stem(word: string): string {
  if (word.length > 4 && word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  const base = withoutSuffix(word);
  const single = /([^aeiouls])\1$/.test(base) && base !== word ? base.slice(0, -1) : base;
  return single.length > 3 && single.endsWith("e") ? single.slice(0, -1) : single;
}

function withoutSuffix(word: string): string {
  if (word.length > 5 && word.endsWith("ing")) return word.slice(0, -3);
  if (word.length > 4 && word.endsWith("ed")) return word.slice(0, -2);
  if (word.length > 4 && /(s|x|z|ch|sh)es$/.test(word)) return word.slice(0, -2);
  if (word.length > 3 && word.endsWith("s") && !word.endsWith("ss")) return word.slice(0, -1);
  return word;
}
