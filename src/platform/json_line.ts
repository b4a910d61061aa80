/**
 * JSON for a pipe that may be a terminal after all.
 * Rule: it is the same value to a program, and holds no byte that a terminal would obey.
 */

const UNESCAPED = /[\x7f-\x9f\u2028\u2029]/g;

/** `value` as JSON in one line. `JSON.stringify` leaves DEL and U+0080 … U+009F, some of which terminals obey. */
export function jsonLine(value: unknown): string {
  return JSON.stringify(value).replace(
    UNESCAPED,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
