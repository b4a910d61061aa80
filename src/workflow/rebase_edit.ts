/**
 * An edit of a document that the log has meanwhile left behind, brought up to date.
 * Rule: pure; what the person changed is theirs, everything else is as the log has it now.
 */
import { diffDocuments } from "../planning/differences.ts";
import { type PlanDocument, renderPlan } from "../planning/plan.ts";
import { type ProjectDocument, renderProject } from "../planning/project.ts";
import { renderState, type StateDocument } from "../planning/state.ts";
import { renderTasks, type TaskRow, type TasksDocument } from "../planning/tasks.ts";
import { type DocumentName, parseDocument } from "./documents.ts";

/**
 * The text of an edit as it would be, had it been made to `current`.
 *
 * @param base what the person had before them
 * @throws {PlanningError} when `edited` means nothing
 */
export function rebaseEdit(
  document: DocumentName,
  base: string | undefined,
  edited: string,
  current: string | undefined,
): string {
  if (base === current) return edited;
  const [old, mine, now] = [base, edited, current].map((text) => parseDocument(document, text));
  if (old?.kind === "tasks" && mine?.kind === "tasks" && now?.kind === "tasks") {
    return renderTasks(rebaseTasks(old, mine, now));
  }
  if (old?.kind === "project" && mine?.kind === "project" && now?.kind === "project") {
    return renderProject(rebaseProject(old, mine, now));
  }
  if (old?.kind === "plan" && mine?.kind === "plan" && now?.kind === "plan") {
    return renderPlan(rebasePlan(old, mine, now));
  }
  if (mine?.kind === "state" && now?.kind === "state") {
    return renderState(rebaseState(mine, now));
  }
  return edited;
}

/** Of the texts that a document has had, oldest first, the one that an edit was most likely made to. */
export function nearestBase(
  document: DocumentName,
  texts: readonly string[],
  edited: string,
): string | undefined {
  const mine = parseDocument(document, edited);
  let nearest: { text: string; differences: number } | undefined;
  for (const text of texts) {
    const differences = diffDocuments(parseDocument(document, text), mine).length;
    if (nearest === undefined || differences <= nearest.differences) {
      nearest = { text, differences };
    }
  }
  return nearest?.text;
}

function rebaseTasks(old: TasksDocument, mine: TasksDocument, now: TasksDocument): TasksDocument {
  const find = (tasks: readonly TaskRow[], id: string) => tasks.find((task) => task.id === id);
  return {
    ...mine,
    tasks: mine.tasks.map((row) => {
      const [before, present] = [find(old.tasks, row.id), find(now.tasks, row.id)];
      if (before === undefined || present === undefined) return row;
      return {
        ...row,
        status: choose(before.status, row.status, present.status),
        title: choose(before.title, row.title, present.title),
        dependsOn: choose(before.dependsOn, row.dependsOn, present.dependsOn),
        files: choose(before.files, row.files, present.files),
        acceptance: choose(before.acceptance, row.acceptance, present.acceptance),
        heals: choose(before.heals, row.heals, present.heals),
        checkpoint: choose(before.checkpoint, row.checkpoint, present.checkpoint),
      };
    }),
  };
}

function rebaseProject(
  old: ProjectDocument,
  mine: ProjectDocument,
  now: ProjectDocument,
): ProjectDocument {
  const isNew = ({ question }: { question: string }) =>
    !old.questions.some((known) => known.question === question) &&
    !mine.questions.some((known) => known.question === question);
  return {
    ...mine,
    goal: choose(old.goal, mine.goal, now.goal),
    projectType: choose(old.projectType, mine.projectType, now.projectType),
    framework: choose(old.framework, mine.framework, now.framework),
    packageManager: choose(old.packageManager, mine.packageManager, now.packageManager),
    checks: choose(old.checks, mine.checks, now.checks),
    questions: isSame(old.questions, mine.questions)
      ? now.questions
      : [...mine.questions, ...now.questions.filter(isNew)],
  };
}

function rebasePlan(old: PlanDocument, mine: PlanDocument, now: PlanDocument): PlanDocument {
  return {
    ...mine,
    summary: choose(old.summary, mine.summary, now.summary),
    tasks: choose(old.tasks, mine.tasks, now.tasks),
    risks: choose(old.risks, mine.risks, now.risks),
    verification: choose(old.verification, mine.verification, now.verification),
    leavesFailing: choose(old.leavesFailing, mine.leavesFailing, now.leavesFailing),
  };
}

/** What STATE.md says is the log's; only a person's own text in it is theirs. */
function rebaseState(mine: StateDocument, now: StateDocument): StateDocument {
  return { ...now, layout: mine.layout, otherFields: mine.otherFields };
}

function choose<Value>(old: Value, mine: Value, now: Value): Value {
  return isSame(old, mine) ? now : mine;
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
