/**
 * TASKS.md: one table of the tasks and how far they are.
 * Rule: `parseTasks(renderTasks(x))` equals x; IDs are unique and a status is one of five words.
 */
import { CELL_CONTEXT, readCode, readInline } from "./inline_text.ts";
import { readItems, writeItems } from "./item_list.ts";
import { type Layout, newLayout, TITLE } from "./layout.ts";
import { renderSections, SectionedDocument } from "./sections.ts";
import { type Columns, type ReadRow, readTable, tablePart, writeCell } from "./table.ts";
import { isTaskId, TASK_ID_SHAPE } from "./task_id.ts";

/** What a task can be. */
export const TASK_STATUSES = ["pending", "running", "done", "failed", "skipped"] as const;
export type TaskStatus = (typeof TASK_STATUSES)[number];

/** A row of TASKS.md. */
export interface TaskRow {
  /** See {@linkcode isTaskId}. */
  id: string;
  status: TaskStatus;
  title: string;
  dependsOn: readonly string[];
  files: readonly string[];
  acceptance: string;
  /** How often the task was healed. */
  heals: number;
  /** The checkpoint behind the task; empty when there is none. */
  checkpoint: string;
  /** Cells of columns that m31a does not know, as Markdown, from left to right. */
  others: readonly string[];
}

/** TASKS.md as data. */
export interface TasksDocument {
  kind: "tasks";
  layout: Layout;
  columns: Columns;
  tasks: readonly TaskRow[];
}

/** The columns of TASKS.md, in the order in which m31a writes them. */
export const TASK_COLUMNS = [
  "ID",
  "Status",
  "Task",
  "Depends on",
  "Files",
  "Acceptance",
  "Heals",
  "Checkpoint",
] as const;
const TITLE_TEXT = "Tasks";

/** A TASKS.md without tasks. */
export function emptyTasks(): TasksDocument {
  return { kind: "tasks", layout: newLayout(TITLE_TEXT), columns: TASK_COLUMNS, tasks: [] };
}

/**
 * Reads TASKS.md.
 *
 * @param text the file's content; `undefined` when there is none
 * @throws {PlanningError} at the line that cannot be understood
 */
export function parseTasks(text: string | undefined, path = "planning/TASKS.md"): TasksDocument {
  const document = new SectionedDocument(path, text ?? "", `# ${TITLE_TEXT}`, []);
  const table = readTable(document, document.section(TITLE), TASK_COLUMNS, [
    "ID",
    "Status",
    "Task",
  ]);
  const lines = new Map<string, number>();
  const tasks = table.rows.map((row) => {
    const task = readTask(document, row);
    const earlier = lines.get(task.id);
    if (earlier !== undefined) {
      throw document.fault(row.line, `the ID "${task.id}" is already that of line ${earlier}`);
    }
    lines.set(task.id, row.line);
    return task;
  });
  return { kind: "tasks", layout: document.layout(), columns: table.columns, tasks };
}

function readTask(document: SectionedDocument, row: ReadRow): TaskRow {
  const id = readCode(row.cell("ID"));
  if (!isTaskId(id)) {
    throw document.fault(row.line, `ID ${JSON.stringify(id)} is not ${TASK_ID_SHAPE}`);
  }
  const word = readCode(row.cell("Status")).replace(/^[\s*_]+|[\s*_]+$/g, "");
  const status = TASK_STATUSES.find((known) => known === word.toLowerCase());
  if (status === undefined) {
    throw document.fault(
      row.line,
      `status ${JSON.stringify(word)} is not one of ${TASK_STATUSES.join(", ")}`,
    );
  }
  return {
    id,
    status,
    title: readInline(row.cell("Task")),
    dependsOn: readItems(row.cell("Depends on")),
    files: readItems(row.cell("Files")),
    acceptance: readInline(row.cell("Acceptance")),
    heals: readHeals(document, row),
    checkpoint: readItems(row.cell("Checkpoint")).join(", "),
    others: row.others,
  };
}

function readHeals(document: SectionedDocument, row: ReadRow): number {
  const [text = "0"] = readItems(row.cell("Heals"));
  const heals = Number(text);
  if (text.trim() === "" || !Number.isSafeInteger(heals) || heals < 0) {
    throw document.fault(row.line, `heals ${JSON.stringify(text)} is not a number from 0 up`);
  }
  return heals;
}

/** Writes TASKS.md. */
export function renderTasks(document: TasksDocument): string {
  const rows = document.tasks.map((task) => ({
    cells: {
      ID: task.id,
      Status: task.status,
      Task: writeCell(task.title),
      "Depends on": writeItems(task.dependsOn, "plain", CELL_CONTEXT),
      Files: writeItems(task.files, "code", CELL_CONTEXT),
      Acceptance: writeCell(task.acceptance),
      Heals: String(task.heals),
      Checkpoint: task.checkpoint === "" ? "" : writeItems([task.checkpoint], "code", CELL_CONTEXT),
    },
    others: task.others,
  }));
  return renderSections(document.layout, [
    tablePart(document.layout, TITLE, document.columns, TASK_COLUMNS, rows),
  ]);
}
