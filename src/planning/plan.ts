/**
 * plan.md: what is to be done, in tasks, with its risks and how it is verified.
 * Rule: `parsePlan(renderPlan(x))` equals x; IDs are unique.
 */
import type { Heading, RootContent } from "mdast";
import { readBlockText, sectionContext, writeBlockText } from "./block_text.ts";
import { bulletListPart, readBulletList } from "./bullet_list.ts";
import { readField, writeField } from "./fields.ts";
import {
  FIELD_CONTEXT,
  HEADING_CONTEXT,
  readCode,
  readInline,
  writeInline,
} from "./inline_text.ts";
import { readItems, writeItems } from "./item_list.ts";
import { type Layout, newLayout } from "./layout.ts";
import { isBlank, placeOf, spanFrom, spanOfChildren } from "./markdown.ts";
import { renderSections, SectionedDocument } from "./sections.ts";
import { isTaskId, TASK_ID_SHAPE } from "./task_id.ts";

/** A task of a plan. */
export interface PlanTask {
  /** See {@linkcode isTaskId}. */
  id: string;
  title: string;
  detail: string;
  files: readonly string[];
  dependsOn: readonly string[];
  acceptance: string;
}

/** plan.md as data. */
export interface PlanDocument {
  kind: "plan";
  layout: Layout;
  summary: string;
  tasks: readonly PlanTask[];
  risks: readonly string[];
  verification: readonly string[];
  /** Names of checks that failed before and are left so. */
  leavesFailing: readonly string[];
}

const TITLE_TEXT = "Plan";
const SECTIONS = ["Summary", "Tasks", "Risks", "Verification", "Leaves failing"] as const;
const FIELDS = ["Files", "Depends on", "Acceptance"] as const;
const SUMMARY_CONTEXT = sectionContext(2);
const DETAIL_CONTEXT = sectionContext(3, (source, node) => fieldOf(source, node) !== undefined);

/** A plan in which nothing is written yet. */
export function emptyPlan(): PlanDocument {
  return {
    kind: "plan",
    layout: newLayout(TITLE_TEXT),
    summary: "",
    tasks: [],
    risks: [],
    verification: [],
    leavesFailing: [],
  };
}

/**
 * Reads plan.md or one of its versions.
 *
 * @param text the file's content; `undefined` when there is none
 * @throws {PlanningError} at the line that cannot be understood
 */
export function parsePlan(text: string | undefined, path = "planning/plan.md"): PlanDocument {
  const document = new SectionedDocument(path, text ?? "", `# ${TITLE_TEXT}`, SECTIONS);
  document.keepBody();
  const summary = readBlockText(path, document.source, document.section("Summary").nodes);
  const tasks = readTasks(document);
  const risks = readBulletList(document, document.section("Risks"));
  const verification = readBulletList(document, document.section("Verification"));
  const leavesFailing = readBulletList(document, document.section("Leaves failing"));
  const layout = document.layout();
  return { kind: "plan", layout, summary, tasks, risks, verification, leavesFailing };
}

function readTasks(document: SectionedDocument): PlanTask[] {
  const tasks: PlanTask[] = [];
  const lines = new Map<string, number>();
  const { name, nodes } = document.section("Tasks");
  let start = nodes.findIndex(isTaskHeading);
  const before = start === -1 ? nodes : nodes.slice(0, start);
  document.keep(name, start === -1 ? "after" : "before", before);
  while (start !== -1 && start < nodes.length) {
    const length = nodes.slice(start + 1).findIndex(isTaskHeading);
    const end = length === -1 ? nodes.length : start + 1 + length;
    const heading = nodes[start];
    if (heading?.type !== "heading") break;
    const task = readTask(document, heading, nodes.slice(start + 1, end));
    const { line } = placeOf(heading);
    const earlier = lines.get(task.id);
    if (earlier !== undefined) {
      throw document.fault(line, `the ID "${task.id}" is already that of line ${earlier}`);
    }
    lines.set(task.id, line);
    tasks.push(task);
    start = end;
  }
  return tasks;
}

