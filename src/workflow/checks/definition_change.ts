/**
 * What changed in what defines a check.
 * Rule: pure; each change is said in words and shown as a difference.
 */
import { structuredPatch } from "diff";
import { counted } from "../../platform/text.ts";
import type { DefinitionPart } from "./definition.ts";

/** A change in what defines a check. */
export interface DefinitionChange {
  what: string;
  path: string;
  change: "changed" | "added" | "removed";
  /** ``package.json: the script `test` was changed``. */
  words: string;
  /** The lines that differ, `-` and `+` in front; of a long difference the first, and how many more there are. */
  difference: readonly string[];
}

/** So many lines of a difference are shown. */
const MAX_SHOWN_LINES = 30;

/**
 * Compares what defines a check with what did.
 *
 * @example
 * ```ts
 * import { compareDefinitions } from "./definition_change.ts";
 * import assert from "node:assert/strict";
 *
 * const part = (text: string) => ({ what: "the script `test`", path: "package.json", text, sha256: text });
 * const [change] = compareDefinitions([part("node test.js")], [part("true")]);
 * assert.equal(change?.words, "package.json: the script `test` was changed");
 * assert.deepEqual(change?.difference, ["-node test.js", "+true"]);
 * ```
 */
export function compareDefinitions(
  before: readonly DefinitionPart[],
  after: readonly DefinitionPart[],
): DefinitionChange[] {
  const key = ({ path, what }: DefinitionPart) => `${path}\0${what}`;
  const old = new Map(before.map((part) => [key(part), part]));
  const now = new Map(after.map((part) => [key(part), part]));
  return [...new Set([...old.keys(), ...now.keys()])].sort().flatMap((name) => {
    const [was, is] = [old.get(name), now.get(name)];
    const part = is ?? was;
    if (part === undefined || was?.sha256 === is?.sha256) return [];
    if (part.mayBeNew === true && (was === undefined || is === undefined)) return [];
    const change = was === undefined ? "added" : is === undefined ? "removed" : "changed";
    const { what, path } = part;
    const words = `${path}: ${what} was ${change}`;
    return [{ what, path, change, words, difference: differenceOf(was?.text, is?.text) }];
  });
}

function differenceOf(before = "", after = ""): string[] {
  const { hunks } = structuredPatch("", "", ended(before), ended(after), "", "", { context: 0 });
  const lines = hunks.flatMap((hunk) => hunk.lines).filter((line) => /^[-+]/.test(line));
  if (lines.length <= MAX_SHOWN_LINES) return lines;
  const more = lines.length - MAX_SHOWN_LINES;
  return [...lines.slice(0, MAX_SHOWN_LINES), `… and ${counted(more, "line")} more`];
}

function ended(text: string): string {
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}
