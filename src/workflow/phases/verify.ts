/**
 * Verify: all checks on the whole tree.
 * Rule: passing is passing; what has no checks, or one that ran no test, is not verified, and that is said.
 */
import { environmentFailure } from "../checks/environment.ts";
import { fewerTests, weigh } from "../checks/worth.ts";
import { beginTurn, finishTurn } from "../attempt_turn.ts";
import { healMessage } from "../briefs.ts";
import { type ChangedFile, changedFiles } from "../files_before.ts";
import { failureOfChecks, isOfMachine, isSameCheck } from "../fold_checks.ts";
import { makeCheckpoint } from "../make_checkpoint.ts";
import { askOldTests } from "../old_tests.ts";
import { runChecks } from "../run_checks.ts";
import { settleDefinitions } from "../settle_definitions.ts";
import { type Attempt, isSameSubject, type WorkflowState } from "../state.ts";
import type { Work } from "../work.ts";
import { MAX_HEALS } from "./task.ts";

const NO_CHECKS = "not verified: the project has no checks that could prove anything. " +
  "Name them in planning/config.toml, [ship.checks], or in PROJECT.md, and verify again";

/** Runs the phase. */
export async function verify(work: Work): Promise<void> {
  const count = work.state.project?.checks.length ?? 0;
  if (count === 0) return await work.phase("verify", "failed", NO_CHECKS);
  const refusal = await settleDefinitions(work, await changedFiles(work));
  if (refusal !== undefined) return await work.phase("verify", "failed", refusal);
  for (;;) {
    const { status } = work.attempt.turn;
    if (status === "open" || status === "interrupted") {
      await finishTurn(work, { text: healMessage(work.attempt), source: "heal" });
    }
    await runChecks(work);
    const failure = failureOfChecks(work.attempt);
    if (failure === null || isOfMachine(failure) || work.attempt.number >= MAX_HEALS) break;
    // All proposals were tried already.
    if (work.isByCandidates) break;
    await beginTurn(work, { text: healMessage(failedAttempt(work.attempt)), source: "heal" });
  }
  if (work.state.touched.length > 0) work.append(...await makeCheckpoint(work, "verify"));
  const obstacle = obstacleOf(work.state);
  if (obstacle !== undefined) return await work.phase("verify", "failed", obstacle);
  const { isProof, words } = weigh(standingChecks(work.state), work.state.baseline);
  if (!isProof) return await work.phase("verify", "failed", words);
  // A heal may have changed what was looked at before.
  const changed = await changedFiles(work);
  const unsettled = await settleDefinitions(work, changed);
  if (unsettled !== undefined) return await work.phase("verify", "failed", unsettled);
  await work.phase("verify", "done", [words, ...await askTests(work, changed)].join("; "));
}

/** Asks the tests as they were, and records what is to be known. */
async function askTests(work: Work, changed: readonly ChangedFile[]): Promise<string[]> {
  const { caveats, praise } = await askOldTests(work, changed);
  const allowed = work.state.caveats.filter(({ kind }) => kind === "definition");
  const fewer = fewerTests(standingChecks(work.state), work.state.baseline);
  const items = [...caveats, ...fewer, ...allowed];
  if (JSON.stringify(items) !== JSON.stringify(work.state.caveats)) {
    work.append({ type: "caveats", items });
  }
  return [...items.map(({ text }) => text), ...praise === "" ? [] : [praise]];
}

/** Why the checks do not prove anything; undefined when all have passed. */
function obstacleOf({ attempt }: WorkflowState): string | undefined {
  const failure = failureOfChecks(attempt);
  if (failure !== null) return `${failure.cause}: ${failure.detail}`;
  const left = attempt?.checks.find(({ passed }) => !passed);
  if (left === undefined) return undefined;
  const what = `not verified: check ${left.name} failed before and still does (${left.command})`;
  const help = environmentFailure(left)?.help;
  return help === undefined ? what : `${what}. ${help}`;
}

/** How the project's checks ended last, on the tree as it stands. */
function standingChecks({ project, lastChecks }: WorkflowState): WorkflowState["lastChecks"] {
  return lastChecks.filter((check) => project?.checks.some((known) => isSameCheck(known, check)));
}

/** The attempt with its own failure as the one to heal. */
function failedAttempt(attempt: Attempt): Attempt {
  const failure = failureOfChecks(attempt) ?? attempt.failure;
  return isSameSubject(attempt.about, { phase: "verify", task: null })
    ? { ...attempt, failure }
    : attempt;
}
