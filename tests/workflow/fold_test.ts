import assert from "node:assert/strict";
import type { RecordDraft } from "../../src/session/records.ts";
import { readCarriedState } from "../../src/workflow/state.ts";
import {
  approvedPlanOf,
  brief,
  check,
  entered,
  GOAL,
  planOf,
  reply,
  running,
  stateAfter,
} from "./records.ts";

const STARTED = [GOAL, entered("plan"), approvedPlanOf("1", "2"), entered("execute")] as const;

Deno.test("nextState() makes the tasks of an approved plan pending", () => {
  const { tasks } = stateAfter(...STARTED);
  assert.deepEqual(tasks.map(({ id, status }) => [id, status]), [["1", "pending"], [
    "2",
    "pending",
  ]]);
});

Deno.test("nextState() opens a turn with a brief and ends it with a reply without calls", () => {
  const begun = [...STARTED, running("1"), brief("execute", "1")] as const;
  assert.deepEqual(stateAfter(...begun).attempt?.turn, { status: "open" });
  assert.deepEqual(stateAfter(...begun, reply("", "read_file")).attempt?.turn, { status: "open" });
  assert.deepEqual(stateAfter(...begun, reply("done")).attempt?.turn, {
    status: "ended",
    gaveUp: null,
  });
});

Deno.test("nextState() ends a turn with a result that says so, and keeps why the model gave up", () => {
  const state = stateAfter(
    ...STARTED,
    running("1"),
    brief("execute", "1"),
    reply("", "finish_task"),
    {
      type: "tool_result",
      call: 1,
      tool: "finish_task",
      output: "",
      isError: false,
      outcome: { kind: "task_finished", summary: "", gaveUp: "no such file" },
    },
  );
  assert.deepEqual(state.attempt?.turn, { status: "ended", gaveUp: "no such file" });
});

for (
  const [reason, cause, expected] of [
    ["interrupted", undefined, { status: "interrupted" }],
    ["limit", undefined, { status: "failed", cause: "limit_reached", detail: "why" }],
    ["error", undefined, { status: "failed", cause: "model_error", detail: "why" }],
    ["error", "context_overflow", { status: "failed", cause: "context_overflow", detail: "why" }],
  ] as const
) {
  Deno.test(`nextState() knows how a turn that was aborted by ${reason} (${cause}) ended`, () => {
    const state = stateAfter(...STARTED, running("1"), brief("execute", "1"), {
      type: "aborted",
      reason,
      detail: "why",
      ...(cause === undefined ? {} : { cause }),
    });
    assert.deepEqual(state.attempt?.turn, expected);
  });
}

Deno.test("nextState() takes a message that is not about the attempt for an interruption of its turn", () => {
  const state = stateAfter(...STARTED, running("1"), brief("execute", "1"), {
    type: "user",
    text: "wait",
    source: "user",
  });
  assert.deepEqual(state.attempt?.turn, { status: "interrupted" });
});

Deno.test("nextState() begins the next attempt at a task with the failed check as evidence", () => {
  const { attempt, tasks } = stateAfter(
    ...STARTED,
    running("1"),
    brief("execute", "1"),
    reply("done"),
    check("1", true, "lint"),
    check("1", false),
    running("1", 1),
  );
  assert.equal(attempt?.number, 1);
  assert.deepEqual(attempt?.checks, []);
  assert.deepEqual(attempt?.turn, { status: "none" });
  assert.equal(attempt?.failure?.checks[0]?.output, "1 failed");
  assert.deepEqual([tasks[0]?.heals, tasks[0]?.cause], [1, "test_failure"]);
});

Deno.test("nextState() counts a heal in verify by its message", () => {
  const { attempt } = stateAfter(...STARTED, entered("verify"), check(null, false), {
    type: "user",
    text: "heal",
    source: "heal",
    about: { phase: "verify", task: null },
  });
  assert.equal(attempt?.number, 1);
  assert.deepEqual(attempt?.checks, []);
  assert.equal(attempt?.failure?.cause, "test_failure");
});

Deno.test("nextState() keeps what a file held before the first change since the last checkpoint", () => {
  const file = (digit: string) => ({ mode: "100644", blob: digit.repeat(40) });
  const change = (
    call: number,
    ...touched: { path: string; before: { mode: string; blob: string } | null; after: null }[]
  ) =>
    ({
      type: "tool_result",
      call,
      tool: "edit_file",
      output: "",
      isError: false,
      outcome: { kind: "change", patch: "", touched, seen: {} },
    }) as const;
  const changed = stateAfter(
    ...STARTED,
    running("1"),
    change(
      1,
      { path: "x", before: file("a"), after: null },
      { path: "new", before: null, after: null },
    ),
    change(2, { path: "x", before: file("b"), after: null }),
  );
  assert.deepEqual(changed.touched, [
    { path: "x", before: file("a"), after: null },
    { path: "new", before: null, after: null },
  ]);
});

