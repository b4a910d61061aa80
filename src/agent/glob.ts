/**
 * Globs for folders that git knows nothing of.
 * Rule: no regular expression is made of the pattern; a hostile one costs at most length × length.
 */

/**
 * Whether `path` matches `pattern`: `?` is one character and `*` any number, not `/`; `**` between
 * slashes is any number of folders.
 *
 * @example
 * ```ts
 * import { matchesGlob } from "./glob.ts";
 * import assert from "node:assert/strict";
 *
 * assert(matchesGlob("src/a/b.ts", ["src", "**", "*.ts"].join("/")));
 * assert(!matchesGlob("src/a/b.ts", "src/*.ts"));
 * ```
 */
export function matchesGlob(path: string, pattern: string): boolean {
  return matchesSequence(
    path.split("/"),
    pattern.split("/"),
    "**",
    (name, part) =>
      matchesSequence(
        [...name],
        [...part],
        "*",
        (character, expected) => expected === "?" || character === expected,
      ),
  );
}

/** Matches items one by one, where `star` in the pattern stands for any number of them. */
function matchesSequence<Item>(
  items: readonly Item[],
  pattern: readonly Item[],
  star: Item,
  matches: (item: Item, expected: Item) => boolean,
): boolean {
  let item = 0;
  let expectedAt = 0;
  let starAt = -1;
  let retryFrom = 0;
  while (item < items.length) {
    const expected = pattern[expectedAt];
    const current = items[item];
    if (expected === star) {
      starAt = expectedAt++;
      retryFrom = item;
    } else if (current !== undefined && expected !== undefined && matches(current, expected)) {
      item++;
      expectedAt++;
    } else if (starAt >= 0) {
      expectedAt = starAt + 1;
      item = ++retryFrom;
    } else {
      return false;
    }
  }
  while (pattern[expectedAt] === star) expectedAt++;
  return expectedAt === pattern.length;
}
