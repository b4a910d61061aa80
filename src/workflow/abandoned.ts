/**
 * Workflows whose process has died: found when another one begins, and told as abandoned.
 * Rule: a session that somebody has open is nobody's to end; one that was verified waits to be shipped.
 */
import type { LedgerEntry } from "../ledger/entry.ts";
import type { Clock } from "../platform/clock.ts";
import type { Environment } from "../platform/environment.ts";
import { FileError } from "../platform/errors.ts";
import {
  BaselineInvalid,
  SessionInUse,
  SessionIo,
  SessionNotFound,
  SessionTorn,
} from "../session/errors.ts";
import { baselinePath, listEpochs, listSessionIds, logPath } from "../session/layout.ts";
import { readLines } from "../session/log_reader.ts";
import { Session } from "../session/session.ts";
import { openToRead } from "../session/session_reader.ts";
import { readAccount } from "../ship/read_account.ts";
import { WorkflowFold } from "./fold.ts";
import { filesLeft } from "./files_left.ts";
import { diagnose } from "./outline.ts";
import { endWorkflow } from "./ship_workflow.ts";
import { NO_WORKFLOW } from "./state.ts";

/** Where sessions are looked for. */
export interface Place {
  root: string;
  environment: Environment;
  clock: Clock;
}

/** What was found. */
export interface FoundWorkflows {
  /** Those that were told as abandoned now. */
  abandoned: LedgerEntry[];
  /** Verified sessions that are not shipped. */
  unshipped: string[];
  /** Sessions that came to nothing and whose changes are still in the project. */
  leftovers: Leftover[];
}

/** Changes of a session that ended without a commit. */
interface Leftover {
  session: string;
  /** The files that are as it left them, and not as the last commit has them. */
  files: string[];
}

/** What stands against ending a session, and is no reason not to begin another. */
const LEFT_ALONE = [SessionInUse, SessionNotFound, SessionTorn, BaselineInvalid];

/** Why a session's files cannot be looked at. */
const UNREADABLE = [SessionNotFound, SessionIo, FileError];

/** How many of the newest sessions are looked at. */
const LOOKED_AT = 20;

/**
 * Looks through the newest sessions for workflows that nobody has ended.
 *
 * @param except a session that is about to go on
 * @throws {LedgerDamaged} {@linkcode FileError} when their end cannot be told
 */
export async function endAbandoned(
  place: Place,
  except: string | undefined,
): Promise<FoundWorkflows> {
  const found: FoundWorkflows = { abandoned: [], unshipped: [], leftovers: [] };
  for (const id of listSessionIds(place.root).slice(-LOOKED_AT)) {
    if (id === except || !mayHaveGoal(place.root, id)) continue;
    try {
      const account = await readAccount(place.root, id, diagnose);
      const { steps, hasOpenGoal, isVerified } = account;
      if (hasOpenGoal || steps.unsettledEntry !== undefined) {
        if (isVerified || steps.commit !== undefined) {
          found.unshipped.push(id);
          continue;
        }
        const entry = await closeSession(place, id);
        if (entry !== undefined) found.abandoned.push(entry);
      }
      const files = await filesLeft(place, account);
      if (files.length > 0) found.leftovers.push({ session: id, files });
    } catch (error) {
      // In use: it has not died. Damaged or half made: to be repaired before anything can be told of it.
      if (!LEFT_ALONE.some((kind) => error instanceof kind)) throw error;
    }
  }
  return found;
}

/** A quick look, before all of a log is read and checked. */
function mayHaveGoal(root: string, id: string): boolean {
  try {
    return listEpochs(root, id).some((epoch) =>
      mentions(root, logPath(id, epoch), '"type":"goal"') ||
      epoch > 0 && !mentions(root, baselinePath(id, epoch), '"workflow":null')
    );
  } catch (error) {
    // Half made, or a link or a pipe in a file's place: `m31a session verify` names it.
    if (UNREADABLE.some((kind) => error instanceof kind)) return false;
    throw error;
  }
}

/** Whether a line of the file has `text` in it; one line is held at a time. */
function mentions(root: string, path: string, text: string): boolean {
  const decoder = new TextDecoder();
  using file = openToRead(root, path);
  for (const { bytes } of readLines(file, path)) {
    if (decoder.decode(bytes).includes(text)) return true;
  }
  return false;
}

/**
 * Tells a session as abandoned.
 *
 * @returns the entry; undefined when its end is told already, or it has no goal
 * @throws {SessionInUse} when another process has it open
 */
export async function closeSession(
  { root, environment, clock }: Place,
  id: string,
): Promise<LedgerEntry | undefined> {
  let fold: WorkflowFold | undefined;
  using session = await Session.open(root, id, {
    clock,
    folds: (baseline) => [fold = new WorkflowFold(baseline)],
  });
  const state = () => fold?.state ?? NO_WORKFLOW;
  return await endWorkflow({ root, environment, clock, session, state }, "abandoned");
}
