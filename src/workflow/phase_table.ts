/**
 * The phases, a row each: what the model may do in one, and what entering it begins anew. How one is run stands in
 * workflow.ts, their order in machine.ts.
 * Rule: what a phase is like is said here; elsewhere nothing asks for a phase by its name to find out.
 */
import type { PhaseName } from "./events.ts";
import type { WorkflowState } from "./state.ts";

interface PhaseRow {
  /** What the model is to do instead of changing or running something; left out where it may. */
  insteadOfChanging?: string;
  /** What is as new when the phase is entered, be it again. */
  begin(state: WorkflowState): Partial<WorkflowState>;
}

const nothing = () => ({});

export const PHASE_TABLE: Readonly<Record<PhaseName, PhaseRow>> = {
  initialize: { begin: () => ({ project: null }) },
  discuss: { insteadOfChanging: "Say what you found", begin: nothing },
  plan: {
    insteadOfChanging: "Submit the plan with submit_plan",
    begin: ({ plans }) => {
      const planFrom = (plans.at(-1)?.version ?? 0) + 1;
      return { planFrom, submitted: null, refusedPlans: 0 };
    },
  },
  // Execution that is entered again gives another chance to what failed.
  execute: { begin: ({ tasks }) => ({ tasks: tasks.map(pendingAgain) }) },
  verify: { begin: nothing },
  ship: { begin: nothing },
};

function pendingAgain(task: WorkflowState["tasks"][number]): WorkflowState["tasks"][number] {
  if (task.status !== "failed" && task.status !== "skipped") return task;
  return { ...task, status: "pending", heals: 0, cause: null, detail: null, checkpoint: null };
}
