/**
 * Finishing a session: preflight, commit, metrics, demonstration, ledger, memory, archive.
 * Rule: each step is recorded once it is durable and not done again; killed anywhere, a ship goes on from there.
 */
import { metricsOfCommit } from "../git/diff.ts";
import type { LedgerEntry } from "../ledger/entry.ts";
import { archiveDocuments, archiveFolder, writeDemonstration } from "./archive.ts";
import { commitStep, type NotCommitted } from "./commit_step.ts";
import { demonstrate } from "./demonstration.ts";
import { diffLine } from "./demonstration_facts.ts";
import { buildEntry, goalOf } from "./entry.ts";
import type { ShipStep } from "./events.ts";
import { removeLeftovers } from "./leftovers.ts";
import { ShipLog } from "./log.ts";
import { metricsOf } from "./metrics.ts";
import { isPlanningUndecided } from "./planning_files.ts";
import type { ShipRequest } from "./request.ts";
import { scratchOf } from "./preflight.ts";
import { recordEntry, settleEntry } from "./settle_entry.ts";
import type { CommitFacts, DemonstrationFacts, MetricsFacts } from "./steps.ts";

/** How a ship ended. */
export type ShipOutcome =
  /** `wasDone`: it had been shipped before, and nothing was done now. */
  | { outcome: "shipped"; commit: string; entry: LedgerEntry; archive: string; wasDone: boolean }
  | NotCommitted;

/**
 * Ships a session, or goes on with a ship that was cut off.
 *
 * @throws {CommitFailed} when git, a hook or signing did not let the commit be made: nothing is shipped then
 * @throws {LedgerDamaged} {@linkcode FileError} when a later step fails; shipping again goes on from there
 */
export async function ship(request: ShipRequest): Promise<ShipOutcome> {
  const { account } = request;
  const log = new ShipLog(request.session, account);
  // What an attempt before this one has decided to tell is told first.
  await settleEntry(request.root, account, log);
  if (!account.steps.isShipped) {
    if (account.steps.commit === undefined) {
      const reason = await commitStep(request, log);
      if (reason !== undefined) return reason;
    }
    await finish(request, log);
    return shipped(request, false);
  }
  return shipped(request, true);
}

function shipped({ account, session }: ShipRequest, wasDone: boolean): ShipOutcome {
  const { lastCommit, entry } = account.steps;
  if (lastCommit === undefined || entry === undefined) {
    throw new Error("a shipped session has a commit and an entry");
  }
  const archive = archiveFolder(session.id, entry.entry.attempt);
  return { outcome: "shipped", commit: lastCommit, entry: entry.entry, archive, wasDone };
}

/** All that comes after the commit. */
async function finish(request: ShipRequest, log: ShipLog): Promise<void> {
  const { account, root, onEvent } = request;
  const { steps } = account;
  const { commit } = steps;
  if (commit === undefined) throw new Error("the commit is recorded first");
  const tell = (step: ShipStep, detail: string) => onEvent({ type: "ship_step", step, detail });

  const metrics = steps.metrics ?? await measure(request, log, commit);
  tell("metrics", diffLine(metrics));
  const demonstration = steps.demonstration ?? await tellAbout(request, log, commit, metrics);
  if (!steps.isArchived) writeDemonstration(root, demonstration.text);
  tell("demonstration", demonstration.reason);
  if (!isEntryOf(steps.entry?.entry, commit)) decideEntry(request, log, commit, metrics);
  await settleEntry(root, account, log);
  tell("ledger", "");
  tell("memory", "");
  const { id } = request.session;
  const archive = archiveFolder(id, steps.attempts);
  if (!steps.isArchived) {
    const files = archiveDocuments(root, id, steps.attempts);
    log.record("archive", { folder: archive, files });
  }
  tell("archive", archive);
  removeLeftovers(scratchOf(request));
  log.record("done", { commit: commit.commit }, [
    { type: "phase", phase: "ship", status: "done", detail: commit.commit.slice(0, 12) },
  ]);
  tell("done", "");
  if (!request.settings.planningFiles && await isPlanningUndecided(request.git)) {
    onEvent({ type: "notice", text: PLANNING_UNDECIDED });
  }
}

const PLANNING_UNDECIDED =
  "planning/ holds the plans, the memory and the ledger; git neither has it " +
  "nor ignores it. What is to become of it: m31a init --planning commit, or --planning ignore";

function isEntryOf(entry: LedgerEntry | undefined, { commit }: CommitFacts): boolean {
  return entry?.outcome === "shipped" && entry.commit === commit;
}

async function measure(
  { git, account, clock }: ShipRequest,
  log: ShipLog,
  { commit }: CommitFacts,
): Promise<MetricsFacts> {
  const { extensions, files, ...counts } = metricsOf(await metricsOfCommit(git, commit));
  const facts: MetricsFacts = {
    ...counts,
    extensions: { ...extensions },
    files: files.map((path) => path.toWellFormed()),
    workingMs: account.clock.workingMs,
    wallMs: Math.max(0, clock.now().getTime() - Date.parse(account.startedAt)),
  };
  log.record("metrics", facts);
  return facts;
}

async function tellAbout(
  { git, account, outline, session, writer, signal }: ShipRequest,
  log: ShipLog,
  commit: CommitFacts,
  metrics: MetricsFacts,
): Promise<DemonstrationFacts> {
  const goal = goalOf(account, outline);
  const subject = {
    session: session.id,
    outline,
    goal,
    checks: account.checks,
    changedByChecks: account.changedByChecks,
    overrides: account.steps.overrides,
    commit,
    metrics,
  };
  const { facts, records } = await demonstrate(git, subject, writer, signal);
  log.record("demonstration", facts, records);
  return facts;
}

function decideEntry(
  { account, outline, project, author, clock }: ShipRequest,
  log: ShipLog,
  { base, commit, proof: { tree, why } }: CommitFacts,
  metrics: MetricsFacts,
): void {
  const endedAt = clock.now().toISOString();
  const outcome = "shipped";
  const proved = { tree, why: why.toWellFormed() };
  const ending = { outcome, endedAt, project, author, metrics, base, commit, proved } as const;
  recordEntry(log, buildEntry(account, outline, ending));
}
