/**
 * An undo that was cut off between its first file and its record.
 * Rule: its checkpoint says what it was to bring back, so that is finished and recorded; one that had not begun is forgotten.
 */
import { completeChange, isHalfWritten } from "../agent/settle_change.ts";
import type { KeptChange } from "../agent/kept_change.ts";
import { isSameKept, keepTreeFiles } from "../git/blob.ts";
import { type Checkpoint, listCheckpoints, removeCheckpoint } from "../git/checkpoint.ts";
import { readTreeChanges } from "../git/index_sync.ts";
import { keptOf } from "../git/rollback.ts";
import type { Git } from "../git/run.ts";
import type { RecordDraft } from "../session/records.ts";
import type { WorkflowState } from "./state.ts";
import { lastNumber, parseUndoSubject, undoDrafts } from "./undo_record.ts";
import { whereUndoLeads } from "./undo_fold.ts";

/** A session that records can be appended to. */
export interface UndoLog {
  readonly id: string;
  append(drafts: readonly RecordDraft[]): unknown;
}

/**
 * Brings an undo to its end whose record is missing.
 *
 * @returns what there is to say of it; undefined when there was none
 */
export async function settleUndo(
  git: Git,
  session: UndoLog,
  state: WorkflowState,
): Promise<string | undefined> {
  const last = lastNumber(state);
  // Without a task's work there is nothing that could have been taken back.
  if (last === 0 && state.touched.length === 0) return undefined;
  const unrecorded = (await listCheckpoints(git, session.id)).filter(({ number }) => number > last);
  const made = unrecorded.at(-1);
  const undo = parseUndoSubject(made?.subject ?? "");
  if (made === undefined || undo === undefined) return undefined;
  const changes = await changesOf(git, made);
  const { ours, others } = await sortOut(git, changes);
  const isBegun = ours.length === 0 || await completeChange(git, ours) !== "untouched";
  if (!isBegun) {
    await removeCheckpoint(git, made);
    return undefined;
  }
  const drafts = [];
  for (const cutOff of unrecorded.slice(0, -1)) drafts.push(await cutOffDraft(git, cutOff, state));
  const { number, commit } = made;
  const files = changes.map(({ path }) => path);
  session.append([...drafts, ...undoDrafts(state, { ...undo, number, commit, files })]);
  const left = others.length === 0
    ? ""
    : ` Left as they are now, because they were changed since: ${others.join(", ")}.`;
  return `An earlier ${undo.kind} was cut off before it was recorded; it is now: ${
    whereUndoLeads(undo.to)
  }.${left}`;
}

async function changesOf(git: Git, { commit }: Checkpoint): Promise<KeptChange[]> {
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
  { attempt }: WorkflowState,
): Promise<RecordDraft> {
  const files = (await readTreeChanges(git, commit)).map(({ path }) => path.text);
  const task = attempt?.about.task ?? null;
  return { type: "checkpoint", number, commit, task, files, kind: "task" };
}
