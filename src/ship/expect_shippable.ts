/**
 * The repository's condition, before the first token is spent on what could not be committed.
 * Rule: the same checks as in the preflight.
 */
import type { Git } from "../git/run.ts";
import { readRepositoryState } from "../git/state.ts";
import { UsageError } from "../platform/errors.ts";
import { judgeRepository } from "./preflight/repository_checks.ts";

/** @throws {UsageError} that lists what is in the way, and what to do about it */
export async function expectShippable(git: Git, nowMs: number): Promise<void> {
  const checks = judgeRepository(await readRepositoryState(git, nowMs));
  const blocking = checks.filter(({ verdict }) => verdict === "block");
  if (blocking.length === 0) return;
  const lines = blocking.map(({ summary, places, advice }) =>
    `- ${[summary, ...places].join(": ")}. ${advice}`
  );
  throw new UsageError(`${git.root}: nothing could be committed here now:\n${lines.join("\n")}`);
}
