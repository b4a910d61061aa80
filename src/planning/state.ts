/**
 * STATE.md: where the workflow stands, for a person to look at.
 * Rule: `parseState(renderState(x))` equals x.
 */
import { fieldListPart, readFieldList } from "./fields.ts";
import { type Layout, newLayout, TITLE } from "./layout.ts";
import { renderSections, SectionedDocument } from "./sections.ts";

/** STATE.md as data. Texts that are not given are empty. */
export interface StateDocument {
  kind: "state";
  layout: Layout;
  /** The session's ID. */
  session: string;
  phase: string;
  /** In words, such as `3 of 8 tasks done`. */
  progress: string;
  lastAction: string;
  /** When that was, as ISO 8601. */
  time: string;
  /** Items of the list that m31a does not know, as Markdown. */
  otherFields: readonly string[];
}

const FIELDS = ["Session", "Phase", "Progress", "Last action", "Time"] as const;
const TITLE_TEXT = "State";

/** A STATE.md in which nothing is written yet. */
export function emptyState(): StateDocument {
  return {
    kind: "state",
    layout: newLayout(TITLE_TEXT),
    session: "",
    phase: "",
    progress: "",
    lastAction: "",
    time: "",
    otherFields: [],
  };
}

/**
 * Reads STATE.md.
 *
 * @param text the file's content; `undefined` when there is none
 * @throws {PlanningError} at the line that cannot be understood
 */
export function parseState(text: string | undefined, path = "planning/STATE.md"): StateDocument {
  const document = new SectionedDocument(path, text ?? "", `# ${TITLE_TEXT}`, []);
  const { values, others } = readFieldList(document, document.section(TITLE), FIELDS);
  return {
    kind: "state",
    layout: document.layout(),
    session: values.get("Session") ?? "",
    phase: values.get("Phase") ?? "",
    progress: values.get("Progress") ?? "",
    lastAction: values.get("Last action") ?? "",
    time: values.get("Time") ?? "",
    otherFields: others,
  };
}

/** Writes STATE.md. */
export function renderState(state: StateDocument): string {
  return renderSections(state.layout, [
    fieldListPart(TITLE, FIELDS, {
      values: new Map([
        ["Session", state.session],
        ["Phase", state.phase],
        ["Progress", state.progress],
        ["Last action", state.lastAction],
        ["Time", state.time],
      ]),
      others: state.otherFields,
    }),
  ]);
}
