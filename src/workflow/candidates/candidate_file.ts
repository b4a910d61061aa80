/**
 * A candidate in the tree: put there, and taken away again.
 * Rule: it is recorded before its file is changed, so that it can be taken away wherever the process is killed; what
 * somebody else made of the file stays.
 */
import { keepChanges } from "../../agent/kept_change.ts";
import { restoreFile } from "../../agent/restore_file.ts";
import { isHalfWritten } from "../../agent/settle_change.ts";
import { sessionGit } from "../../agent/session_tree.ts";
import { applyChanges, prepareChanges } from "../../git/apply.ts";
import { isSameKept, keepTreeFiles } from "../../git/blob.ts";
import { type FileState, readFileState } from "../../git/file_state.ts";
import { WorkFailed } from "../../platform/errors.ts";
import type { RecordDraft } from "../../session/records.ts";
import type { Attempt } from "../state.ts";
import type { Work } from "../work.ts";

/** A candidate that stands in the tree. */
type Candidate = NonNullable<Attempt["candidates"]["open"]>;

/**
 * Puts a text at `path`.
 *
 * @throws {WorkFailed} when the path must not be changed, or the file is not `before` any more
 */
export async function place(
  work: Work,
  path: string,
  before: FileState,
  text: string,
): Promise<Candidate> {
  const after = { mode: before?.mode ?? "100644", bytes: new TextEncoder().encode(text) } as const;
  const changes = [{ path, before, after }];
  const prepared = await prepareChanges(work.git, changes);
  const [kept] = await keepChanges(await sessionGit(work.place), changes);
  if (kept === undefined) throw new TypeError("a change that is none");
  const number = work.attempt.candidates.tried + 1;
  const candidate = { number, path, before: kept.before, after: kept.after };
  work.append(recordOf(work, candidate, "begun"));
  await applyChanges(work.git, prepared);
  return candidate;
}

/** The record that says what became of a candidate. */
export function recordOf(
  work: Work,
  candidate: Candidate,
  status: "begun" | "kept" | "undone",
): RecordDraft {
  return { type: "candidate", ...candidate, status, about: work.attempt.about };
}

/**
 * Takes a candidate away: its file holds again what it held.
 *
 * @param drafts what is recorded together with that
 * @throws {WorkFailed} when that cannot be
 */
export async function takeAway(
  work: Work,
  candidate: Candidate,
  ...drafts: RecordDraft[]
): Promise<void> {
  const why = await restoreFile(work.place, candidate);
  if (why !== undefined) throw new WorkFailed(`${candidate.path}: ${why}`);
  work.append(...drafts, recordOf(work, candidate, "undone"));
}

/** Takes away what the end of a process has left in the tree without a verdict. */
export async function settleCandidate(work: Work): Promise<void> {
  const { open } = work.attempt.candidates;
  if (open === null) return;
  const git = await sessionGit(work.place);
  const now = (await keepTreeFiles(git, [open.path])).get(open.path) ?? null;
  const isOurs = isSameKept(now, open.after) || await isHalfWritten(git, now, open.after);
  if (isOurs) return await takeAway(work, open);
  work.append(recordOf(work, open, "undone"));
  if (isSameKept(now, open.before)) return;
  const text = `${open.path} was changed by somebody else while a candidate stood there; it stays.`;
  work.parts.onEvent({ type: "notice", text });
}

/** What is at a path now. */
export function stateAt(work: Work, path: string): FileState {
  return readFileState(work.root, path);
}
