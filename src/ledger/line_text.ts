/**
 * Text from outside as part of one line, and back.
 * Rule: what is written holds no line break and no control character, so it cannot forge a heading.
 */

// Line breaks of every kind that some reader knows, control characters, the escape itself, and a
// space at the end, which editors take away.
// deno-lint-ignore no-control-regex -- control characters are what this is about
const UNSAFE = /[\\\x00-\x1f\x7f-\x9f\u2028\u2029]| $/g;
const SHORT: Readonly<Record<string, string>> = {
  "\\": "\\\\",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
};
const LONG: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t" };

/** Writes `text` (half surrogate pairs become U+FFFD) so that it fits in a line and {@linkcode fromLine} gives it back. */
export function toLine(text: string): string {
  return text.toWellFormed().replace(UNSAFE, (char) => SHORT[char] ?? unicodeEscape(char));
}

function unicodeEscape(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** Reads what {@linkcode toLine} or {@linkcode toList} wrote. */
export function fromLine(line: string): string {
  if (!line.includes("\\")) return line;
  return line.replace(
    /\\(?:u([0-9a-f]{4})|([^u]))/g,
    (_, code: string | undefined, char: string) =>
      code === undefined ? LONG[char] ?? char : String.fromCharCode(parseInt(code, 16)),
  );
}

/** Writes items as one line, separated by `, `; a comma within an item is escaped. */
export function toList(items: readonly string[]): string {
  return items.map((item) => toLine(item).replaceAll(",", "\\,")).join(", ");
}

/** Reads what {@linkcode toList} wrote. An empty line is no item. */
export function fromList(line: string): string[] {
  if (line === "") return [];
  if (!line.includes("\\")) return line.split(", ");
  // An item is a run of escaped characters and of others but commas.
  const items = line.match(/(?:\\.|[^\\,])+/g) ?? [];
  return items.map((item, index) => fromLine(index === 0 ? item : item.replace(/^ /, "")));
}
