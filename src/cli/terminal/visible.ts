/**
 * Text that somebody must judge (a command, a patch) with nothing hidden in it.
 * Rule: control characters and invisible ones are not stripped but shown, so that what is approved is what is seen.
 */

// Controls but tab and newline, format characters, line separators, blank letters. A zero-width joiner
// between two pictures makes one emoji of them and hides nothing.
const HIDDEN =
  /[^\P{Cc}\t\n]|(?!\u200d)\p{Cf}|(?<!\p{Extended_Pictographic}\ufe0f?)\u200d|[\u2028\u2029\u115f\u1160\u3164\uffa0]/gu;

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
