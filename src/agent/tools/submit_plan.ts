/**
 * submit_plan: the model's plan, handed to the workflow.
 * Rule: the schema is here, what makes a plan one that can be carried out is the workflow's to say.
 */
import { z } from "zod";
import type { Tool, ToolOutcome } from "../tool.ts";

const task = z.object({
  id: z.string().describe(
    "Short and unique: a letter or digit, then letters, digits, '.', '_', '-'.",
  ),
  title: z.string().describe("In one line."),
  detail: z.string().optional().describe("How, in as many words as whoever does it needs."),
  files: z.array(z.string()).optional().describe("The files that will be changed or made."),
  depends_on: z.array(z.string()).optional().describe("IDs of the tasks that must be done before."),
  acceptance: z.string().optional().describe("How to tell that it is done."),
});

const input = z.object({
  summary: z.string().describe("What will be done and how, in a few sentences."),
  tasks: z.array(task).min(1).describe(
    "Small steps, each of which leaves all checks of the project passing.",
  ),
  risks: z.array(z.string()).optional().describe("What may go wrong, one line each."),
  verification: z.array(z.string()).optional().describe("How the whole is proved, one line each."),
  leaves_failing: z.array(z.string()).optional().describe(
    "Names of checks that failed before any change and that this plan does not mend.",
  ),
});

/** A plan as a model submits it. */
export type SubmittedPlanInput = z.infer<typeof input>;

/** Makes the tool; `submit` decides on the plan. */
export function submitPlan(
  submit: (plan: SubmittedPlanInput) => ToolOutcome,
): Tool<SubmittedPlanInput> {
  return {
    name: "submit_plan",
    description:
      "Submit the plan that you were asked for. If something is wrong with it you are told what, and submit it again.",
    input,
    effect: "control",
    run: (plan) => Promise.resolve(submit(plan)),
  };
}
