/**
 * The last phase of a workflow: shipping it, or telling that it came to nothing.
 * Rule: one at a time in a project, as for the other phases; the documents follow the log.
 */
import { readTrustedConfiguration } from "../agent/configuration.ts";
import { trustAllStarted } from "../agent/git_guard.ts";
import { tellTeam } from "../agent/team_ledger.ts";
import { Git } from "../git/run.ts";
import { projectName } from "../git/project.ts";
import type { LedgerEntry } from "../ledger/entry.ts";
import type { Clock } from "../platform/clock.ts";
import type { Environment } from "../platform/environment.ts";
import { entryAuthor } from "../ship/author.ts";
import { endSession } from "../ship/end_session.ts";
import type { OpenSession } from "../ship/log.ts";
import { readAccount } from "../ship/read_account.ts";
import type { ShipRequest } from "../ship/request.ts";
import { ship, type ShipOutcome } from "../ship/ship.ts";
import { diagnose, outlineOf } from "./outline.ts";
import { ProjectLock } from "./project_lock.ts";
import { Projection } from "./projection.ts";
import { documentHistory } from "./projection_history.ts";
import type { WorkflowState } from "./state.ts";
import { sessionGit } from "../agent/session_tree.ts";
import { settleUndo, type UndoLog } from "./undo_settle.ts";

/** A session whose workflow is to be ended. */
export interface EndedWork {
  root: string;
  environment: Environment;
  clock: Clock;
  session: OpenSession & UndoLog;
  /** Its state at any time. */
  state(): WorkflowState;
}

/** A session that is to be shipped, and how. */
export type ShipParts =
  & EndedWork
  & Pick<
    ShipRequest,
    | "settings"
    | "overrides"
    | "include"
    | "message"
    | "checking"
    | "writer"
    | "signal"
    | "confirm"
    | "onEvent"
  >;

/**
 * Ships a session.
 *
 * @throws {WorkflowInUse} when a workflow is under way in the project
 * @throws what {@linkcode ship} throws
 */
export async function shipWorkflow(parts: ShipParts): Promise<ShipOutcome> {
  const { root, environment, session } = parts;
  const lock = await ProjectLock.take(root, session.id);
  const git = new Git(root, environment);
  try {
    if (parts.overrides.has("--changed-hooks")) {
      await trustAllStarted(root, environment, session.id);
    }
    const store = await sessionGit({ root, environment, session: session.id });
    const settled = await settleUndo(store, session, parts.state());
    if (settled !== undefined) parts.onEvent({ type: "notice", text: settled });
    const outcome = await ship({
      ...parts,
      git,
      account: await readAccount(root, session.id, diagnose),
      outline: outlineOf(parts.state()),
      project: await projectName(root, environment),
      author: await authorOf(git, environment),
    });
    const notice = outcome.outcome === "shipped" ? await tellTeam(root, environment) : undefined;
    if (notice !== undefined) parts.onEvent({ type: "notice", text: notice });
    return outcome;
  } finally {
    await project(parts);
    lock.release();
  }
}

async function authorOf(git: Git, environment: Environment): Promise<string | null> {
  const { ledger } = await readTrustedConfiguration(git.root, environment);
  return await entryAuthor(git, ledger.author);
}

/** STATE.md says how far the ship came. */
async function project({ root, session, state }: EndedWork): Promise<void> {
  if (state().goal === null) return;
  const history = (document: Parameters<typeof documentHistory>[2]) =>
    documentHistory(root, session.id, document);
  await new Projection(root, session.id, history).write(state());
}

/**
 * Tells the ledger and the memory of a workflow that is not shipped. Told once: one whose end is told
 * already, or that has no goal, stays as it is.
 *
 * @returns the entry, when one was written now
 */
export async function endWorkflow(
  work: EndedWork,
  outcome: "failed" | "abandoned",
): Promise<LedgerEntry | undefined> {
  const { root, environment, session, clock } = work;
  const account = await readAccount(root, session.id, diagnose);
  const git = new Git(root, environment);
  return await endSession({
    root,
    session,
    account,
    outcome,
    git,
    outline: outlineOf(work.state()),
    project: await projectName(root, environment),
    author: await authorOf(git, environment),
    endedAt: outcome === "failed" ? clock.now().toISOString() : account.lastAt,
  });
}
