/**
 * Verify: all checks on the whole tree.
 * Rule: passing is passing; what has no checks, or one that ran no test, is not verified, and that is said.
 */
import { weigh } from "../checks/worth.ts";
import { beginTurn, finishTurn } from "../attempt_turn.ts";
import { healMessage } from "../briefs.ts";
import { failureOfChecks } from "../fold_attempt.ts";
import { makeCheckpoint } from "../make_checkpoint.ts";
import { runChecks } from "../run_checks.ts";
import { type Attempt, isSameSubject } from "../state.ts";
import type { Work } from "../work.ts";
import { MAX_HEALS } from "./task.ts";

const NO_CHECKS = "not verified: the project has no checks that could prove anything. " +
  "Name them in planning/config.toml, [ship.checks], or in PROJECT.md, and verify again";

/** Runs the phase. */
export async function verify(work: Work): Promise<void> {
  const count = work.state.project?.checks.length ?? 0;
  if (count === 0) return await work.phase("verify", "failed", NO_CHECKS);
  for (;;) {
    const { status } = work.attempt.turn;
    if (status === "open" || status === "interrupted") {
      await finishTurn(work, { text: healMessage(work.attempt), source: "heal" });
    }
    const hasPassed = await runChecks(work);
    if (hasPassed || work.attempt.number >= MAX_HEALS) {
      if (work.state.touched.length > 0) work.append(...await makeCheckpoint(work, "verify"));
      const failure = failureOfChecks(work.attempt);
      if (failure !== null) {
        return await work.phase("verify", "failed", `${failure.cause}: ${failure.detail}`);
      }
      const { isProof, words } = weigh(work.attempt.checks);
      return await work.phase("verify", isProof ? "done" : "failed", words);
    }
    await beginTurn(work, { text: healMessage(failedAttempt(work.attempt)), source: "heal" });
  }
}

/** The attempt with its own failure as the one to heal. */
function failedAttempt(attempt: Attempt): Attempt {
  const failure = failureOfChecks(attempt) ?? attempt.failure;
  return isSameSubject(attempt.about, { phase: "verify", task: null })
    ? { ...attempt, failure }
    : attempt;
}
