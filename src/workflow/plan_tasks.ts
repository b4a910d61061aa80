/**
 * From an approved plan to the tasks that are carried out.
 * Rule: what is done stays done as long as the plan still has it.
 */
import type { Plan, TaskState, WorkflowState } from "./state.ts";

/**
 * The state with the tasks of `plan`. A task that was there before keeps how far it is: always when a
 * person edited the plan (`same id`), and when the plan is a new one only if its content is the same.
 */
export function approve(
  state: WorkflowState,
  plan: Plan,
  keep: "same id" | "same content",
): WorkflowState {
  const earlier = state.plans.toReversed();
  const tasks = plan.tasks.map((task): TaskState => {
    const known = state.tasks.find(({ id }) => id === task.id);
    if (known === undefined) return pendingTask(task.id);
    if (keep === "same id") return known;
    const content = JSON.stringify(task);
    const planned = earlier.find((version) => version.approved && version.plan !== plan)
      ?.plan.tasks.find(({ id }) => id === task.id);
    return planned !== undefined && JSON.stringify(planned) === content
      ? known
      : pendingTask(task.id);
  });
  return { ...state, tasks };
}

/** A task that nobody has begun. */
export function pendingTask(id: string): TaskState {
  return { id, status: "pending", heals: 0, cause: null, detail: null, checkpoint: null };
}
