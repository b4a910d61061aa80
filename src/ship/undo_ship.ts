/**
 * Taking a ship back: its commit goes, the files stay as they are.
 * Rule: what the ledger and the memory were told stays told; the session can be shipped again, as another attempt.
 */
import type { Git } from "../git/run.ts";
import { headCommit } from "../git/state.ts";
import { type UndoableCommit, undoCommit } from "../git/undo_commit.ts";
import type { SessionAccount } from "./account.ts";
import { type OpenSession, ShipLog } from "./log.ts";

/**
 * Takes the commit back and records it.
 *
 * @param undoable what {@linkcode previewUndoCommit} gave; a commit of this session
 * @throws {GitError} when the branch has moved in the meantime
 */
export async function undoShip(
  git: Git,
  session: OpenSession,
  account: SessionAccount,
  undoable: UndoableCommit,
): Promise<void> {
  await undoCommit(git, undoable);
  new ShipLog(session, account).record("undone", { commit: undoable.commit });
}

/** The commit of a ship that is not the last one any more: its parent is, so it was taken back, and the log does not say so. */
export async function unrecordedUndo(
  git: Git,
  { steps }: SessionAccount,
): Promise<string | undefined> {
  if (steps.commit === undefined) return undefined;
  const head = await headCommit(git) ?? null;
  return head === steps.commit.base ? steps.commit.commit : undefined;
}

/** Records an undo that was cut off before its record. */
export function recordUndone(session: OpenSession, account: SessionAccount, commit: string): void {
  new ShipLog(session, account).record("undone", { commit });
}
