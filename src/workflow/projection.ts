/**
 * The planning documents on disk: written from the state, and looked at for what people have edited.
 * Rule: the log comes first; a document that is not as m31a left it is never overwritten before its edit is a record.
 */
import { join } from "@std/path";
import {
  ensureDirectory,
  pathExists,
  readTextIfExists,
  refuseSymlinks,
  replaceFile,
  syncDirectory,
} from "../platform/files.ts";
import { UsageError } from "../platform/errors.ts";
import { planVersionName } from "../planning/plan_versions.ts";
import { diffDocuments } from "../planning/differences.ts";
import { type DocumentName, DOCUMENTS, documentText, planVersionText } from "./documents.ts";
import { editProblems } from "./merge_edit.ts";
import { sha256Hex } from "../platform/canonical_json.ts";
import { parseDocument } from "./documents.ts";
import { type DocumentHistory, wasEver } from "./projection_history.ts";
import { nearestBase, rebaseEdit } from "./rebase_edit.ts";
import type { WorkflowState } from "./state.ts";

/** The folder of the documents, relative to the project's root. */
export const PLANNING = "planning";

/** A document that a person has edited. */
export interface Edit {
  document: DocumentName;
  /** What is to be taken over: the edit as if it had been made to the present text. */
  text: string;
  /** Of the bytes on disk. */
  sha256: string;
  /** What is on disk. */
  written: string;
  /** What it changes, one line each. */
  differences: string[];
}

/** A planning document that is larger, in bytes, is none that people read; reading it would take minutes. */
const LARGEST_DOCUMENT_BYTES = 2 * 1024 * 1024;

/** The documents of one session. */
export class Projection {
  readonly #root: string;
  readonly #session: string;
  readonly #historyOf: (document: DocumentName) => Promise<DocumentHistory>;
  /** What each document holds on disk, as far as it is m31a's own or taken over. */
  readonly #known = new Map<DocumentName, string>();

  /**
   * @param historyOf what a document was in the course of this log; asked only for what is not up to date
   */
  constructor(
    root: string,
    session: string,
    historyOf: (document: DocumentName) => Promise<DocumentHistory>,
  ) {
    this.#root = root;
    this.#session = session;
    this.#historyOf = historyOf;
  }

  /**
   * The first document that a person has edited, if any. To be asked again when its edit is recorded.
   *
   * @throws {PlanningError} with file and line, for text that means nothing
   * @throws {UsageError} for an edit that makes no sense, such as tasks that depend on one another
   */
  async findEdit(state: WorkflowState): Promise<Edit | undefined> {
    if (state.isShipped) return undefined;
    for (const document of DOCUMENTS) {
      const written = this.#read(document);
      if (written === undefined || !await this.#isEdited(document, written, state)) continue;
      const current = documentText(document, state, this.#session);
      const base = await this.#baseOf(document, written) ?? current;
      const text = rebaseEdit(document, base, written, current);
      const problems = editProblems(state, document, text);
      if (problems.length > 0) {
        throw new UsageError(
          `${PLANNING}/${document}: this edit cannot be taken over:\n` +
            problems.map((problem) => `- ${problem}`).join("\n"),
        );
      }
      const sha256 = sha256Hex(new TextEncoder().encode(written));
      const differences = diffDocuments(
        parseDocument(document, current),
        parseDocument(document, text),
      );
      return { document, text, written, sha256, differences };
    }
    return undefined;
  }

  /** Notes that an edit is in the log: the document may be written again. */
  takenOver({ document, written }: Edit): void {
    this.#known.set(document, written);
  }

  /** Writes what has changed. A document that was edited meanwhile is left for {@linkcode findEdit}. */
  async write(state: WorkflowState): Promise<void> {
    // What is put away in the archive stays there.
    if (state.isShipped) return;
    refuseSymlinks(this.#root, PLANNING);
    ensureDirectory(join(this.#root, PLANNING));
    let hasWritten = false;
    const replace = (path: string, text: string) => {
      replaceFile(path, text);
      hasWritten = true;
    };
    for (const { version, plan } of state.plans) {
      const path = this.#path(planVersionName(version));
      if (!pathExists(path)) replace(path, planVersionText(plan));
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
      if (present !== text) replace(this.#path(document), text);
      this.#known.set(document, text);
    }
    if (hasWritten) syncDirectory(join(this.#root, PLANNING));
  }

  async #isEdited(
    document: DocumentName,
    text: string,
    state: WorkflowState,
  ): Promise<boolean> {
    if (this.#known.get(document) === text) return false;
    if (documentText(document, state, this.#session) === text) return false;
    return !wasEver(await this.#historyOf(document), text);
  }

  /** What the person who edited a document had before them. */
  async #baseOf(document: DocumentName, edited: string): Promise<string | undefined> {
    const known = this.#known.get(document);
    if (known !== undefined) return known;
    return nearestBase(document, (await this.#historyOf(document)).texts, edited);
  }

  #path(name: string): string {
    refuseSymlinks(this.#root, join(PLANNING, name));
    return join(this.#root, PLANNING, name);
  }

  #read(document: DocumentName): string | undefined {
    return readTextIfExists(this.#path(document), LARGEST_DOCUMENT_BYTES);
  }
}
