/**
 * Taking a ship back: its commit goes, the files stay as they are.
 * Rule: what the ledger and the memory were told stays told; the session can be shipped again, as another attempt.
 */
import type { Git } from "../git/run.ts";
import { previewUndoCommit, type UndoableCommit, undoCommit } from "../git/undo_commit.ts";
import { UsageError } from "../platform/errors.ts";
import type { SessionAccount } from "./account.ts";
import { type OpenSession, ShipLog } from "./log.ts";

/**
 * Looks whether the session's commit can be taken back. Nothing is changed.
 *
 * @throws {UsageError} that says why it cannot
 */
export async function previewUndoShip(git: Git, account: SessionAccount): Promise<UndoableCommit> {
  const { lastCommit } = account.steps;
  if (lastCommit === undefined) {
    throw new UsageError(
      `session ${account.session} was not shipped: there is nothing to take back`,
    );
  }
  return await previewUndoCommit(git, account.session);
}

/**
 * Takes the commit back and records it.
 *
 * @param undoable what {@linkcode previewUndoShip} gave
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
