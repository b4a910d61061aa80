/** The answers to a plan, as they are offered where one chooses from a list. */
import type { PlanReview } from "../../workflow/gates.ts";

/** The answers to a plan; any other answer is a wish for changes. */
export const PLAN_ANSWERS = {
  approve: "carry it out",
  edited: "edit planning/plan.md first",
  stop: "stop here, and keep the plan",
} as const;

/** What an answer to a plan means. */
export function reviewOf(answer: string): PlanReview {
  if (answer === PLAN_ANSWERS.approve) return { decision: "approve" };
  if (answer === PLAN_ANSWERS.edited) return { decision: "edited" };
  if (answer === PLAN_ANSWERS.stop) return { decision: "stop" };
  return { decision: "change", wish: answer };
}
