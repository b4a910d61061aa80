import assert from "node:assert/strict";
import type { RecordDraft, SessionRecord } from "../../src/session/records.ts";
import { type Ancestor, SessionAccount } from "../../src/ship/account.ts";
import { buildEntry } from "../../src/ship/entry.ts";
import { NO_METRICS } from "../../src/ship/metrics.ts";
import { encodeEntry } from "../../src/ledger/entry.ts";
import { plainBaseline, TEST_SESSION } from "../support/conversations.ts";
import { diagnose, OUTLINE } from "./shippable.ts";

/** The account of a log with these records. */
function accountOf(
  drafts: readonly RecordDraft[],
  ancestors: readonly Ancestor[] = [],
): SessionAccount {
  const account = new SessionAccount(plainBaseline(), ancestors, diagnose);
  drafts.forEach((draft, index) => {
    const at = new Date(Date.UTC(2026, 0, 2, 3, 5, index)).toISOString();
    const record: SessionRecord = { ...draft, seq: index + 1, at, prev: "0".repeat(16) };
    account.apply(record, 0);
  });
  return account;
}

function usage(
  requestId: string,
  more: Partial<Extract<RecordDraft, { type: "usage" }>> = {},
): RecordDraft {
  return {
    type: "usage",
    requestId,
    purpose: "turn",
    provider: "p",
    model: "m",
    input: 100,
    output: 10,
    cacheRead: 50,
    cacheWrite: 0,
    isReported: true,
    cost: 0.01,
    costSource: "reported",
    durationMs: 1000,
    retries: 0,
    ...more,
  };
}

const phase = (
  name: "plan" | "execute" | "verify",
  status: "entered" | "done" | "failed",
): RecordDraft => ({
  type: "phase",
  phase: name,
  status,
  detail: "why",
});

const task = (
  status: "running" | "done" | "failed",
  heals: number,
  cause?: "type_error" | "test_failure",
): RecordDraft => ({
  type: "task",
  task: "1",
  status,
  heals,
  ...(cause === undefined ? {} : { cause, detail: "detail" }),
});

const check = (passed: boolean): RecordDraft => ({
  type: "check",
  name: "test",
  command: "t",
  task: null,
  passed,
  exitCode: 1,
  output: "",
  durationMs: 5,
  purpose: "attempt",
  tests: null,
  tree: { unknown: "not taken" },
  touched: [],
  unknown: [],
  restored: [],
});

const ending = {
  outcome: "failed",
  endedAt: "2026-01-02T04:00:00.000Z",
  project: "p",
  author: "ada",
  metrics: NO_METRICS,
  base: null,
  commit: null,
  proved: null,
} as const;

Deno.test("SessionAccount counts a request once, in the phase that was going on, and its time as work", () => {
  const account = accountOf([
    phase("plan", "entered"),
    usage("r1"),
    usage("r1"),
    phase("plan", "done"),
    phase("execute", "entered"),
    usage("r2", { durationMs: 500 }),
    usage("r3", { purpose: "demonstration", costSource: "unknown", cost: null }),
  ]);
  const entry = buildEntry(account, OUTLINE, ending);
  assert.equal(entry.usage.requests, 3);
  assert.equal(entry.usage.cacheRead, 150);
  assert.deepEqual(entry.phases.plan, { ms: 2000, requests: 1, tokens: 110, cost: 0.01 });
  assert.deepEqual(entry.phases.ship, { ms: 1000, requests: 1, tokens: 110, cost: 0 });
  assert.equal(entry.workingMs, 3500);
  assert.equal(entry.usage.source, "mixed");
  encodeEntry(entry);
});

Deno.test("SessionAccount gives a fork's requests to the sessions that sent them, and their steps to none", () => {
  const [old, parent] = ["20250101-000000-0000", "20250102-000000-0000"];
  const account = accountOf([
    usage("r1"),
    usage("r2"),
    { type: "shipped", step: "done", facts: {} },
    usage("r3"),
  ], [{ session: old, lastSeq: 1 }, { session: parent, lastSeq: 3 }]);
  assert.equal(account.steps.isShipped, false);
  const entry = buildEntry(account, OUTLINE, ending);
  assert.equal(entry.usage.requests, 1);
  assert.deepEqual(
    entry.inherited.map(({ session, requests }) => [session, requests]),
    [[old, 1], [parent, 1]],
  );
});

