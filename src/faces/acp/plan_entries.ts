/**
 * A plan's tasks as the protocol's plan.
 * Rule: pure; the protocol knows three states, the others are said in words.
 */
import type { PlanEntry, PlanEntryStatus, SessionUpdate } from "@agentclientprotocol/sdk";
import { stripControlSequences } from "../../platform/text.ts";
import type { Plan, TaskState } from "../../workflow/state.ts";

/** A task's state as the protocol has it, and what it does not say of it. */
const STATES: Readonly<Record<TaskState["status"], readonly [PlanEntryStatus, words: string]>> = {
  pending: ["pending", ""],
  running: ["in_progress", ""],
  done: ["completed", ""],
  failed: ["pending", " (failed)"],
  skipped: ["completed", " (skipped)"],
};

/** The whole plan, as it is now. */
export function planUpdate(
  { tasks }: Pick<Plan, "tasks">,
  states: ReadonlyMap<string, TaskState["status"]>,
): SessionUpdate {
  return {
    sessionUpdate: "plan",
    entries: tasks.map(({ id, title }): PlanEntry => {
      const status = states.get(id) ?? "pending";
      const [known, words] = STATES[status];
      return {
        content: stripControlSequences(`${id}: ${title}${words}`),
        priority: "medium",
        status: known,
        _meta: { m31a: { task: id, status } },
      };
    }),
  };
}
