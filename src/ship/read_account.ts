/**
 * A session's account from its files.
 * Rule: only reads, and takes no lock; a damaged session is an error that names the line.
 */
import { M31aError } from "../platform/errors.ts";
import type { Baseline } from "../session/baseline.ts";
import { listEpochs } from "../session/layout.ts";
import { readBaseline } from "../session/epoch_files.ts";
import { readSession } from "../session/session_reader.ts";
import { type Ancestor, type Diagnose, SessionAccount } from "./account.ts";

/**
 * Reads all epochs of a session.
 *
 * @throws {SessionTorn} at the first damage {@linkcode SessionNotFound} {@linkcode BaselineInvalid}
 */
export async function readAccount(
  root: string,
  id: string,
  diagnose: Diagnose,
): Promise<SessionAccount> {
  const { baseline } = readBaseline(root, id, listEpochs(root, id)[0] ?? 0);
  const account = new SessionAccount(baseline, ancestorsOf(root, baseline), diagnose);
  await readSession(root, id, (record, { epoch }) => account.apply(record, epoch));
  return account;
}

/** Whose records a fork begins with, the oldest first; as far as those sessions are still there. */
function ancestorsOf(root: string, { parent, session, epoch }: Baseline): Ancestor[] {
  if (epoch > 0 || parent === null || parent.session === session) return [];
  const own: Ancestor = { session: parent.session, lastSeq: parent.seq };
  // The epoch that was copied has its own records only, unless it was the first of a fork itself.
  if (parent.epoch > 0) return [own];
  const grandparents = ancestorsOfSession(root, parent.session);
  return [...grandparents.filter(({ lastSeq }) => lastSeq < own.lastSeq), own];
}

function ancestorsOfSession(root: string, session: string): Ancestor[] {
  try {
    return ancestorsOf(root, readBaseline(root, session, 0).baseline);
  } catch (error) {
    // Removed, or damaged: what it had of others then counts as its own.
    if (error instanceof M31aError) return [];
    throw error;
  }
}
