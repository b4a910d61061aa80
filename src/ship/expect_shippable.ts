/**
 * The repository's condition, before the first token is spent on what could not be committed.
 * Rule: the same checks as in the preflight, and a trial of what only a commit shows.
 */
import type { Git } from "../git/run.ts";
import { whyNotSigned } from "../git/signing.ts";
import { readRepositoryState } from "../git/state.ts";
import { UsageError } from "../platform/errors.ts";
import { judgeRepository } from "./preflight/repository_checks.ts";

/** @throws {UsageError} that lists what is in the way, and what to do about it */
export async function expectShippable(git: Git, nowMs: number): Promise<void> {
  const checks = judgeRepository(await readRepositoryState(git, nowMs));
  const lines = checks.filter(({ verdict }) => verdict === "block")
    .map(({ summary, places, advice }) => `${[summary, ...places].join(": ")}. ${advice}`);
  if (lines.length === 0) {
    const why = await whyNotSigned(git);
    if (why !== undefined) {
      lines.push(
        `git is to sign every commit (commit.gpgSign), and a trial signature failed: ${why}. ` +
          "Unlock the key or start its agent, or turn it off: git config commit.gpgSign false",
      );
    }
  }
  if (lines.length === 0) return;
  const list = lines.map((line) => `- ${line}`).join("\n");
  throw new UsageError(`${git.root}: nothing could be committed here now:\n${list}`);
}
