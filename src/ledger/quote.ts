/**
 * Text from outside, quoted within a line of what a model is given.
 * Rule: what is quoted ends where the quotation mark says; nothing in it can begin a line or end the quotation.
 */
import { toLine } from "./line_text.ts";

/** Characters that are not seen, or turn the order of others around. */
const UNSEEN = /\p{Cf}|\p{Co}|\p{Cs}/gu;

/** `text` in quotation marks, at most `characters` of it. */
export function quoted(text: string, characters: number): string {
  const all = [...text.slice(0, characters * 2).replace(UNSEEN, "")];
  const isCut = text.length > characters * 2 || all.length > characters;
  const line = toLine(all.slice(0, characters).join("")).replaceAll('"', '\\"');
  return `"${line}${isCut ? "…" : ""}"`;
}
