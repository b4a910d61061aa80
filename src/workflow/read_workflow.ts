/**
 * The workflow of a session that somebody else may be writing.
 * Rule: no lock, no waiting; what is on disk now is what is told.
 */
import { readSession } from "../session/session_reader.ts";
import { WorkflowFold } from "./fold.ts";
import { NO_WORKFLOW, type WorkflowState } from "./state.ts";

/**
 * Reads the state of a session's workflow; `goal` is null when it has none.
 *
 * @throws what {@linkcode readSession} throws
 */
export async function readWorkflow(root: string, session: string): Promise<WorkflowState> {
  let epoch: number | undefined;
  let fold: WorkflowFold | undefined;
  await readSession(root, session, (record, baseline) => {
    if (epoch !== baseline.epoch) fold = new WorkflowFold(baseline);
    epoch = baseline.epoch;
    fold?.apply(record);
  });
  return fold?.state ?? NO_WORKFLOW;
}
