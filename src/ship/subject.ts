/**
 * The subject of a ship's commit, by the template `[ship] subject`.
 * Rule: the default is one that the common rules for subjects accept: a type, a lower-case beginning, no full stop,
 * short enough.
 */
import type { SubjectField } from "../agent/subject_template.ts";
import { oneLine } from "./one_line.ts";

/** What stands for the fields of a template: `type` is `[ship] prefix`. */
type SubjectParts = Readonly<Record<SubjectField, string>>;

/**
 * The subject, in full length.
 *
 * @param template one that {@linkcode subjectProblem} finds nothing wrong with
 * @example
 * ```ts
 * import { subjectOf } from "./subject.ts";
 * import assert from "node:assert/strict";
 *
 * const parts = { type: "feat", goal: "Greet by name.", session: "20261129-231205-a1b2" };
 * assert.equal(subjectOf("{type}: {goal}", parts), "feat: greet by name");
 * assert.equal(subjectOf("[{session}] {goal}", parts), "[20261129-231205-a1b2] greet by name");
 * ```
 */
export function subjectOf(template: string, parts: SubjectParts): string {
  const values: Readonly<Record<string, string>> = { ...parts, goal: asPhrase(parts.goal) };
  return oneLine(template.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole));
}

/** A goal as a subject has it: no full stop, and the first word in lower case, or as code where it is a name. */
function asPhrase(goal: string): string {
  const line = oneLine(goal).replace(/[\s.]+$/, "") || "changes without a goal";
  const [word = ""] = /^[\p{L}\p{M}\p{N}_.-]+/u.exec(line) ?? [];
  const lower = lowerFirst(word);
  const isName = lower !== word && /\p{Lu}/u.test(lower) || /^\p{Lu}/u.test(lower);
  const first = isName ? `\`${word}\`` : lower;
  return first + line.slice(word.length);
}

function lowerFirst(word: string): string {
  const [letter = ""] = word;
  return letter.toLowerCase() + word.slice(letter.length);
}