function isTaskHeading(node: RootContent): boolean {
  return node.type === "heading" && node.depth === 3;
}

function readTask(
  document: SectionedDocument,
  heading: Heading,
  nodes: readonly RootContent[],
): PlanTask {
  const { id, title } = readTaskHeading(document, heading);
  const task = { files: new Array<string>(), dependsOn: new Array<string>(), acceptance: "" };
  const detail: RootContent[] = [];
  const seen = new Set<string>();
  for (const node of nodes) {
    const field = fieldOf(document.source, node);
    if (field === undefined) {
      detail.push(node);
      continue;
    }
    if (seen.has(field.label)) {
      throw document.fault(field.line, `"${field.label}" is given twice for task ${id}; leave one`);
    }
    seen.add(field.label);
    if (field.label === "Files") task.files = readItems(field.value);
    if (field.label === "Depends on") task.dependsOn = readItems(field.value);
    if (field.label === "Acceptance") task.acceptance = readInline(field.value);
  }
  return { id, title, detail: readDetail(document, detail, nodes), ...task };
}

/** The detail is what is left when the fields are taken out, wherever they stand. */
function readDetail(
  document: SectionedDocument,
  detail: readonly RootContent[],
  nodes: readonly RootContent[],
): string {
  const runs: RootContent[][] = [];
  let isOpen = false;
  for (const node of nodes) {
    if (!detail.includes(node)) isOpen = false;
    else if (isOpen) runs.at(-1)?.push(node);
    else isOpen = runs.push([node]) > 0;
  }
  return runs.map((run) => readBlockText(document.path, document.source, run)).join("\n\n");
}

function readTaskHeading(
  document: SectionedDocument,
  heading: Heading,
): { id: string; title: string } {
  const { line } = placeOf(heading);
  const span = spanOfChildren(document.source, heading);
  let end = span?.start ?? 0;
  while (span !== undefined && end < span.end && !isBlank(span.source.charAt(end))) end++;
  const word = span === undefined ? "" : readCode({ ...span, end });
  const isNumbered = word.endsWith(".") || word.endsWith(":");
  const id = isNumbered ? word.slice(0, -1) : word;
  if (!isNumbered || !isTaskId(id) || span === undefined) {
    throw document.fault(
      line,
      `a task's heading is "### ID. Title", the ID being ${TASK_ID_SHAPE}`,
    );
  }
  return { id, title: readInline(spanFrom(span, end)) };
}

function fieldOf(source: string, node: RootContent) {
  return node.type === "paragraph" ? readField(source, node, FIELDS) : undefined;
}

/** Writes plan.md. */
export function renderPlan(plan: PlanDocument): string {
  return renderSections(plan.layout, [
    { name: "Summary", blocks: [writeBlockText(plan.summary, SUMMARY_CONTEXT)] },
    { name: "Tasks", blocks: plan.tasks.flatMap(taskBlocks) },
    bulletListPart("Risks", plan.risks),
    bulletListPart("Verification", plan.verification),
    bulletListPart("Leaves failing", plan.leavesFailing),
  ]);
}

function taskBlocks(task: PlanTask): string[] {
  const fields = [
    ["Files", writeItems(task.files, "code", FIELD_CONTEXT)],
    ["Depends on", writeItems(task.dependsOn, "plain", FIELD_CONTEXT)],
    ["Acceptance", writeInline(task.acceptance, FIELD_CONTEXT)],
  ] as const;
  return [
    task.title === ""
      ? `### ${task.id}.`
      : `### ${task.id}. ${writeInline(task.title, HEADING_CONTEXT)}`,
    writeBlockText(task.detail, DETAIL_CONTEXT),
    ...fields.flatMap(([label, inline]) => inline === "" ? [] : [writeField(label, inline)]),
  ];
}
