/**
 * The line of a failed command's output that says most about why.
 * Rule: quoted as it is, shortened at most; a line that names what is wrong goes before one that only counts.
 */
import { stripControlSequences } from "../platform/text.ts";

/** Lines that say what is wrong. */
const MESSAGE = new RegExp(
  [
    String.raw`[A-Z]\w*(?:Error|Exception)\b.*:\s*\S`,
    // In TAP `error: |-` only begins a text: the line that names the test says more.
    String.raw`\berror(?:\[[^\]]*\]|\b)(?!:\s*[|>][-+]?\s*$).*\S`,
    String.raw`\bassertion .* failed`,
    String.raw`^E {3,}\S`,
  ].join("|"),
);

/** Lines that name what has failed. */
const NAME = /\bnot ok \d+|--- FAIL: |^FAIL(?:ED)?:? +\S*[a-z]|\bpanicked at|^\s*[✖✕✗] /;

/** How many characters of the line are kept. */
const MOST_CHARACTERS = 160;

/**
 * Finds it.
 *
 * @param sign what the cause was told by, for when no line has a message
 * @returns the line without space around it; empty when there is none
 *
 * @example
 * ```ts
 * import { tellingLine } from "./telling_line.ts";
 * import assert from "node:assert/strict";
 *
 * const output = "running 1 test\nerror: Error: 2 and 3 are 6\nFAILED | 0 passed | 1 failed";
 * assert.equal(tellingLine(output, /\d+ failed/), "error: Error: 2 and 3 are 6");
 * ```
 */
export function tellingLine(output: string, sign: RegExp | undefined): string {
  const lines = stripControlSequences(output).split("\n").filter((line) => line.trim() !== "");
  const patterns = [MESSAGE, NAME, ...(sign === undefined ? [] : [sign])];
  const line = patterns.map((pattern) => lines.find((line) => pattern.test(line)))
    .find((found) => found !== undefined) ?? lines[0] ?? "";
  const characters = [...line.trim()];
  if (characters.length <= MOST_CHARACTERS) return characters.join("");
  return `${characters.slice(0, MOST_CHARACTERS).join("")}…`;
}
