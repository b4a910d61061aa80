/**
 * Which texts a planning document has had in the course of a log.
 * Rule: a document that a kill left behind the log is m31a's own, not a person's edit; so the log is walked to know it.
 */
import { sha256Hex } from "../platform/canonical_json.ts";
import { readSession } from "../session/session_reader.ts";
import { type DocumentName, documentText } from "./documents.ts";
import { changesDocuments, WorkflowFold } from "./fold.ts";
import { NO_WORKFLOW } from "./state.ts";

/** The past of a document. */
export interface DocumentHistory {
  /** Its different texts, oldest first. */
  texts: string[];
  /** The SHA-256 of the texts that people gave it and that were taken over. */
  takenOver: Set<string>;
}

/**
 * Reads what `document` was after each record of a session.
 *
 * @throws what {@linkcode readSession} throws
 */
export async function documentHistory(
  root: string,
  session: string,
  document: DocumentName,
): Promise<DocumentHistory> {
  const history: DocumentHistory = { texts: [], takenOver: new Set() };
  let epoch: number | undefined;
  let fold: WorkflowFold | undefined;
  await readSession(root, session, (record, baseline) => {
    if (epoch !== baseline.epoch) fold = new WorkflowFold(baseline);
    epoch = baseline.epoch;
    fold?.apply(record);
    if (!changesDocuments(record)) return;
    if (record.type === "edited" && record.document === document) {
      history.takenOver.add(record.sha256);
    }
    const text = documentText(document, fold?.state ?? NO_WORKFLOW, session);
    if (text !== undefined && text !== history.texts.at(-1)) history.texts.push(text);
  });
  return history;
}

/** Whether a document had this text at some time. */
export function wasEver({ texts, takenOver }: DocumentHistory, text: string): boolean {
  return texts.includes(text) || takenOver.has(sha256Hex(new TextEncoder().encode(text)));
}
