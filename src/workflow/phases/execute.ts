/**
 * Execute: the plan's tasks in the order of their dependencies.
 * Rule: a task whose dependency did not get done is skipped, and told why; the others go on.
 */
import { counted } from "../../platform/text.ts";
import { executionOrder } from "../plan_validation.ts";
import { approvedPlan, type Plan, type WorkflowState } from "../state.ts";
import { settleBaseline } from "../settle_baseline.ts";
import type { Work } from "../work.ts";
import { workOnTask } from "./task.ts";

/** What comes next. */
export type NextTask =
  | { kind: "run" | "continue"; task: string }
  | { kind: "skip"; task: string; reason: string }
  | { kind: "none" };

/** The task that comes next, from the state alone. */
function nextTask(plan: Plan, { tasks }: Pick<WorkflowState, "tasks">): NextTask {
  const status = new Map(tasks.map((task) => [task.id, task.status]));
  for (const { id, dependsOn } of executionOrder(plan.tasks)) {
    const own = status.get(id);
    if (own === "running") return { kind: "continue", task: id };
    if (own !== "pending") continue;
    const missing = dependsOn.find((other) => status.get(other) !== "done");
    if (missing === undefined) return { kind: "run", task: id };
    const reason = `task ${missing}, which it depends on, ${
      status.get(missing) === "skipped" ? "was skipped" : "failed"
    }`;
    return { kind: "skip", task: id, reason };
  }
  return { kind: "none" };
}

/** Runs the phase. */
export async function execute(work: Work): Promise<void> {
  const obstacle = await settleBaseline(work);
  if (obstacle !== undefined) return await work.phase("execute", "failed", obstacle);
  for (;;) {
    await work.takeOverEdits();
    const plan = approvedPlan(work.state);
    if (plan === undefined) {
      return await work.phase("execute", "failed", "there is no approved plan");
    }
    const next = nextTask(plan, work.state);
    if (next.kind === "none") break;
    if (next.kind === "skip") {
      const { task, reason } = next;
      work.append({ type: "task", task, status: "skipped", heals: 0, detail: reason });
      continue;
    }
    if (next.kind === "run") {
      work.append({ type: "task", task: next.task, status: "running", heals: 0 });
      await work.project();
    }
    const end = await workOnTask(work, plan, next.task);
    if (end !== undefined) return await work.phase("execute", "failed", end);
  }
  const { tasks } = work.state;
  const count = (status: string) => tasks.filter((task) => task.status === status).length;
  const [done, failed, skipped] = [count("done"), count("failed"), count("skipped")];
  if (done === tasks.length) return await work.phase("execute", "done", counted(done, "task"));
  await work.phase(
    "execute",
    "failed",
    `${failed} of ${tasks.length} tasks failed, ${skipped} skipped`,
  );
}
