/**
 * The tools with which a model moves the workflow.
 * Rule: they are always in the list of tools, which never changes; outside of a workflow they say that there is none.
 */
import { failed } from "./outcome.ts";
import { register, type RegisteredTool } from "./registry.ts";
import type { ToolOutcome } from "./tool.ts";
import { type FinishedTask, finishTask } from "./tools/finish_task.ts";
import { submitPlan, type SubmittedPlanInput } from "./tools/submit_plan.ts";

/** Who is told what a model submits and finishes. */
export interface WorkflowControl {
  submitPlan(plan: SubmittedPlanInput): ToolOutcome;
  finishTask(task: FinishedTask): ToolOutcome;
}

const NO_WORKFLOW: WorkflowControl = {
  submitPlan: () => failed("No plan was asked for. Answer in words."),
  finishTask: () => failed("No task is running. Answer in words."),
};

/** The control tools, in their order. */
export function controlTools(control: WorkflowControl = NO_WORKFLOW): RegisteredTool[] {
  return [
    register(submitPlan((plan) => control.submitPlan(plan))),
    register(finishTask((task) => control.finishTask(task))),
  ];
}
