/**
 * What became of a mutation: noticed by a test, or not.
 * Rule: only a test that failed has noticed; a source that does not load and tests that hang have not.
 */
import { join } from "@std/path";
import { mutate, type Mutation } from "./mutation.ts";
import type { ProjectCopy, TestRun } from "./project_copy.ts";

/** `stale`: the list is not of this source any more. `hung`: the tests would have waited for ever. */
export interface Verdict {
  mutation: Mutation;
  kind: "killed" | "survived" | "hung" | "stale" | "broken";
  /** Why, where the kind does not say all. */
  detail: string;
}

/** How long the tests of one mutation may take, in milliseconds: several times what they need. */
const LIMIT_MS = 180_000;

/** Puts the mutation into the copy, runs its tests, takes it out again. */
export async function judge(copy: ProjectCopy, mutation: Mutation): Promise<Verdict> {
  const path = join(copy.root, mutation.file);
  let source: string;
  try {
    source = Deno.readTextFileSync(path);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    return { mutation, kind: "stale", detail: "its source is not there" };
  }
  const mutated = mutate(source, mutation);
  if ("why" in mutated) return { mutation, kind: "stale", detail: mutated.why };
  Deno.writeTextFileSync(path, mutated.text);
  try {
    return { mutation, ...verdictOf(await copy.test(mutation.tests, LIMIT_MS)) };
  } finally {
    Deno.writeTextFileSync(path, source);
  }
}

/**
 * What a run of the tests says of a mutation.
 *
 * @example
 * ```ts
 * import { verdictOf } from "./judge.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(verdictOf({ code: 0, output: "ok | 3 passed | 0 failed (9ms)" }).kind, "survived");
 * assert.equal(verdictOf({ code: 1, output: "FAILED | 2 passed | 1 failed (9ms)" }).kind, "killed");
 * assert.equal(verdictOf({ code: undefined, output: "" }).kind, "hung");
 * ```
 */
export function verdictOf({ code, output }: TestRun): Pick<Verdict, "kind" | "detail"> {
  if (code === undefined) return { kind: "hung", detail: "its tests do not end" };
  if (code === 0) return { kind: "survived", detail: "" };
  if (/^FAILED \| \d+ passed .*\b[1-9]\d* failed/m.test(output) && !LOADS_NOT.test(output)) {
    return { kind: "killed", detail: "" };
  }
  return { kind: "broken", detail: output.trimEnd().split("\n").slice(-12).join("\n") };
}

/** The source has become one that cannot be loaded: every test notices that, and none proves anything by it. */
const LOADS_NOT =
  /The module's source code could not be parsed|does not provide an export|\(uncaught error\)/;
