/**
 * The end of a session that is not shipped: it failed, or was given up.
 * Rule: told once; a session that goes on afterwards ends again, as another attempt.
 */
import { join } from "@std/path";
import { pendingDiff } from "../git/diff.ts";
import { GitError } from "../git/errors.ts";
import { gitPath } from "../git/path.ts";
import type { LedgerEntry } from "../ledger/entry.ts";
import { sessionDirectory } from "../session/layout.ts";
import { buildEntry, type Ending } from "./entry.ts";
import { ShipLog } from "./log.ts";
import { metricsOf, NO_METRICS } from "./metrics.ts";
import type { ShipRequest } from "./request.ts";
import { recordEntry, settleEntry } from "./settle_entry.ts";

/** A session that has ended without being shipped. */
export interface EndRequest
  extends
    Pick<ShipRequest, "root" | "git" | "session" | "account" | "outline" | "project" | "author"> {
  outcome: "failed" | "abandoned";
  /** When it ended; of one that died, when it wrote last. */
  endedAt: string;
}

/**
 * Writes the session's entry to the ledger and to the memory. One whose end is told already, or that
 * never had a goal, stays as it is.
 *
 * @returns the entry, when one was written now
 * @throws {LedgerDamaged} {@linkcode FileInUse} {@linkcode FileError}
 */
export async function endSession(request: EndRequest): Promise<LedgerEntry | undefined> {
  const { root, account, outline, project, author, outcome, endedAt } = request;
  const log = new ShipLog(request.session, account);
  await settleEntry(root, account, log);
  if (!account.hasOpenGoal) return undefined;
  const base = account.baseline.repository?.head ?? null;
  const metrics = await pendingMetrics(request);
  const entry = buildEntry(account, outline, {
    outcome,
    endedAt,
    project,
    author,
    metrics,
    base,
    commit: null,
    proved: null,
  });
  recordEntry(log, entry);
  await settleEntry(root, account, log);
  return entry;
}

/** What the session's files differ by from the last commit; only their names where git cannot tell. */
async function pendingMetrics(
  { root, git, session, account }: EndRequest,
): Promise<Ending["metrics"]> {
  const paths = account.touched.files.map(({ path }) => path);
  if (paths.length === 0) return NO_METRICS;
  try {
    const scratch = join(root, sessionDirectory(session.id));
    return metricsOf((await pendingDiff(git, paths.map(gitPath), scratch)).metrics);
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    return { ...NO_METRICS, files: paths.toSorted() };
  }
}
