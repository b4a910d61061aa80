/**
 * Text that somebody must judge (a command, a patch) with nothing hidden in it.
 * Rule: control characters and invisible ones are not stripped but shown, so that what is approved is what is seen.
 */

// Controls but tab and newline, format characters and whatever else has no look, blanks that are no space. A
// zero-width joiner between two pictures and a selector behind one make an emoji of them and hide nothing.
const HIDDEN =
  /[^\P{Cc}\t\n]|(?![\u200d\ufe0f])[\p{Cf}\p{Default_Ignorable_Code_Point}]|(?<!\p{Extended_Pictographic}\ufe0f?)\u200d|(?<![\p{Emoji}])\ufe0f|(?! )\p{Z}|\u2800/gu;

/**
 * Shows each control or invisible character of `text` but tab and newline: as its picture (`␛`) or number (`<U+202E>`).
 *
 * @example
 * ```ts
 * import { showHidden } from "./visible.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(showHidden("ls \x1b]0;rm -rf /\x07 \u202etxt"), "ls ␛]0;rm -rf /␇ <U+202E>txt");
 * ```
 */
export function showHidden(text: string): string {
  return text.replace(HIDDEN, (character) => {
    const code = character.codePointAt(0) ?? 0;
    if (code < 0x20) return String.fromCharCode(0x2400 + code);
    if (code === 0x7f) return "␡";
    return `<U+${code.toString(16).toUpperCase().padStart(4, "0")}>`;
  });
}
