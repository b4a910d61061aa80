/**
 * A mutation: a small defect that is put into a source, to see whether a test notices.
 * Rule: its original text stands in the source exactly once; where it does not, that is an error by name.
 */

/** One defect, and the tests that are to notice it. */
export interface Mutation {
  /** The source, relative to the project's root. */
  file: string;
  /** What the defect is, in words. */
  what: string;
  /** The text that is replaced. */
  from: string;
  to: string;
  /** The test files that are run, relative to the project's root; the quickest that should notice it. */
  tests: readonly string[];
}

/** A defect as a list has it: what it is, the text that is replaced, what it is replaced by. */
export type Defect = readonly [what: string, from: string, to: string];

/** The mutations of one source, which the same tests are to notice. */
export function mutationsOf(
  file: string,
  tests: string | readonly string[],
  defects: readonly Defect[],
): Mutation[] {
  const all = typeof tests === "string" ? [tests] : tests;
  return defects.map(([what, from, to]) => ({ file, what, from, to, tests: all }));
}

/**
 * The source with the defect in it, or why it cannot be put in.
 *
 * @example
 * ```ts
 * import { mutate } from "./mutation.ts";
 * import assert from "node:assert/strict";
 *
 * assert.deepEqual(mutate("a && b", { from: "&&", to: "||" }), { text: "a || b" });
 * assert.deepEqual(mutate("a", { from: "&&", to: "||" }), { why: "its original text is not there" });
 * ```
 */
export function mutate(
  source: string,
  { from, to }: Pick<Mutation, "from" | "to">,
): { text: string } | { why: string } {
  const at = source.indexOf(from);
  if (at === -1) return { why: "its original text is not there" };
  if (source.indexOf(from, at + 1) !== -1) {
    return { why: "its original text stands there more than once" };
  }
  return { text: source.slice(0, at) + to + source.slice(at + from.length) };
}