Deno.test("SessionAccount names a failure for each cause of a task, with the heals that answered it", () => {
  const healed = accountOf([
    phase("execute", "entered"),
    task("running", 0),
    task("running", 1, "type_error"),
    task("running", 2, "test_failure"),
    task("done", 2),
  ]);
  assert.deepEqual(
    healed.failures.failures.map(({ cause, heals, healed }) => [cause, heals, healed]),
    [["type_error", 1, true], ["test_failure", 1, true]],
  );
  const failed = accountOf([
    phase("execute", "entered"),
    task("running", 0),
    task("running", 1, "type_error"),
    task("running", 2, "type_error"),
    task("failed", 2, "type_error"),
    phase("execute", "failed"),
  ]);
  assert.deepEqual(
    failed.failures.failures.map(({ cause, heals, healed }) => [cause, heals, healed]),
    [["type_error", 2, false]],
  );
  assert.equal(failed.failures.heals, 2);
});

Deno.test("SessionAccount takes the first check that fails in a round of verify for its cause", () => {
  const heal: RecordDraft = {
    type: "user",
    text: "heal",
    source: "heal",
    about: { phase: "verify", task: null },
  };
  const account = accountOf([
    phase("verify", "entered"),
    check(false),
    check(false),
    heal,
    check(true),
    phase("verify", "done"),
  ]);
  assert.equal(account.isVerified, true);
  assert.deepEqual(
    account.failures.failures.map(({ task, heals, healed }) => [task, heals, healed]),
    [["verify", 1, true]],
  );
  assert.deepEqual(account.checks.map(({ passed }) => passed), [true]);
});

Deno.test("SessionAccount names the cause of a phase that failed without a check: what aborted its turn", () => {
  const account = accountOf([
    phase("plan", "entered"),
    { type: "aborted", reason: "limit", detail: "too many" },
    phase("plan", "failed"),
  ]);
  assert.deepEqual(
    account.failures.failures.map(({ task, cause }) => [task, cause]),
    [["plan", "limit_reached"]],
  );
});

Deno.test("SessionAccount begins to count anew behind an entry", () => {
  const entry = buildEntry(accountOf([usage("r1")]), OUTLINE, ending);
  const account = accountOf([
    { type: "goal", text: "g", mode: "run" },
    usage("r1"),
    { type: "shipped", step: "entry", facts: { ...entry } },
    { type: "shipped", step: "ledger", facts: {} },
    { type: "shipped", step: "memory", facts: {} },
    usage("r2"),
  ]);
  assert.equal(account.hasOpenGoal, false);
  const next = buildEntry(account, OUTLINE, ending);
  assert.deepEqual([next.session, next.attempt, next.usage.requests], [TEST_SESSION, 2, 1]);
  assert.equal(next.started, "2026-01-02T03:05:05.000Z");
});

Deno.test("SessionAccount does not take what was changed after verify for verified", () => {
  const changed: RecordDraft = {
    type: "intent",
    call: 1,
    done: "",
    changes: [{ path: "a", before: null, after: { mode: "100644", blob: "b" } }],
  };
  assert.equal(accountOf([phase("verify", "done"), changed]).isVerified, false);
  assert.equal(
    accountOf([phase("verify", "done"), { type: "goal", text: "g", mode: "run" }]).isVerified,
    false,
  );
});

Deno.test("SessionAccount keeps how a check ended on the whole tree, whatever a task's said afterwards", () => {
  const ofTask = { ...check(false), task: "1" } as RecordDraft;
  assert.deepEqual(accountOf([ofTask]).checks.map(({ passed }) => passed), [false]);
  assert.deepEqual(accountOf([ofTask, check(true)]).checks.map(({ passed }) => passed), [true]);
  assert.deepEqual(accountOf([check(true), ofTask]).checks.map(({ passed }) => passed), [true]);
});

Deno.test("SessionAccount counts what happens between two phases as conversation", () => {
  const account = accountOf([
    phase("plan", "entered"),
    usage("r1"),
    phase("plan", "done"),
    usage("r2", { durationMs: 700 }),
    phase("execute", "entered"),
    phase("execute", "failed"),
    usage("r3", { durationMs: 70 }),
  ]);
  assert.deepEqual([...account.clock.msByPhase], [["plan", 1000], ["chat", 770]]);
});
