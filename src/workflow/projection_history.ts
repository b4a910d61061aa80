/**
 * Which texts a planning document has had in the course of a log.
 * Rule: a document that a kill left behind the log is m31a's own, not a person's edit; so the log is walked to know it.
 */
import { readSession } from "../session/session_reader.ts";
import { type DocumentName, documentText } from "./documents.ts";
import { changesDocuments, nextState } from "./fold.ts";
import { readCarriedState, type WorkflowState } from "./state.ts";

/**
 * Whether `document` had exactly this `text` after some record of the session, or was edited to it.
 *
 * @throws what {@linkcode readSession} throws
 */
export async function wasEverText(
  root: string,
  session: string,
  document: DocumentName,
  text: string,
): Promise<boolean> {
  let epoch: number | undefined;
  let state: WorkflowState = readCarriedState(null);
  let wasFound = false;
  await readSession(root, session, (record, baseline) => {
    if (wasFound) return;
    if (epoch !== baseline.epoch) {
      epoch = baseline.epoch;
      state = readCarriedState(baseline.carried.workflow);
    }
    state = nextState(state, record);
    if (!changesDocuments(record)) return;
    const isTakenOver = record.type === "edited" && record.document === document &&
      record.text === text;
    wasFound = isTakenOver || documentText(document, state, session) === text;
  });
  return wasFound;
}
