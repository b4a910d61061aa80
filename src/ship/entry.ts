/**
 * The ledger entry of a session that has ended.
 * Rule: pure; every number comes from the log or from the commit's diff.
 */
import { estimateTokens } from "../ledger/digest.ts";
import { type LedgerEntry, SESSION_ID } from "../ledger/entry.ts";
import { type Phase, PHASES } from "../ledger/names.ts";
import { type CountedRequests, countRequests } from "../ledger/usage.ts";
import type { SessionAccount } from "./account.ts";
import { type Outline, taskCounts } from "./outline.ts";
import type { MetricsFacts } from "./steps.ts";

/** How a session has ended. */
export interface Ending {
  outcome: LedgerEntry["outcome"];
  /** When, as in `2026-11-29T23:12:05.000Z`. */
  endedAt: string;
  /** The project's name. */
  project: string;
  /** Who worked; null where it is not to be said. */
  author: string | null;
  /** What was changed; of a shipped session, by its commit. */
  metrics:
    & Pick<
      MetricsFacts,
      "added" | "modified" | "deleted" | "renamed" | "binary" | "insertions" | "deletions"
    >
    & { extensions: Readonly<Record<string, number>>; files: readonly string[] };
  base: string | null;
  commit: string | null;
  /** The proof of the commit; null without one. */
  proved: LedgerEntry["proved"];
}

/** Makes the entry. */
export function buildEntry(account: SessionAccount, outline: Outline, ending: Ending): LedgerEntry {
  const { baseline, clock } = account;
  const { usage, inherited, phases } = countRequests(account.requests, account.session);
  const { added, modified, deleted, renamed, binary, insertions, deletions } = ending.metrics;
  const memory = baseline.memory;
  return {
    version: 2,
    id: crypto.randomUUID(),
    session: account.session,
    attempt: account.steps.attempts + 1,
    author: ending.author,
    agent: "m31a",
    outcome: ending.outcome,
    project: {
      name: ending.project.toWellFormed(),
      type: outline.projectType.toWellFormed() || "unknown",
      framework: outline.framework.toWellFormed() || null,
    },
    model: `${baseline.model.provider}:${baseline.model.name}`,
    started: account.startedAt,
    ended: ending.endedAt,
    workingMs: clock.workingMs,
    usage,
    inherited,
    tasks: taskCounts(outline),
    heals: account.failures.heals,
    phases: phasesOf(clock.msByPhase, phases),
    extensions: { ...ending.metrics.extensions },
    memory: {
      blocks: memory?.blocks.filter((id) => SESSION_ID.test(id)) ?? [],
      commits: memory?.blocks.filter((id) => !SESSION_ID.test(id)) ?? [],
      tokens: estimateTokens(memory?.text ?? ""),
    },
    failures: account.failures.failures,
    checks: account.checks.map(({ name, passed, durationMs }) => ({
      name: name.toWellFormed(),
      passed,
      ms: Math.round(durationMs),
    })),
    ...(outline.caveats.length === 0
      ? {}
      : { caveats: outline.caveats.map((caveat) => caveat.toWellFormed()) }),
    diff: { added, modified, deleted, renamed, binary, insertions, deletions },
    files: ending.metrics.files.map((path) => path.toWellFormed()),
    base: ending.base,
    commit: ending.commit,
    goal: goalOf(account, outline).toWellFormed(),
    proved: ending.proved,
  };
}

/** What the session was about: its goal, or what was said first. */
export function goalOf(account: SessionAccount, outline: Outline): string {
  return outline.goal.trim() === "" ? account.firstMessage : outline.goal;
}

/** Phases in which something was done, their time and their requests put together. */
function phasesOf(
  msByPhase: ReadonlyMap<Phase, number>,
  requests: CountedRequests["phases"],
): LedgerEntry["phases"] {
  const phases: LedgerEntry["phases"] = {};
  for (const phase of PHASES) {
    const ms = msByPhase.get(phase);
    const sent = requests.get(phase);
    if (ms === undefined && sent === undefined) continue;
    phases[phase] = { ms: ms ?? 0, ...(sent ?? { requests: 0, tokens: 0, cost: 0 }) };
  }
  return phases;
}
