/**
 * Backslash escapes and character references, read and written.
 * Rule: `decodeReferences(escapeFully(text))` equals `text` for every text.
 */
import { decodeNamedCharacterReference } from "decode-named-character-reference";

const ESCAPE_OR_REFERENCE =
  /\\([!-/:-@[-`{-~])|&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([0-9A-Za-z]{1,31}));/g;

/**
 * Replaces `\` before ASCII punctuation, and character references, by what they stand for. A numeric
 * reference stands for its code point, also for those (`&#0;`, `&#13;`) where CommonMark shows U+FFFD;
 * a reference to nothing (`&#xD800;`, `&nonsense;`) is left as it is.
 */
export function decodeReferences(source: string): string {
  return source.replace(
    ESCAPE_OR_REFERENCE,
    (whole: string, escaped?: string, decimal?: string, hex?: string, name?: string) => {
      if (escaped !== undefined) return escaped;
      if (decimal !== undefined) return fromCodePoint(Number.parseInt(decimal, 10)) ?? whole;
      if (hex !== undefined) return fromCodePoint(Number.parseInt(hex, 16)) ?? whole;
      const named = decodeNamedCharacterReference(name ?? "");
      return named === false ? whole : named;
    },
  );
}

function fromCodePoint(codePoint: number): string | undefined {
  if (codePoint > 0x10ffff || (codePoint >= 0xd800 && codePoint <= 0xdfff)) return undefined;
  return String.fromCodePoint(codePoint);
}

// Control characters but tab, line and paragraph separators, the byte order mark, and the marks that
// reorder text: an editor hides them, drops them or takes them for the end of a line.
// deno-lint-ignore no-control-regex -- control characters are what this is about
const INVISIBLE = /[\0-\x08\x0a-\x1f\x7f-\x9f\u2028\u2029\ufeff\u202a-\u202e\u2066-\u2069]/g;

/** Whether `text` holds a character that is written as a reference because a person could not see it. */
export function hasInvisible(text: string): boolean {
  return text.search(INVISIBLE) !== -1;
}

/** `&#N;` for the first code point of `character`. */
export function reference(character: string): string {
  return `&#${character.codePointAt(0)};`;
}

/** Escapes only what would vanish or change on the page: `\`, references, tags. Edges and line starts as in {@linkcode escapeFully}. */
export function escapeLightly(text: string): string {
  return escapeEdges(text.replace(/\\|&(?=#?\w+;)|<(?=[A-Za-z/!?])/g, "\\$&"));
}

/** Escapes everything that Markdown gives a meaning to in one line of text. */
export function escapeFully(text: string): string {
  return escapeEdges(text.replace(/[\\`*_[\]<>&~|#]/g, "\\$&"));
}

function escapeEdges(escaped: string): string {
  return escaped
    .replace(INVISIBLE, reference)
    .replace(/^[ \t]+|[ \t]+$/g, (blanks) => [...blanks].map(reference).join(""))
    .replace(/^[!-%'-/:-@[^-`{-~]/, (first) => `\\${first}`)
    .replace(/^(\d{1,9})([.)])/, "$1\\$2");
}
