/**
 * What is left of the tasks after their checkpoints were taken back, or brought back.
 * Rule: pure, from the checkpoints alone; a task whose work may not be in the tree is pending, never called done.
 */
import { isTakingBack } from "../session/records.ts";
import { pendingTask } from "./plan_tasks.ts";
import {
  approvedVersion,
  type CheckpointState,
  type TaskState,
  type WorkflowState,
} from "./state.ts";

/**
 * The numbers of the checkpoints whose work is in the tree after checkpoint `number`, oldest
 * first. An undo leads back to what there was at the checkpoint it went to.
 *
 * @example
 * ```ts
 * import { liveAfter } from "./undo_fold.ts";
 * import assert from "node:assert/strict";
 *
 * const task = { kind: "task", to: null } as const;
 * const history = [
 *   { number: 1, ...task },
 *   { number: 2, ...task },
 *   { number: 3, kind: "undo", to: 1 } as const,
 *   { number: 4, ...task },
 * ];
 * assert.deepEqual(liveAfter(history, 4), [1, 4]);
 * ```
 */
export function liveAfter(
  checkpoints: readonly Pick<CheckpointState, "number" | "kind" | "to">[],
  number: number,
): readonly number[] {
  const after = new Map<number, readonly number[]>([[0, []]]);
  let live: readonly number[] = [];
  for (const { number: own, kind, to } of checkpoints) {
    if (own > number) break;
    live = isTakingBack({ kind }) ? after.get(to ?? 0) ?? [] : [...live, own];
    after.set(own, live);
  }
  return live;
}

/** Whether going back to checkpoint `to` takes back, or brings back, the work of a task. */
export function movesTasks(
  checkpoints: readonly Pick<CheckpointState, "number" | "kind" | "to">[],
  to: number,
): boolean {
  const tasks = new Set(
    checkpoints.filter(({ kind }) => kind === "task").map(({ number }) => number),
  );
  const [now, then] = [Infinity, to].map((number) =>
    liveAfter(checkpoints, number).filter((live) => tasks.has(live)).join()
  );
  return now !== then;
}

/** The tasks of a state whose newest checkpoint is an undo or a rollback. */
export function tasksAfterUndo(state: WorkflowState): TaskState[] {
  const { checkpoints, tasks } = state;
  const version = approvedVersion(state)?.version;
  const live = new Set(liveAfter(checkpoints, Infinity));
  return tasks.map((task) => {
    const hasEnded = task.status === "done" || task.status === "failed";
    if (hasEnded && task.checkpoint !== null && live.has(task.checkpoint)) return task;
    const back = checkpoints.findLast(({ number, task: id, plan, end }) =>
      id === task.id && plan === version && end !== null && live.has(number)
    );
    if (back?.end) return { id: task.id, ...back.end, checkpoint: back.number };
    // A person called it done: m31a has nothing of it to take back.
    if (task.status === "done" && task.checkpoint === null) return task;
    const detail = task.checkpoint === null ? null : "taken back";
    return { ...pendingTask(task.id), detail };
  });
}

/** In words, where an undo or a rollback to checkpoint `to` leads. */
export function whereUndoLeads(to: number): string {
  return to === 0 ? "back to before the first change" : `back to checkpoint ${to}`;
}
