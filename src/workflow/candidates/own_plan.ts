/**
 * The plan of a goal whose model is asked for candidates alone: made by m31a itself.
 * Rule: one task, over the file that the goal names; over several, where it names several or none, since the checks judge
 * them together.
 */
import { treeOf } from "../checks/changed_check.ts";
import { definitionOf } from "../checks/definition.ts";
import { failedBefore } from "../fold_checks.ts";
import { PLAN_LIMITS } from "../plan_validation.ts";
import type { Plan } from "../state.ts";
import type { Work } from "../work.ts";
import { type Evidence, likelyFiles } from "./likely_files.ts";
import { projectTexts } from "./project_texts.ts";

/** What a goal is looked for by. */
export function evidenceOf(work: Work): Evidence {
  const { memory } = work.parts.conversation.session.baseline;
  return {
    goal: work.state.goal?.text ?? "",
    outputs: failedBefore(work.state).map(({ output }) => output),
    digest: memory?.text ?? "",
  };
}

/**
 * Makes the plan.
 *
 * @returns why there is none, in words
 */
export async function ownPlan(work: Work): Promise<Plan | string> {
  const evidence = evidenceOf(work);
  const defining = await definingFiles(work);
  const files = likelyFiles({ ...evidence, defining }, await projectTexts(work));
  if (files.length === 0) {
    return "no file of the project bears on the goal; name the file in the goal";
  }
  const line = evidence.goal.split("\n", 1)[0] ?? "";
  return {
    summary: evidence.goal.slice(0, PLAN_LIMITS.textLength),
    tasks: [{
      id: "T1",
      title: line.slice(0, PLAN_LIMITS.titleLength),
      detail: "",
      files,
      dependsOn: [],
      acceptance: "The project's checks pass.",
    }],
    risks: [],
    verification: (work.state.project?.checks ?? []).map(({ command }) => command),
    leavesFailing: [],
  };
}

/** The files that define the project's checks. */
async function definingFiles(work: Work): Promise<Set<string>> {
  const tree = treeOf(work.git);
  const paths = new Set<string>();
  for (const { command } of work.state.project?.checks ?? []) {
    for (const { path } of await definitionOf(command, tree)) paths.add(path);
  }
  return paths;
}
