/**
 * What is different between two readings of a planning document, in words for the person who edited it.
 * Rule: equal documents have no differences; the look of a document (its own sections) is summed up in one line.
 */
import type { PlanDocument, PlanTask } from "./plan.ts";
import type { ProjectDocument } from "./project.ts";
import type { StateDocument } from "./state.ts";
import type { TaskRow, TasksDocument } from "./tasks.ts";

/** Any planning document; two of the same `kind` can be compared. */
export type PlanningDocument = ProjectDocument | TasksDocument | StateDocument | PlanDocument;

/** How much of a text is shown in a difference, in characters. */
const SHOWN_CHARACTERS = 60;

/**
 * The differences from `before` to `after`, one line each, such as `task 2: status pending → done`.
 *
 * @throws {TypeError} when the documents are not of the same kind
 */
export function diffDocuments(before: PlanningDocument, after: PlanningDocument): string[] {
  const differences = diffContent(before, after);
  if (JSON.stringify(before.layout) !== JSON.stringify(after.layout)) {
    differences.push("text of your own changed");
  }
  return differences;
}

function diffContent(before: PlanningDocument, after: PlanningDocument): string[] {
  if (before.kind === "project" && after.kind === "project") return diffProject(before, after);
  if (before.kind === "tasks" && after.kind === "tasks") return diffTasks(before, after);
  if (before.kind === "state" && after.kind === "state") return diffState(before, after);
  if (before.kind === "plan" && after.kind === "plan") return diffPlan(before, after);
  throw new TypeError(`a ${before.kind} document cannot be compared with a ${after.kind} document`);
}

function diffProject(before: ProjectDocument, after: ProjectDocument): string[] {
  return [
    ...change("goal", before.goal, after.goal),
    ...change("type", before.projectType, after.projectType),
    ...change("framework", before.framework, after.framework),
    ...change("package manager", before.packageManager, after.packageManager),
    ...changeOfList("other fields", before.otherFields, after.otherFields),
    ...changeOfColumns(before.checkColumns, after.checkColumns),
    ...diffByPosition("check", before.checks, after.checks, (old, now) => [
      ...change("name", old.name, now.name),
      ...change("command", old.command, now.command),
      ...change("source", old.source, now.source),
      ...changeOfList("other columns", old.others, now.others),
    ]),
    ...changeOfColumns(before.questionColumns, after.questionColumns),
    ...diffByPosition("question", before.questions, after.questions, (old, now) => [
      ...change("text", old.question, now.question),
      ...change("answer", old.answer, now.answer),
      ...change("answered by", old.answeredBy, now.answeredBy),
      ...changeOfList("other columns", old.others, now.others),
    ]),
  ];
}

function diffTasks(before: TasksDocument, after: TasksDocument): string[] {
  return [
    ...changeOfColumns(before.columns, after.columns),
    ...diffById(before.tasks, after.tasks, (old: TaskRow, now: TaskRow) => [
      ...change("status", old.status, now.status),
      ...change("title", old.title, now.title),
      ...changeOfList("depends on", old.dependsOn, now.dependsOn),
      ...changeOfList("files", old.files, now.files),
      ...change("acceptance", old.acceptance, now.acceptance),
      ...change("heals", String(old.heals), String(now.heals)),
      ...change("checkpoint", old.checkpoint, now.checkpoint),
      ...changeOfList("other columns", old.others, now.others),
    ]),
  ];
}

function diffState(before: StateDocument, after: StateDocument): string[] {
  return [
    ...change("session", before.session, after.session),
    ...change("phase", before.phase, after.phase),
    ...change("progress", before.progress, after.progress),
    ...change("last action", before.lastAction, after.lastAction),
    ...change("time", before.time, after.time),
    ...changeOfList("other fields", before.otherFields, after.otherFields),
  ];
}

function diffPlan(before: PlanDocument, after: PlanDocument): string[] {
  return [
    ...change("summary", before.summary, after.summary),
    ...diffById(before.tasks, after.tasks, (old: PlanTask, now: PlanTask) => [
      ...change("title", old.title, now.title),
      ...change("detail", old.detail, now.detail),
      ...changeOfList("files", old.files, now.files),
      ...changeOfList("depends on", old.dependsOn, now.dependsOn),
      ...change("acceptance", old.acceptance, now.acceptance),
    ]),
    ...changeOfList("risks", before.risks, after.risks),
    ...changeOfList("verification", before.verification, after.verification),
    ...changeOfList("leaves failing", before.leavesFailing, after.leavesFailing),
  ];
}

function diffById<Item extends { id: string; title: string }>(
  before: readonly Item[],
  after: readonly Item[],
  diff: (before: Item, after: Item) => string[],
): string[] {
  const old = new Map(before.map((item) => [item.id, item]));
  const now = new Map(after.map((item) => [item.id, item]));
  const differences: string[] = [];
  for (const [id, item] of old) {
    if (!now.has(id)) differences.push(`task ${id} removed: ${shown(item.title)}`);
  }
  for (const [id, item] of now) {
    const earlier = old.get(id);
    if (earlier === undefined) differences.push(`task ${id} added: ${shown(item.title)}`);
    else differences.push(...diff(earlier, item).map((line) => `task ${id}: ${line}`));
  }
  const oldOrder = [...old.keys()].filter((id) => now.has(id));
  const newOrder = [...now.keys()].filter((id) => old.has(id));
  differences.push(...changeOfList("order of tasks", oldOrder, newOrder));
  return differences;
}

function diffByPosition<Item>(
  word: string,
  before: readonly Item[],
  after: readonly Item[],
  diff: (before: Item, after: Item) => string[],
): string[] {
  const differences: string[] = [];
  for (let at = 0; at < Math.max(before.length, after.length); at++) {
    const old = before[at];
    const now = after[at];
    if (old === undefined) differences.push(`${word} ${at + 1} added`);
    else if (now === undefined) differences.push(`${word} ${at + 1} removed`);
    else differences.push(...diff(old, now).map((line) => `${word} ${at + 1}: ${line}`));
  }
  return differences;
}

function change(what: string, before: string, after: string): string[] {
  return before === after ? [] : [`${what} ${shown(before)} → ${shown(after)}`];
}

function changeOfList(what: string, before: readonly string[], after: readonly string[]): string[] {
  const isEqual = before.length === after.length && before.every((item, at) => item === after[at]);
  return isEqual ? [] : [`${what} ${shown(before.join(", "))} → ${shown(after.join(", "))}`];
}

function changeOfColumns(before: readonly string[], after: readonly string[]): string[] {
  return changeOfList("columns", before, after);
}

/** The beginning of a text on one line. */
function shown(text: string): string {
  if (text === "") return "(empty)";
  const characters = [...text.replaceAll(/\s+/g, " ")];
  if (characters.length <= SHOWN_CHARACTERS) return characters.join("");
  return `${characters.slice(0, SHOWN_CHARACTERS).join("")}…`;
}
