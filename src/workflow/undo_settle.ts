/**
 * An undo that was cut off between its first file and its record.
 * Rule: the log says that it began and its checkpoint what it was to bring back, so that is finished and recorded; one
 * that had changed nothing yet is dropped.
 */
import { completeChange, isHalfWritten } from "../agent/settle_change.ts";
import type { KeptChange } from "../agent/kept_change.ts";
import { isSameKept, keepTreeFiles } from "../git/blob.ts";
import { type Checkpoint, listCheckpoints, removeCheckpoint } from "../git/checkpoint.ts";
import { readTreeChanges } from "../git/index_sync.ts";
import { keptOf } from "../git/rollback.ts";
import type { Git } from "../git/run.ts";
import type { Session } from "../session/session.ts";
import { checkpointFiles } from "../agent/checkpoint_files.ts";
import type { WorkflowState } from "./state.ts";
import { kindOfCutOff } from "./undo_cut_off.ts";
import { type CheckpointDraft, checkpointOf, lastNumber, undoDrafts } from "./undo_record.ts";
import { whereUndoLeads } from "./undo_fold.ts";

/** A session that records can be appended to. */
export type UndoLog = Pick<Session, "id" | "append" | "totals">;

/**
 * Brings an undo to its end whose record is missing.
 *
 * @param git as it reads and writes what the session keeps
 * @returns what there is to say of it; undefined when there was none
 */
export async function settleUndo(
  git: Git,
  session: UndoLog,
  state: WorkflowState,
): Promise<string | undefined> {
  const { undo } = state;
  if (undo === null) return undefined;
  const { number, commit } = undo;
  const changes = await changesOf(git, commit);
  const { ours, others } = await sortOut(git, changes);
  const isBegun = ours.length === 0 || await completeChange(git, ours) !== "untouched";
  if (!isBegun) {
    await removeCheckpoint(git, { session: session.id, number, commit });
    const { turn, ...dropped } = undo;
    const along = turn === null ? {} : { turn };
    session.append([{ type: "undo", status: "dropped", ...dropped, ...along }]);
    return undefined;
  }
  const last = lastNumber(state);
  const cutOff = (await listCheckpoints(git, session.id))
    .filter((checkpoint) => checkpoint.number > last && checkpoint.number < number);
  const drafts = [];
  for (const checkpoint of cutOff) {
    drafts.push(await cutOffDraft(git, checkpoint, state, session.totals.turns));
  }
  const files = changes.map(({ path }) => path);
  const checkpoints = [...state.checkpoints, ...drafts.map(checkpointOf)];
  session.append([...drafts, ...undoDrafts(state, checkpoints, { ...undo, files })]);
  const left = others.length === 0
    ? ""
    : ` Left as they are now, because they were changed since: ${others.join(", ")}.`;
  return `An earlier ${undo.kind} was cut off before it was recorded; it is now: ${
    whereUndoLeads(undo.to)
  }.${left}`;
}

async function changesOf(git: Git, commit: string): Promise<KeptChange[]> {
  return (await readTreeChanges(git, commit)).map((change) => ({
    path: change.path.text,
    before: keptOf(change.oldMode, change.oldBlob),
    after: keptOf(change.newMode, change.newBlob),
  }));
}

/** Parts the files that are as before, as after or half-written from those that someone else has changed. */
async function sortOut(
  git: Git,
  changes: readonly KeptChange[],
): Promise<{ ours: KeptChange[]; others: string[] }> {
  const current = await keepTreeFiles(git, changes.map(({ path }) => path));
  const ours: KeptChange[] = [];
  const others: string[] = [];
  for (const change of changes) {
    const { path, before, after } = change;
    const now = current.get(path) ?? null;
    const isOurs = isSameKept(now, before) || isSameKept(now, after) ||
      await isHalfWritten(git, now, after);
    if (isOurs) ours.push(change);
    if (!isOurs) others.push(path);
  }
  return { ours, others };
}

async function cutOffDraft(
  git: Git,
  { number, commit }: Checkpoint,
  state: WorkflowState,
  turn: number,
): Promise<CheckpointDraft> {
  const files = (await readTreeChanges(git, commit)).map(({ path }) => path.text);
  const task = state.attempt?.about.task ?? null;
  const { unkept } = checkpointFiles(state);
  return {
    type: "checkpoint",
    number,
    commit,
    task,
    files,
    unkept,
    kind: kindOfCutOff(state),
    turn,
  };
}
