/**
 * The commit of a ship.
 * Rule: exactly what the session touched; where the log says that it was begun, it is looked for before it is made.
 */
import { commitPaths, type CommitResult } from "../git/commit.ts";
import { gitPath } from "../git/path.ts";
import { headCommit } from "../git/state.ts";
import { messageOf } from "../platform/errors.ts";
import { commitMessage } from "./commit_message.ts";
import { goalOf } from "./entry.ts";
import { findCommit } from "./find_commit.ts";
import type { ShipLog } from "./log.ts";
import { planningFiles } from "./planning_files.ts";
import { mayShip, type PreflightCheck } from "./preflight/check.ts";
import { runPreflight, scratchOf } from "./preflight.ts";
import type { ShipRequest } from "./request.ts";
import type { CommitFacts } from "./steps.ts";

/** Why there is no commit. */
export interface NotCommitted {
  outcome: "blocked" | "declined";
  checks: PreflightCheck[];
}

/**
 * Makes the commit, unless it has been made, and records it.
 *
 * @returns why nothing was done: a check blocks, or the user does not want it; undefined when the commit is there
 * @throws {CommitFailed} with the output of git and its hooks
 */
export async function commitStep(
  request: ShipRequest,
  log: ShipLog,
): Promise<NotCommitted | undefined> {
  const { git, account, session } = request;
  const { base: begunBase } = account.steps;
  const made = begunBase === undefined ? undefined : await findCommit(git, session.id, begunBase);
  if (made !== undefined && begunBase !== undefined) {
    record(request, log, { ...made, base: begunBase, addedByHook: [], warning: null });
    return undefined;
  }
  const checks = await runPreflight(request);
  request.onEvent({ type: "preflight", checks });
  if (!mayShip(checks)) return { outcome: "blocked", checks };
  if (await request.confirm?.(checks) === false) return { outcome: "declined", checks };
  const base = await headCommit(git) ?? null;
  const overrides = checks.flatMap(({ overriddenBy }) => overriddenBy ?? []);
  log.record("begun", { base, overrides }, [
    { type: "phase", phase: "ship", status: "entered", detail: "" },
  ]);
  const result = await make(request, log);
  record(request, log, {
    commit: result.commit,
    base,
    paths: result.paths.map(({ text }) => text),
    addedByHook: result.addedByHook.map(({ text }) => text),
    warning: result.warning ?? null,
  });
  return undefined;
}

async function make(request: ShipRequest, log: ShipLog): Promise<CommitResult> {
  const { git, account, settings, outline, session } = request;
  const { provider, name } = account.baseline.model;
  const touched = account.touched.files.map(({ path }) => gitPath(path));
  try {
    return await commitPaths(git, {
      paths: [...touched, ...settings.planningFiles ? await planningFiles(git) : []],
      message: commitMessage({
        outline: { ...outline, goal: goalOf(account, outline) },
        session: session.id,
        prefix: settings.prefix,
        assistedBy: settings.attribution ? `${provider}:${name}` : undefined,
      }),
      scratch: scratchOf(request),
      signal: request.signal,
      timeoutMs: settings.commitTimeoutMs,
    });
  } catch (error) {
    const detail = messageOf(error).toWellFormed();
    log.append([{ type: "phase", phase: "ship", status: "failed", detail }]);
    throw error;
  }
}

function record(request: ShipRequest, log: ShipLog, facts: CommitFacts): void {
  log.record("commit", facts);
  const { commit, paths, addedByHook, warning } = facts;
  request.onEvent({
    type: "ship_step",
    step: "commit",
    detail: `${commit.slice(0, 12)}, ${paths.length} file${paths.length === 1 ? "" : "s"}`,
  });
  if (addedByHook.length > 0) {
    const text = `A hook has put more into the commit: ${addedByHook.join(", ")}`;
    request.onEvent({ type: "notice", text });
  }
  if (warning !== null) request.onEvent({ type: "notice", text: warning });
}
