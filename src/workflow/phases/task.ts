/**
 * One task: its brief, its turn, the checks, at most two heals, a checkpoint.
 * Rule: the checks decide whether it is done; every step is recorded before the next one.
 */
import { finishTurn } from "../attempt_turn.ts";
import { healMessage, taskBrief } from "../briefs.ts";
import { tryCandidates } from "../candidates/try_candidates.ts";
import { failureOfChecks, isOfMachine } from "../fold_checks.ts";
import { makeCheckpoint } from "../make_checkpoint.ts";
import { runChecks } from "../run_checks.ts";
import { type Failure, isSameSubject, type Plan } from "../state.ts";
import type { Work } from "../work.ts";

/** How often a task, or the whole, is healed. */
export const MAX_HEALS = 2;

/**
 * Brings a running task to its end: done or failed.
 *
 * @returns why nothing more can be done here, where the machine is the cause of a failure
 */
export async function workOnTask(
  work: Work,
  plan: Plan,
  id: string,
): Promise<string | undefined> {
  resumeAttempt(work, id);
  const title = plan.tasks.find((task) => task.id === id)?.title ?? "";
  for (;;) {
    const failure = await attempt(work, plan, id);
    const { number } = work.attempt;
    const isMachines = failure !== undefined && isOfMachine(failure);
    const isHealed = number < MAX_HEALS && !isMachines && !work.isByCandidates;
    if (failure !== undefined && isHealed) {
      const { cause, detail } = failure;
      const status = "running";
      work.append({ type: "task", task: id, status, heals: number + 1, cause, detail });
      await work.project();
      continue;
    }
    const checkpoint = await makeCheckpoint(work, `task ${id}: ${title}`);
    const end = failure === undefined
      ? { status: "done" as const }
      : { status: "failed" as const, cause: failure.cause, detail: failure.detail };
    // The documents follow with the next task's beginning, or with the phase's end.
    work.append(...checkpoint, { type: "task", task: id, heals: number, ...end });
    return isMachines ? failure.detail : undefined;
  }
}

/** A task can be called running, by a person's edit or from an execution before this one, without being attempted. */
function resumeAttempt(work: Work, id: string): void {
  if (isSameSubject(work.attempt.about, { phase: "execute", task: id })) return;
  const heals = work.state.tasks.find((task) => task.id === id)?.heals ?? 0;
  work.append({ type: "task", task: id, status: "running", heals: Math.min(heals, MAX_HEALS) });
}

/** All proposals are one attempt: there is no conversation in which it could be healed. */
async function attemptByCandidates(
  work: Work,
  plan: Plan,
  id: string,
): Promise<Failure | undefined> {
  const task = plan.tasks.find((known) => known.id === id);
  if (task === undefined) return undefined;
  const failure = await tryCandidates(work, task);
  if (failure !== undefined) return failure;
  await runChecks(work);
  return failureOfChecks(work.attempt) ?? undefined;
}

/** One attempt; resolves to why it failed. */
async function attempt(work: Work, plan: Plan, id: string): Promise<Failure | undefined> {
  if (work.isByCandidates) return await attemptByCandidates(work, plan, id);
  const isHeal = work.attempt.failure !== null;
  const turn = await finishTurn(work, {
    text: isHeal ? healMessage(work.attempt) : taskBrief(work.state, plan, id),
    source: isHeal ? "heal" : "brief",
  });
  if (turn.status === "failed") return { cause: turn.cause, detail: turn.detail, checks: [] };
  if (turn.gaveUp !== null) {
    return { cause: "unknown", detail: `given up: ${turn.gaveUp}`, checks: [] };
  }
  await runChecks(work);
  return failureOfChecks(work.attempt) ?? undefined;
}
