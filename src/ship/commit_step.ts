/**
 * The commit of a ship.
 * Rule: exactly what the session touched and the user included, proved before it is made; where the log says that it was
 * begun, it is looked for before it is made.
 */
import { amendMessage, type CommitResult, messageOfCommit } from "../git/commit.ts";
import { type GitPath, gitPath } from "../git/path.ts";
import { headCommit } from "../git/state.ts";
import { treeToCommit } from "../git/tree_to_commit.ts";
import { previewUndoCommit, undoCommit } from "../git/undo_commit.ts";
import { messageOf } from "../platform/errors.ts";
import { commitMessage, withProof } from "./commit_message.ts";
import { goalOf } from "./entry.ts";
import { findCommit } from "./find_commit.ts";
import { tryCommit } from "./hook_changes.ts";
import type { ShipLog } from "./log.ts";
import { planningFiles } from "./planning_files.ts";
import { mayShip, type PreflightCheck } from "./preflight/check.ts";
import { runPreflight, scratchOf } from "./preflight.ts";
import { includedFiles } from "./included_files.ts";
import { OWN_FOLDERS } from "./proof/own_folders.ts";
import { removeLeftProofs } from "./proof/proof_folder.ts";
import { announceProof, proveCommit, settleProof } from "./proof/proof_step.ts";
import type { ShipRequest } from "./request.ts";
import type { CommitFacts } from "./steps.ts";

/** Why there is no commit. */
export interface NotCommitted {
  outcome: "blocked" | "declined";
  checks: PreflightCheck[];
}

type MadeCommit = Omit<CommitFacts, "base" | "proof">;

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
  await removeLeftProofs(git, scratchOf(request));
  const { base: begunBase } = account.steps;
  const made = begunBase === undefined ? undefined : await findCommit(git, session.id, begunBase);
  if (made !== undefined && begunBase !== undefined) {
    return await settle(request, log, { ...made, addedByHook: [], warning: null }, begunBase);
  }
  const checks = await runPreflight(request);
  request.onEvent({ type: "preflight", checks });
  if (!mayShip(checks)) return { outcome: "blocked", checks };
  const paths = await pathsToCommit(request);
  const tree = await treeToCommit(git, paths, OWN_FOLDERS, scratchOf(request));
  const proof = await proveCommit(request, log, tree);
  request.onEvent({ type: "proof", check: proof.check });
  checks.push(proof.check);
  if (!mayShip(checks)) return { outcome: "blocked", checks };
  if (await request.confirm?.(checks) === false) return { outcome: "declined", checks };
  const base = await headCommit(git) ?? null;
  const overrides = checks.flatMap(({ overriddenBy }) => overriddenBy ?? []);
  log.record("begun", { base, overrides }, [
    { type: "phase", phase: "ship", status: "entered", detail: "" },
  ]);
  const result = await make(request, log, paths, proof.facts);
  if ("outcome" in result) return result;
  return await settle(request, log, {
    commit: result.commit,
    paths: result.paths.map(({ text }) => text),
    addedByHook: result.addedByHook.map(({ text }) => text),
    warning: result.warning ?? null,
  }, base);
}

/** The checklist as it would be, the proof announced and not made. Nothing is changed. */
export async function lookAhead(request: ShipRequest): Promise<PreflightCheck[]> {
  const checks = await runPreflight(request);
  if (!mayShip(checks)) return checks;
  const paths = await pathsToCommit(request);
  const tree = await treeToCommit(request.git, paths, OWN_FOLDERS, scratchOf(request));
  return [...checks, await announceProof(request, tree)];
}

/** What the commit is to hold. */
async function pathsToCommit(
  { git, account, settings, include }: ShipRequest,
): Promise<GitPath[]> {
  const touched = account.touched.files.map(({ path }) => gitPath(path));
  const planning = settings.planningFiles ? await planningFiles(git) : [];
  return [...touched, ...await includedFiles(git, include), ...planning];
}

/** Sees to it that the commit is what its trailer says, and records it; one that is not proved any more is taken back. */
async function settle(
  request: ShipRequest,
  log: ShipLog,
  made: MadeCommit,
  base: string | null,
): Promise<NotCommitted | undefined> {
  const { git, session } = request;
  const proof = await settleProof(request, log, made.commit);
  if (proof.outcome === "refuted") {
    await undoCommit(git, await previewUndoCommit(git, session.id));
    const detail = `taken back: ${proof.check.summary}`;
    log.append([{ type: "phase", phase: "ship", status: "failed", detail }]);
    const text = "The commit was taken back; what the hook made of the files is still there.";
    request.onEvent({ type: "notice", text });
    return { outcome: "blocked", checks: [proof.check] };
  }
  const commit = proof.outcome === "as_said" ? made.commit : await amendMessage(git, {
    message: withProof(await messageOfCommit(git, made.commit), proof.facts),
    scratch: scratchOf(request),
    timeoutMs: request.settings.commitTimeoutMs,
    signal: request.signal,
  });
  record(request, log, { ...made, commit, base, proof: proof.facts });
  return undefined;
}

function messageFor(request: ShipRequest, proof: CommitFacts["proof"]): string {
  const { account, settings, outline, session } = request;
  const { provider, name } = account.baseline.model;
  return commitMessage({
    outline: { ...outline, goal: goalOf(account, outline) },
    session: session.id,
    prefix: settings.prefix,
    subject: settings.subject,
    given: request.message,
    proof,
    assistedBy: settings.attribution ? `${provider}:${name}` : undefined,
  });
}

/** Makes the commit; where a hook mends what it would hold and refuses it, proved anew and once more. */
async function make(
  request: ShipRequest,
  log: ShipLog,
  paths: readonly GitPath[],
  proof: CommitFacts["proof"],
): Promise<CommitResult | NotCommitted> {
  const { git, settings, signal, onEvent } = request;
  const scratch = scratchOf(request);
  const common = { paths, scratch, signal, timeoutMs: settings.commitTimeoutMs };
  const failed = (detail: string) =>
    log.append([{ type: "phase", phase: "ship", status: "failed", detail: detail.toWellFormed() }]);
  try {
    const first = await tryCommit(request, log, { ...common, message: messageFor(request, proof) });
    if (first.outcome === "made") return first.result;
    const fixed = first.paths.join(", ");
    onEvent({
      type: "notice",
      text: `A hook changed files of the commit and refused it: ${fixed}. ` +
        "The changes are taken along, and it is tried once more.",
    });
    const tree = await treeToCommit(git, paths, OWN_FOLDERS, scratch);
    const { facts, check } = await proveCommit(request, log, tree);
    onEvent({ type: "proof", check });
    if (check.verdict === "block") {
      failed(`a hook changed ${fixed}: ${check.summary}`);
      return { outcome: "blocked", checks: [check] };
    }
    const message = messageFor(request, facts);
    const second = await tryCommit(request, log, { ...common, message });
    if (second.outcome === "made") return second.result;
    throw second.failure;
  } catch (error) {
    failed(messageOf(error));
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
