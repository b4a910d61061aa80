import assert from "node:assert/strict";
import fc from "fast-check";
import type { RecordDraft } from "../../src/session/records.ts";
import { taskBrief } from "../../src/workflow/briefs.ts";
import { liveAfter } from "../../src/workflow/undo_fold.ts";
import { approvedPlanOf, entered, GOAL, planOf, running, stateAfter } from "./records.ts";

const COMMIT = "c".repeat(40);

function checkpoint(number: number, task: string | null): RecordDraft {
  return {
    type: "checkpoint",
    number,
    commit: COMMIT,
    task,
    files: ["a"],
    unkept: [],
    kind: "task",
  };
}

function undo(number: number, to: number): RecordDraft {
  const kind = "undo";
  return {
    type: "checkpoint",
    number,
    commit: COMMIT,
    task: null,
    files: ["a"],
    unkept: [],
    kind,
    to,
  };
}

function ended(task: string, status: "done" | "failed" | "skipped"): RecordDraft {
  return { type: "task", task, status, heals: 0 };
}

function done(number: number, task: string): RecordDraft[] {
  return [running(task), checkpoint(number, task), ended(task, "done")];
}

const STARTED = [GOAL, approvedPlanOf("1", "2", "3"), entered("execute")];

/** The tasks after `drafts`, each as `status checkpoint`. */
function tasksAfter(...drafts: RecordDraft[]): string[] {
  return stateAfter(...drafts).tasks.map(({ status, checkpoint }) =>
    `${status} ${checkpoint ?? ""}`.trim()
  );
}

Deno.test("nextState() calls tasks pending whose checkpoints an undo took back, and done again that came back", () => {
  const both = [...STARTED, ...done(1, "1"), ...done(2, "2")];
  assert.deepEqual(tasksAfter(...both, undo(3, 1)), ["done 1", "pending", "pending"]);
  assert.deepEqual(tasksAfter(...both, undo(3, 0)), ["pending", "pending", "pending"]);
  assert.deepEqual(tasksAfter(...both, undo(3, 0), undo(4, 2)), ["done 1", "done 2", "pending"]);
  assert.deepEqual(tasksAfter(...both, undo(3, 1), ...done(4, "2"), undo(5, 2)), [
    "done 1",
    "done 2",
    "pending",
  ]);
});

Deno.test("nextState() keeps the failure of a task that is not taken back, and begins anew what was skipped or running", () => {
  const failed = [running("1"), checkpoint(1, "1"), ended("1", "failed"), ended("2", "skipped")];
  const drafts = [...STARTED, ...failed, running("3"), checkpoint(2, "3"), undo(3, 1)];
  assert.deepEqual(tasksAfter(...drafts), ["failed 1", "pending", "pending"]);
});

Deno.test("nextState() leaves a task done that a person called so", () => {
  const drafts = [...STARTED, ended("2", "done"), ...done(1, "1"), undo(2, 0)];
  assert.deepEqual(tasksAfter(...drafts), ["pending", "done", "pending"]);
});

Deno.test("nextState() does not take an earlier goal's task for one of the present goal's of the same name", () => {
  const next = [GOAL, approvedPlanOf("1"), entered("execute"), ...done(2, "1")];
  const drafts = [...STARTED, ...done(1, "1"), ...next, undo(3, 1)];
  assert.deepEqual(tasksAfter(...drafts), ["pending"]);
  const replanned: RecordDraft = { type: "plan", version: 2, approved: true, plan: planOf(["1"]) };
  assert.deepEqual(
    tasksAfter(...STARTED, ...done(1, "1"), replanned, ...done(2, "1"), undo(3, 1)),
    [
      "pending",
    ],
  );
});

Deno.test("nextState() says in its last action where an undo led, and forgets what was touched", () => {
  const state = stateAfter(...STARTED, ...done(1, "1"), undo(2, 0));
  assert.equal(state.lastAction, "undo: back to before the first change");
  assert.deepEqual([state.touched, state.isShipped], [[], false]);
});

Deno.test("taskBrief() says that the task was taken back before", () => {
  const both = [...STARTED, ...done(1, "1"), ...done(2, "2")];
  const briefAfter = (...drafts: RecordDraft[]) =>
    taskBrief(stateAfter(...drafts), planOf(["1", "2", "3"]), "2");
  assert.doesNotMatch(briefAfter(...both), /taken back/);
  assert.match(briefAfter(...both, undo(3, 1)), /was taken back by the user/);
  assert.doesNotMatch(briefAfter(...both, undo(3, 1), undo(4, 2)), /taken back/);
});

Deno.test("liveAfter() leads back to what there was at any checkpoint", () => {
  const kinds = fc.array(fc.option(fc.nat(100), { nil: null }), { minLength: 1, maxLength: 12 });
  fc.assert(fc.property(kinds, (targets) => {
    const history = targets.map((target, index) =>
      target === null
        ? { number: index + 1, kind: "task" as const, to: null }
        : { number: index + 1, kind: "undo" as const, to: target % (index + 1) }
    );
    for (const { number, kind, to } of history) {
      const live = liveAfter(history, number);
      const source = kind === "task"
        ? [...liveAfter(history, number - 1), number]
        : liveAfter(history, to ?? 0);
      assert.deepEqual(live, source);
    }
  }));
});
