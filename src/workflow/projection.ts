/**
 * The planning documents on disk: written from the state, and looked at for what people have edited.
 * Rule: the log comes first; a document that is not as m31a left it is never overwritten before its edit is a record.
 */
import { join } from "@std/path";
import {
  naming,
  pathExists,
  readTextIfExists,
  refuseSymlinks,
  writeAtomically,
} from "../platform/files.ts";
import { UsageError } from "../platform/errors.ts";
import { diffDocuments, type PlanningDocument } from "../planning/differences.ts";
import { parsePlan } from "../planning/plan.ts";
import { parseProject } from "../planning/project.ts";
import { parseState } from "../planning/state.ts";
import { parseTasks } from "../planning/tasks.ts";
import { type DocumentName, DOCUMENTS, documentText, planVersionTexts } from "./documents.ts";
import { editProblems } from "./merge_edit.ts";
import type { WorkflowState } from "./state.ts";

/** The folder of the documents, relative to the project's root. */
export const PLANNING = "planning";

/** A document that a person has edited. */
export interface Edit {
  document: DocumentName;
  text: string;
  /** What it changes, one line each. */
  differences: string[];
}

/** The documents of one session. */
export class Projection {
  readonly #root: string;
  readonly #session: string;
  readonly #wasEverText: (document: DocumentName, text: string) => Promise<boolean>;
  /** What each document holds on disk, as far as it is m31a's own or taken over. */
  readonly #known = new Map<DocumentName, string>();

  /**
   * @param wasEverText whether a document had this text at some time of this log; asked only for what is not up to date
   */
  constructor(
    root: string,
    session: string,
    wasEverText: (document: DocumentName, text: string) => Promise<boolean>,
  ) {
    this.#root = root;
    this.#session = session;
    this.#wasEverText = wasEverText;
  }

  /**
   * The first document that a person has edited, if any. To be asked again when its edit is recorded.
   *
   * @throws {PlanningError} with file and line, for text that means nothing
   * @throws {UsageError} for an edit that makes no sense, such as tasks that depend on one another
   */
  async findEdit(state: WorkflowState): Promise<Edit | undefined> {
    for (const document of DOCUMENTS) {
      const text = this.#read(document);
      if (text === undefined || !await this.#isEdited(document, text, state)) continue;
      const problems = editProblems(state, document, text);
      if (problems.length > 0) {
        throw new UsageError(
          `${PLANNING}/${document}: this edit cannot be taken over:\n` +
            problems.map((problem) => `- ${problem}`).join("\n"),
        );
      }
      return { document, text, differences: this.#differences(document, text, state) };
    }
    return undefined;
  }

  /** Notes that an edit is in the log: the document may be written again. */
  takenOver({ document, text }: Edit): void {
    this.#known.set(document, text);
  }

  /** Writes what has changed. A document that was edited meanwhile is left for {@linkcode findEdit}. */
  async write(state: WorkflowState): Promise<void> {
    naming(PLANNING, "create the folder", () => {
      refuseSymlinks(this.#root, PLANNING);
      Deno.mkdirSync(join(this.#root, PLANNING), { recursive: true });
    });
    for (const [name, text] of planVersionTexts(state)) {
      const path = this.#path(name);
      if (!pathExists(path)) writeAtomically(path, text);
    }
    for (const document of DOCUMENTS) {
      const text = documentText(document, state, this.#session);
      if (
        text === undefined || this.#known.get(document) === text && this.#read(document) === text
      ) {
        continue;
      }
      const present = this.#read(document);
      if (present !== undefined && await this.#isEdited(document, present, state)) continue;
      if (present !== text) writeAtomically(this.#path(document), text);
      this.#known.set(document, text);
    }
  }

  async #isEdited(
    document: DocumentName,
    text: string,
    state: WorkflowState,
  ): Promise<boolean> {
    if (this.#known.get(document) === text) return false;
    if (documentText(document, state, this.#session) === text) return false;
    return !await this.#wasEverText(document, text);
  }

  #differences(document: DocumentName, text: string, state: WorkflowState): string[] {
    const before = parseDocument(document, documentText(document, state, this.#session));
    return diffDocuments(before, parseDocument(document, text));
  }

  #path(name: string): string {
    refuseSymlinks(this.#root, join(PLANNING, name));
    return join(this.#root, PLANNING, name);
  }

  #read(document: DocumentName): string | undefined {
    return readTextIfExists(this.#path(document));
  }
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
