/**
 * Going back to a checkpoint: first what would change, then the change.
 * Rule: only files that the later tasks touched; what someone else has changed since is a conflict that
 * is told, and left unless the caller says otherwise. The branch, the index and the stash stay as they are.
 */
import { UsageError } from "../platform/errors.ts";
import { applyChanges, prepareChanges, type PreparedChanges } from "./apply.ts";
import { isSameKept, keepTreeFiles, type KeptFile, readBlob } from "./blob.ts";
import { type Checkpoint, listCheckpoints } from "./checkpoint.ts";
import type { FileChange, FileMode, FileState } from "./file_state.ts";
import { buildPatch } from "./patch.ts";
import { readTreeChanges } from "./index_sync.ts";
import type { Git } from "./run.ts";

/**
 * What becomes of one file: `restore` brings back what was there, `unchanged` has nothing of the
 * tasks in it (any more), `conflict` holds, or held between two of the tasks, what is in no
 * checkpoint: someone else changed it; of one that is `unkept` nobody has what it held, and it stays.
 */
export interface RollbackFile {
  path: string;
  verdict: "restore" | "unchanged" | "conflict" | "unkept";
  /** Why it is a conflict or not kept, in words. */
  reason?: string;
  /** What is in the tree now, and what is brought back; `null` where nothing is. */
  current: KeptFile | null;
  target: KeptFile | null;
  /** What is brought back is not what the last commit holds: the file was already changed when the task began. */
  wasDirty: boolean;
}

/** What going back would do. */
export interface RollbackPreview {
  session: string;
  /** The state after this checkpoint comes back; 0 is the state before the first. */
  to: number;
  /** The checkpoints whose work is taken back, the newest first. */
  undone: Checkpoint[];
  files: RollbackFile[];
}

/**
 * Says what it would change to go back to the state after checkpoint `to` (0: before the first). Nothing is written.
 *
 * @param options.last the newest checkpoint that counts; all of them by default
 * @throws {UsageError} when there is no such checkpoint
 */
export async function previewRollback(
  git: Git,
  session: string,
  to: number,
  options: { last?: number } = {},
): Promise<RollbackPreview> {
  const { last = Infinity } = options;
  const checkpoints = (await listCheckpoints(git, session)).filter(({ number }) => number <= last);
  if (to !== 0 && !checkpoints.some(({ number }) => number === to)) {
    const known = checkpoints.map(({ number }) => number).join(", ") || "none";
    throw new UsageError(`Session ${session} has no checkpoint ${to}; it has: ${known}.`);
  }
  const undone = checkpoints.filter(({ number }) => number > to);
  const histories = new Map<string, FileHistory>();
  for (const checkpoint of checkpoints) await collect(git, checkpoint, to, histories);
  for (const [path, { isTouched }] of histories) if (!isTouched) histories.delete(path);
  const current = await keepTreeFiles(git, [...histories.keys()]);
  const files = [...histories].map(([path, history]) =>
    judge(path, history, current.get(path) ?? null)
  );
  files.sort((a, b) => (a.path < b.path ? -1 : 1));
  return { session, to, undone: undone.toReversed(), files };
}

/** A rollback that git has checked against the tree. */
export interface PreparedRollback {
  changes: PreparedChanges;
  restored: RollbackFile[];
  /** Conflicts that are left as they are. */
  left: RollbackFile[];
}

/** What {@linkcode applyRollback} did. */
export interface RollbackResult {
  /** The change as a patch, for the log. */
  patch: string;
  restored: RollbackFile[];
  /** Conflicts that were left as they are. */
  left: RollbackFile[];
}

/**
 * Makes the patch that brings the files of a preview back, for {@linkcode applyChanges}. Nothing is written.
 *
 * @param options.overwriteConflicts brings back files in conflict as well; what they hold now is in the patch
 * @throws {EditConflict} when a file has changed since the preview
 */
export async function prepareRollback(
  git: Git,
  preview: RollbackPreview,
  options: { overwriteConflicts?: boolean } = {},
): Promise<PreparedRollback> {
  const isLeft = (file: RollbackFile) => file.verdict === "conflict" && !options.overwriteConflicts;
  const restored = preview.files.filter((file) =>
    file.verdict === "restore" || file.verdict === "conflict" && !isLeft(file)
  );
  const changes: FileChange[] = [];
  for (const { path, current, target } of restored) {
    const [before, after] = [await contentOf(git, current), await contentOf(git, target)];
    changes.push({ path, before, after });
  }
  const left = preview.files.filter(isLeft);
  return { changes: await prepareChanges(git, changes), restored, left };
}

