/**
 * The workflow as a ship wants it: its outline, and why its checks failed.
 * Rule: pure; the state is the only source.
 */
import type { Diagnose } from "../ship/account.ts";
import type { Outline } from "../ship/outline.ts";
import { causeOf, failureDetail } from "./causes.ts";
import { approvedPlan, changedNothing, type WorkflowState } from "./state.ts";

/** The outline of a workflow; of a session without one, an outline without a goal. */
export function outlineOf(state: WorkflowState): Outline {
  const plan = approvedPlan(state);
  return {
    goal: state.goal?.text ?? "",
    projectType: state.project?.projectType ?? "",
    framework: state.project?.framework ?? "",
    decisions: state.questions.flatMap(({ text, answer }) =>
      answer === null ? [] : [{ question: text, answer: answer.text }]
    ),
    plan: plan === undefined
      ? undefined
      : { summary: plan.summary, risks: plan.risks, verification: plan.verification },
    tasks: state.tasks.map((task) => {
      const { id, status, heals, detail } = task;
      const planned = plan?.tasks.find((known) => known.id === id);
      return {
        id,
        title: planned?.title ?? "",
        status,
        heals,
        detail: detail ?? "",
        files: planned?.files ?? [],
        changedNothing: changedNothing(state, task),
      };
    }),
    caveats: state.caveats.map(({ text }) => text),
  };
}

/** Why a check failed, by its evidence. */
export const diagnose: Diagnose = (evidence) => ({
  cause: causeOf(evidence),
  detail: failureDetail(evidence),
});
