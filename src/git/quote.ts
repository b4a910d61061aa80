/**
 * Names as git writes them in patches: plain, or in double quotes with C's escapes.
 * Rule: quoting is only for names that git would misread.
 */

const ESCAPES: Readonly<Record<string, string>> = {
  "\x07": "\\a",
  "\b": "\\b",
  "\t": "\\t",
  "\n": "\\n",
  "\v": "\\v",
  "\f": "\\f",
  "\r": "\\r",
  '"': '\\"',
  "\\": "\\\\",
};

// deno-lint-ignore no-control-regex -- control characters are what must be escaped
const UNPLAIN = /[\x00-\x20"\\\x7f]/;
// deno-lint-ignore no-control-regex -- as above
const ESCAPED = /[\x00-\x1f"\\\x7f]/g;

/**
 * Quotes `name` as git-apply(1) reads it. A name with a space is quoted as well, because an unquoted
 * one is ambiguous in a `diff --git` line.
 *
 * @example
 * ```ts
 * import { quoteName } from "./quote.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(quoteName("src/é.ts"), "src/é.ts");
 * assert.equal(quoteName("a\tb"), '"a\\tb"');
 * ```
 */
export function quoteName(name: string): string {
  if (!UNPLAIN.test(name)) return name;
  const escaped = name.replace(
    ESCAPED,
    (character) =>
      ESCAPES[character] ?? `\\${character.charCodeAt(0).toString(8).padStart(3, "0")}`,
  );
  return `"${escaped}"`;
}

const UNESCAPES: Readonly<Record<string, number>> = {
  a: 7,
  b: 8,
  t: 9,
  n: 10,
  v: 11,
  f: 12,
  r: 13,
  '"': 0x22,
  "\\": 0x5c,
};

/** The bytes of a name in double quotes, as git prints it. What follows the closing quote is left out. */
export function unquoteName(quoted: Uint8Array): Uint8Array {
  const bytes: number[] = [];
  for (let index = 1; index < quoted.byteLength; index++) {
    const byte = quoted[index] ?? 0;
    if (byte === 0x22) break;
    if (byte !== 0x5c) {
      bytes.push(byte);
      continue;
    }
    const letter = String.fromCharCode(quoted[++index] ?? 0);
    const plain = UNESCAPES[letter];
    if (plain !== undefined) {
      bytes.push(plain);
      continue;
    }
    bytes.push(parseInt(String.fromCharCode(...quoted.subarray(index, index + 3)), 8));
    index += 2;
  }
  return Uint8Array.from(bytes);
}
