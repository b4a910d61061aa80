/**
 * Where a workflow waits for its user.
 * Rule: a workflow that goes on alone has no gates, and nothing in it waits for an answer that cannot come.
 */
import type { UserQuestion } from "../agent/tool.ts";
import type { Plan } from "./state.ts";

/** What the user says of a plan. `edited`: plan.md has been edited; look at it. */
export type PlanReview =
  | { decision: "approve" }
  | { decision: "change"; wish: string }
  | { decision: "edited" }
  | { decision: "stop" };

/** The user of a workflow. */
export interface Gates {
  /** Resolves to the user's answer. */
  ask(question: UserQuestion): Promise<string>;
  reviewPlan(plan: Plan, version: number): Promise<PlanReview>;
}
