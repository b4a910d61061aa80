/**
 * Taking back the commit of a ship, and what the log says of it.
 * Rule: the files stay as they are; a commit that was taken back without a record gets it the next time.
 */
import type { Git } from "../git/run.ts";
import { headCommit } from "../git/state.ts";
import { type UndoableCommit, undoCommit } from "../git/undo_commit.ts";
import type { RecordDraft, SessionRecord } from "../session/records.ts";
import { Session } from "../session/session.ts";
import { readSession } from "../session/session_reader.ts";
import { z } from "zod";

/** A commit that a log says was made. */
export interface RecordedCommit {
  commit: string;
  /** Its parent; null for the repository's first. */
  base: string | null;
}

const facts = z.object({ commit: z.string(), base: z.string().nullable() });

/** The commit that a session shipped last and that its log does not say was taken back. */
export async function lastShipped(root: string, id: string): Promise<RecordedCommit | undefined> {
  let last: RecordedCommit | undefined;
  await readSession(root, id, (record) => last = afterRecord(last, record));
  return last;
}

function afterRecord(
  last: RecordedCommit | undefined,
  record: SessionRecord,
): RecordedCommit | undefined {
  if (record.type !== "shipped") return last;
  if (record.step === "undone") return undefined;
  return record.step === "commit" ? facts.parse(record.facts) : last;
}

/** Whether a commit has been taken back: its parent is the last commit again. */
export async function isTakenBack(git: Git, { base }: RecordedCommit): Promise<boolean> {
  return (await headCommit(git) ?? null) === base;
}

/** Records that `commit` was taken back. @throws {SessionInUse} */
export async function recordUndone(root: string, id: string, made: RecordedCommit): Promise<void> {
  const session = await Session.open(root, id);
  try {
    session.append([undoneDraft(made)]);
  } finally {
    session.close();
  }
}

/**
 * Takes the commit back and records it.
 *
 * @throws {SessionInUse} when somebody works in its session; nothing is changed then
 * @throws {GitError} when the branch has moved
 */
export async function undoShippedCommit(
  git: Git,
  root: string,
  undoable: UndoableCommit,
): Promise<void> {
  const session = await Session.open(root, undoable.session);
  try {
    await undoCommit(git, undoable);
    const { commit, parent = null } = undoable;
    session.append([undoneDraft({ commit, base: parent })]);
  } finally {
    session.close();
  }
}

function undoneDraft({ commit, base }: RecordedCommit): RecordDraft {
  return { type: "shipped", step: "undone", facts: { commit, base } };
}
