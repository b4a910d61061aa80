/**
 * PROJECT.md: the goal, what kind of project it is, its checks, the questions that were asked.
 * Rule: `parseProject(renderProject(x))` equals x.
 */
import { readBlockText, sectionContext, writeBlockText } from "./block_text.ts";
import { fieldListPart, readFieldList } from "./fields.ts";
import { CELL_CONTEXT, readCode, readInline, writeCode } from "./inline_text.ts";
import { type Layout, newLayout } from "./layout.ts";
import { renderSections, SectionedDocument } from "./sections.ts";
import { type Columns, readTable, tablePart, writeCell, type WrittenRow } from "./table.ts";

/** A command that proves something about the project. */
export interface ProjectCheck {
  /** What it proves: `build`, `typecheck`, `test`, `lint`, or another word. */
  name: string;
  /** Shell text. */
  command: string;
  /** Where it was found, such as `package.json:12`. */
  source: string;
  others: readonly string[];
}

/** A question that was asked before planning, and its answer. */
export interface ProjectQuestion {
  question: string;
  answer: string;
  /** Who answered, such as `user` or `recommended`. */
  answeredBy: string;
  others: readonly string[];
}

/** PROJECT.md as data. Texts that are not given are empty. */
export interface ProjectDocument {
  kind: "project";
  layout: Layout;
  goal: string;
  projectType: string;
  framework: string;
  packageManager: string;
  /** Items of the list under "Project" that m31a does not know, as Markdown. */
  otherFields: readonly string[];
  checkColumns: Columns;
  checks: readonly ProjectCheck[];
  questionColumns: Columns;
  questions: readonly ProjectQuestion[];
}

const FIELDS = ["Type", "Framework", "Package manager"] as const;
const CHECK_COLUMNS = ["Check", "Command", "Source"] as const;
const QUESTION_COLUMNS = ["Question", "Answer", "Answered by"] as const;
const TITLE_TEXT = "Project";
const SECTIONS = ["Goal", "Project", "Checks", "Questions"] as const;
const GOAL_CONTEXT = sectionContext(2);

/** A PROJECT.md in which nothing is written yet. */
export function emptyProject(): ProjectDocument {
  return {
    kind: "project",
    layout: newLayout(TITLE_TEXT),
    goal: "",
    projectType: "",
    framework: "",
    packageManager: "",
    otherFields: [],
    checkColumns: CHECK_COLUMNS,
    checks: [],
    questionColumns: QUESTION_COLUMNS,
    questions: [],
  };
}

/**
 * Reads PROJECT.md.
 *
 * @param text the file's content; `undefined` when there is none
 * @throws {PlanningError} at the line that cannot be understood
 */
export function parseProject(
  text: string | undefined,
  path = "planning/PROJECT.md",
): ProjectDocument {
  const document = new SectionedDocument(path, text ?? "", `# ${TITLE_TEXT}`, SECTIONS);
  document.keepBody();
  const goal = readBlockText(path, document.source, document.section("Goal").nodes);
  const fields = readFieldList(document, document.section("Project"), FIELDS);
  const checks = readTable(document, document.section("Checks"), CHECK_COLUMNS, [
    "Check",
    "Command",
  ]);
  const questions = readTable(document, document.section("Questions"), QUESTION_COLUMNS, [
    "Question",
  ]);
  return {
    kind: "project",
    layout: document.layout(),
    goal,
    projectType: fields.values.get("Type") ?? "",
    framework: fields.values.get("Framework") ?? "",
    packageManager: fields.values.get("Package manager") ?? "",
    otherFields: fields.others,
    checkColumns: checks.columns,
    checks: checks.rows.map((row) => ({
      name: readInline(row.cell("Check")),
      command: readCode(row.cell("Command")),
      source: readInline(row.cell("Source")),
      others: row.others,
    })),
    questionColumns: questions.columns,
    questions: questions.rows.map((row) => ({
      question: readInline(row.cell("Question")),
      answer: readInline(row.cell("Answer")),
      answeredBy: readInline(row.cell("Answered by")),
      others: row.others,
    })),
  };
}

/** Writes PROJECT.md. */
export function renderProject(project: ProjectDocument): string {
  const { layout } = project;
  return renderSections(layout, [
    { name: "Goal", blocks: [writeBlockText(project.goal, GOAL_CONTEXT)] },
    fieldListPart("Project", FIELDS, {
      values: new Map([
        ["Type", project.projectType],
        ["Framework", project.framework],
        ["Package manager", project.packageManager],
      ]),
      others: project.otherFields,
    }),
    tablePart(layout, "Checks", project.checkColumns, CHECK_COLUMNS, project.checks.map(checkRow)),
    tablePart(
      layout,
      "Questions",
      project.questionColumns,
      QUESTION_COLUMNS,
      project.questions.map(questionRow),
    ),
  ]);
}

function checkRow(check: ProjectCheck): WrittenRow {
  return {
    cells: {
      Check: writeCell(check.name),
      Command: writeCode(check.command, CELL_CONTEXT),
      Source: writeCell(check.source),
    },
    others: check.others,
  };
}

function questionRow(question: ProjectQuestion): WrittenRow {
  return {
    cells: {
      Question: writeCell(question.question),
      Answer: writeCell(question.answer),
      "Answered by": writeCell(question.answeredBy),
    },
    others: question.others,
  };
}