Deno.test("nextState() gives failed and skipped tasks another chance when execution is entered again", () => {
  const { tasks } = stateAfter(
    ...STARTED,
    running("1"),
    { type: "task", task: "1", status: "failed", heals: 2, cause: "unknown" },
    { type: "task", task: "2", status: "skipped", heals: 0 },
    { type: "phase", phase: "execute", status: "failed", detail: "1 of 2" },
    entered("execute"),
  );
  assert.deepEqual(tasks.map(({ status, heals }) => [status, heals]), [["pending", 0], [
    "pending",
    0,
  ]]);
});

Deno.test("nextState() keeps a done task of a new plan only if its content is the same", () => {
  const plan = planOf(["1", "2", "3"]);
  const changed = {
    ...plan,
    tasks: plan.tasks.map((task) => task.id === "2" ? { ...task, detail: "other" } : task),
  };
  const { tasks } = stateAfter(
    GOAL,
    { type: "plan", version: 1, approved: true, plan },
    { type: "task", task: "1", status: "done", heals: 0 },
    { type: "task", task: "2", status: "done", heals: 0 },
    { type: "plan", version: 2, approved: true, plan: changed },
  );
  assert.deepEqual(tasks.map(({ status }) => status), ["done", "pending", "pending"]);
});

Deno.test("readCarriedState() reads back what JSON keeps of a state, and refuses anything else", () => {
  const state = stateAfter(...STARTED, running("1"), brief("execute", "1"), check("1", false));
  assert.deepEqual(readCarriedState(JSON.parse(JSON.stringify(state))), state);
  assert.throws(() => readCarriedState({ goal: 1 }), /carried\.workflow/);
});

Deno.test("nextState() begins a goal behind a shipped one with nothing of its plans and looks", () => {
  const edited: RecordDraft = {
    type: "edited",
    document: "STATE.md",
    sha256: "0".repeat(64),
    text: "# State\n",
  };
  const done: RecordDraft = { type: "shipped", step: "done", facts: {} };
  const next = stateAfter(...STARTED, edited, done, GOAL);
  assert.deepEqual([next.plans, next.looks, next.isShipped], [[], {}, false]);
  // One that was not shipped leaves its plans to be numbered on, and none of them is approved.
  const unshipped = stateAfter(...STARTED, edited, GOAL);
  assert.deepEqual(unshipped.plans.map(({ version, approved }) => [version, approved]), [[
    1,
    false,
  ]]);
  assert.deepEqual(Object.keys(unshipped.looks), ["STATE.md"]);
  assert.deepEqual(unshipped.tasks, []);
});

Deno.test("nextState() takes a shipped workflow up again when its work or its commit is taken back", () => {
  const done: RecordDraft = { type: "shipped", step: "done", facts: {} };
  const made = { type: "checkpoint" as const, unkept: [], commit: "c".repeat(40), task: null };
  const task: RecordDraft = { ...made, number: 1, files: ["a"], kind: "task" };
  const turn: RecordDraft = { ...made, number: 2, files: ["b"], kind: "turn", turn: 9 };
  const undo = (to: number): RecordDraft => (
    { ...made, number: 3, files: ["a"], kind: "undo", to }
  );
  assert.equal(stateAfter(...STARTED, task, done).isShipped, true);
  assert.equal(stateAfter(...STARTED, task, done, turn, undo(0)).isShipped, false);
  // What was only said and done behind it is none of its work.
  assert.equal(stateAfter(...STARTED, task, done, turn, undo(1)).isShipped, true);
  const undone: RecordDraft = { type: "shipped", step: "undone", facts: {} };
  assert.equal(stateAfter(...STARTED, done, undone).isShipped, false);
});

Deno.test("nextState() counts the tries of a planning from nought when planning is entered again", () => {
  const refused: RecordDraft = {
    type: "tool_result",
    call: 1,
    tool: "submit_plan",
    output: "no",
    isError: true,
  };
  const begun = [GOAL, entered("plan"), brief("plan", null), refused] as const;
  assert.equal(stateAfter(...begun).refusedPlans, 1);
  assert.equal(stateAfter(...begun, entered("plan")).refusedPlans, 0);
});

Deno.test("nextState() takes no check for the attempt's that is another task's", () => {
  const begun = [...STARTED, running("1"), brief("execute", "1"), reply("done")] as const;
  for (const other of ["2", null]) {
    assert.deepEqual(stateAfter(...begun, check(other, true)).attempt?.checks, []);
  }
  assert.equal(stateAfter(...begun, check("1", true)).attempt?.checks.length, 1);
});
