/**
 * From the workflow's state to the texts of the planning documents.
 * Rule: pure, and times come from the log, so the same log gives the same bytes; a person's own text stays in its place.
 */
import type { PlanningDocument } from "../planning/differences.ts";
import { emptyPlan, parsePlan, renderPlan } from "../planning/plan.ts";
import { emptyProject, parseProject, renderProject } from "../planning/project.ts";
import { emptyState, parseState, renderState } from "../planning/state.ts";
import { emptyTasks, parseTasks, renderTasks } from "../planning/tasks.ts";
import { approvedPlan, latestPlan, type Plan, type WorkflowState } from "./state.ts";

/** The documents that are written again and again, and that people may edit. */
export const DOCUMENTS = ["PROJECT.md", "plan.md", "TASKS.md", "STATE.md"] as const;
export type DocumentName = (typeof DOCUMENTS)[number];

/** Whether `name` is one of {@linkcode DOCUMENTS}. */
export function isDocumentName(name: string): name is DocumentName {
  return DOCUMENTS.some((known) => known === name);
}

/** The text of a document; `undefined` while there is nothing to write in it. */
export function documentText(
  name: DocumentName,
  state: WorkflowState,
  session: string,
): string | undefined {
  if (state.goal === null) return undefined;
  switch (name) {
    case "PROJECT.md":
      return projectText(state);
    case "plan.md":
      return planText(latestPlan(state)?.plan, state.looks["plan.md"]);
    case "TASKS.md":
      return tasksText(state);
    case "STATE.md":
      return stateText(state, session);
  }
}

/** A version of the plan. It is written once. */
export function planVersionText(plan: Plan): string {
  return renderPlan({ ...emptyPlan(), ...plan });
}

function projectText({ goal, project, questions, looks }: WorkflowState): string {
  const look = looks["PROJECT.md"];
  const base = look === undefined ? emptyProject() : parseProject(look);
  return renderProject({
    ...base,
    goal: goal?.text ?? "",
    projectType: project?.projectType ?? "",
    framework: project?.framework ?? "",
    packageManager: project?.packageManager ?? "",
    checks: (project?.checks ?? []).map((check) => ({
      ...check,
      others: base.checks.find(({ command }) => command === check.command)?.others ?? [],
    })),
    questions: questions.map(({ text, answer }) => ({
      question: text,
      answer: answer?.text ?? "",
      answeredBy: answer?.by ?? "",
      others: base.questions.find(({ question }) => question === text)?.others ?? [],
    })),
  });
}

function planText(plan: Plan | undefined, look: string | undefined): string | undefined {
  if (plan === undefined) return undefined;
  const base = look === undefined ? emptyPlan() : parsePlan(look);
  return renderPlan({ ...base, ...plan });
}

function tasksText(state: WorkflowState): string | undefined {
  const plan = approvedPlan(state);
  if (plan === undefined) return undefined;
  const look = state.looks["TASKS.md"];
  const base = look === undefined ? emptyTasks() : parseTasks(look);
  const byId = new Map(state.tasks.map((task) => [task.id, task]));
  return renderTasks({
    ...base,
    tasks: plan.tasks.map(({ id, title, dependsOn, files, acceptance }) => {
      const task = byId.get(id);
      return {
        id,
        status: task?.status ?? "pending",
        title,
        dependsOn,
        files,
        acceptance,
        heals: task?.heals ?? 0,
        checkpoint: String(task?.checkpoint ?? ""),
        others: base.tasks.find((row) => row.id === id)?.others ?? [],
      };
    }),
  });
}

function stateText(state: WorkflowState, session: string): string {
  const look = state.looks["STATE.md"];
  const base = look === undefined ? emptyState() : parseState(look);
  return renderState({
    ...base,
    session,
    phase: state.phase === null ? "" : `${state.phase.phase} (${state.phase.status})`,
    progress: progressOf(state),
    lastAction: state.lastAction,
    time: state.at,
  });
}

/** How far the tasks are, in words; empty before there is a plan. */
export function progressOf({ tasks }: WorkflowState): string {
  if (tasks.length === 0) return "";
  const count = (status: string) => tasks.filter((task) => task.status === status).length;
  const others = ["failed", "skipped"].flatMap((status) =>
    count(status) === 0 ? [] : [`, ${count(status)} ${status}`]
  );
  return `${count("done")} of ${tasks.length} tasks done${others.join("")}`;
}

/** Reads a document by its name. */
export function parseDocument(
  document: DocumentName,
  text: string | undefined,
): PlanningDocument {
  switch (document) {
    case "PROJECT.md":
      return parseProject(text);
    case "plan.md":
      return parsePlan(text);
    case "TASKS.md":
      return parseTasks(text);
    case "STATE.md":
      return parseState(text);
  }
}