/** The patch from what would be brought back to what is there now: what a rollback would take away. */
export async function patchTakenAway(git: Git, files: readonly RollbackFile[]): Promise<string> {
  const changes: FileChange[] = [];
  for (const { path, verdict, current, target } of files) {
    if (verdict !== "restore" && verdict !== "conflict") continue;
    const [before, after] = [await contentOf(git, target), await contentOf(git, current)];
    changes.push({ path, before, after });
  }
  return buildPatch(changes);
}

/**
 * Brings the files of a preview back. Options as for {@linkcode prepareRollback}.
 *
 * @throws {EditConflict} when a file has changed since the preview; nothing is written then
 */
export async function applyRollback(
  git: Git,
  preview: RollbackPreview,
  options: { overwriteConflicts?: boolean } = {},
): Promise<RollbackResult> {
  const { changes, restored, left } = await prepareRollback(git, preview, options);
  await applyChanges(git, changes);
  return { patch: changes.patch, restored, left };
}

/** What the tasks did to one file. */
interface FileHistory {
  /** One of the tasks that are taken back touched it. */
  isTouched: boolean;
  /** Before the first of those. */
  first: KeptFile | null;
  /** After the last checkpoint that has the file. */
  last: KeptFile | null;
  /**
   * Every state that a checkpoint of the session holds as the work of m31a or as what it found at
   * first; true for one with a change in it that someone else made between the tasks that are taken back.
   */
  known: Map<string, boolean>;
  /** Someone else changed it before the first of the tasks that are taken back. */
  wasDirty: boolean;
}

async function collect(
  git: Git,
  { commit, number }: Checkpoint,
  to: number,
  histories: Map<string, FileHistory>,
): Promise<void> {
  const foreign = new Set<string>();
  for (const { path } of await readTreeChanges(git, `${commit}^`)) foreign.add(path.text);
  for (const { path, oldMode, oldBlob, newMode, newBlob } of await readTreeChanges(git, commit)) {
    const [before, after] = [keptOf(oldMode, oldBlob), keptOf(newMode, newBlob)];
    const history = histories.get(path.text) ?? noHistory();
    histories.set(path.text, history);
    // What an earlier checkpoint holds came back by an undo; it is nobody else's.
    const isForeign = foreign.has(path.text) && !history.known.has(keyOf(before));
    const isMixed = history.known.get(keyOf(before)) ?? (history.isTouched && isForeign);
    if (number > to && !history.isTouched) {
      history.isTouched = true;
      history.first = before;
      history.wasDirty = isForeign;
    }
    for (const state of [before, after]) {
      if (!history.known.has(keyOf(state))) history.known.set(keyOf(state), isMixed);
    }
    history.last = after;
  }
}

function noHistory(): FileHistory {
  return { isTouched: false, first: null, last: null, known: new Map(), wasDirty: false };
}

function keyOf(file: KeptFile | null): string {
  return file === null ? "" : `${file.mode} ${file.blob}`;
}

function judge(
  path: string,
  history: FileHistory,
  current: KeptFile | null,
): RollbackFile {
  const { first: target, last, known, wasDirty } = history;
  const common = { path, current, target, wasDirty };
  if (isSameKept(current, target)) return { ...common, verdict: "unchanged" };
  const isMixed = known.get(keyOf(current));
  // Taken back already: what is there now is someone's own change, with nothing of the tasks under it.
  if (isMixed === undefined && isSameKept(last, target)) return { ...common, verdict: "unchanged" };
  if (isMixed === undefined) {
    const reason = "it was changed after m31a last changed it";
    return { ...common, verdict: "conflict", reason };
  }
  if (isMixed) {
    const reason = "someone else changed it between the tasks that are taken back";
    return { ...common, verdict: "conflict", reason };
  }
  return { ...common, verdict: "restore" };
}

async function contentOf(git: Git, file: KeptFile | null): Promise<FileState> {
  if (file === null) return undefined;
  return { mode: fileMode(file.mode), bytes: await readBlob(git, file.blob) };
}

/** One side of a tree's change as a kept file. */
export function keptOf(mode: string, blob: string): KeptFile | null {
  return mode === "000000" ? null : { mode, blob };
}

function fileMode(mode: string): FileMode {
  if (mode === "100755" || mode === "120000") return mode;
  return "100644";
}
