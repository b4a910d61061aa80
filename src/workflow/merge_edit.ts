/**
 * What a person's edit of a planning document changes in the workflow's state.
 * Rule: pure; an edit with {@linkcode editProblems} is never recorded, so that merging cannot fail.
 */
import { parsePlan } from "../planning/plan.ts";
import { parseProject, type ProjectCheck } from "../planning/project.ts";
import { parseState } from "../planning/state.ts";
import { parseTasks, type TaskRow } from "../planning/tasks.ts";
import { type DocumentName, isDocumentName } from "./documents.ts";
import { approve } from "./plan_tasks.ts";
import { validatePlan } from "./plan_validation.ts";
import { approvedPlan, latestPlan, type Plan, type WorkflowState } from "./state.ts";

/** The state after `document` was edited so that it holds `text`. */
export function mergeEdit(state: WorkflowState, document: string, text: string): WorkflowState {
  if (!isDocumentName(document)) return state;
  const looked = { ...state, looks: { ...state.looks, [document]: text } };
  switch (document) {
    case "PROJECT.md":
      return state.looks[document] === undefined && state.project === null
        ? looked
        : mergeProject(looked, text);
    case "plan.md":
      return newVersion(looked, planOfText(text));
    case "TASKS.md":
      return mergeTasks(looked, parseTasks(text).tasks);
    case "STATE.md":
      return looked;
  }
}

/**
 * Why an edit cannot be taken over, as sentences; none when it can.
 *
 * @throws {PlanningError} with file and line, when the text means nothing
 */
export function editProblems(
  state: WorkflowState,
  document: DocumentName,
  text: string,
): string[] {
  switch (document) {
    case "PROJECT.md":
      return checkProblems(parseProject(text).checks);
    case "plan.md":
      return validatePlan(planOfText(text));
    case "TASKS.md":
      return tasksProblems(state, parseTasks(text).tasks);
    case "STATE.md":
      parseState(text);
      return [];
  }
}

/** A check without a command would always pass, and prove nothing. */
function checkProblems(checks: readonly ProjectCheck[]): string[] {
  return checks.filter(({ command }) => command.trim() === "")
    .map(({ name }) =>
      `the check ${JSON.stringify(name)} has no command; give one, or remove its row`
    );
}

function mergeProject(state: WorkflowState, text: string): WorkflowState {
  const { goal, projectType, framework, packageManager, checks, questions } = parseProject(text);
  return {
    ...state,
    goal: state.goal === null ? null : { ...state.goal, text: goal },
    project: {
      projectType,
      framework,
      packageManager,
      checks: checks.map(({ name, command, source }) => ({ name, command, source })),
    },
    questions: questions.map(({ question, answer }, index) => {
      const known = state.questions.find(({ text }) => text === question);
      const isSame = answer === (known?.answer?.text ?? "");
      return {
        question: known?.question ?? index + 1,
        text: question,
        options: known?.options ?? [],
        answer: isSame ? known?.answer ?? null : { text: answer, by: "user" },
      };
    }),
  };
}

function planOfText(text: string): Plan {
  const { summary, tasks, risks, verification, leavesFailing } = parsePlan(text);
  return {
    summary,
    tasks: tasks.map((task) => ({
      ...task,
      files: [...task.files],
      dependsOn: [...task.dependsOn],
    })),
    risks: [...risks],
    verification: [...verification],
    leavesFailing: [...leavesFailing],
  };
}

/** An edited plan is the next version; it is approved if the one that it replaces was. */
function newVersion(state: WorkflowState, plan: Plan): WorkflowState {
  const latest = latestPlan(state);
  if (JSON.stringify(latest?.plan) === JSON.stringify(plan)) return state;
  const approved = latest?.approved ?? false;
  const version = (latest?.version ?? 0) + 1;
  const next = { ...state, plans: [...state.plans, { version, approved, plan }] };
  return approved ? approve(next, plan, "same id") : next;
}

function mergeTasks(state: WorkflowState, rows: readonly TaskRow[]): WorkflowState {
  const plan = approvedPlan(state);
  if (plan === undefined) return state;
  const replanned = newVersion(state, planOfRows(plan, rows));
  const byId = new Map(rows.map((row) => [row.id, row]));
  return {
    ...replanned,
    tasks: replanned.tasks.map((task) => {
      const row = byId.get(task.id);
      if (row === undefined) return task;
      const checkpoint = /^\d+$/.test(row.checkpoint) ? Number(row.checkpoint) : null;
      const isSame = row.status === task.status;
      return {
        ...task,
        status: row.status,
        heals: row.heals,
        checkpoint,
        cause: isSame ? task.cause : null,
        detail: isSame ? task.detail : null,
      };
    }),
  };
}

function planOfRows(plan: Plan, rows: readonly TaskRow[]): Plan {
  return {
    ...plan,
    tasks: rows.map(({ id, title, dependsOn, files, acceptance }) => ({
      id,
      title,
      detail: plan.tasks.find((task) => task.id === id)?.detail ?? "",
      files: [...files],
      dependsOn: [...dependsOn],
      acceptance,
    })),
  };
}

function tasksProblems(state: WorkflowState, rows: readonly TaskRow[]): string[] {
  const plan = approvedPlan(state);
  if (plan !== undefined) return validatePlan(planOfRows(plan, rows));
  return rows.length === 0
    ? []
    : ["there is no plan yet, and TASKS.md is written from it; remove the file"];
}
