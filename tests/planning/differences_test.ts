import assert from "node:assert/strict";
import { diffDocuments } from "../../src/planning/differences.ts";
import { emptyPlan } from "../../src/planning/plan.ts";
import { emptyProject } from "../../src/planning/project.ts";
import { emptyState } from "../../src/planning/state.ts";
import { emptyTasks, type TaskRow } from "../../src/planning/tasks.ts";

function row(id: string, change: Partial<TaskRow> = {}): TaskRow {
  return {
    id,
    status: "pending",
    title: `Task ${id}`,
    dependsOn: [],
    files: [],
    acceptance: "",
    heals: 0,
    checkpoint: "",
    others: [],
    ...change,
  };
}

Deno.test("diffDocuments() finds nothing between equal documents", () => {
  for (const document of [emptyPlan(), emptyProject(), emptyState(), emptyTasks()]) {
    assert.deepEqual(diffDocuments(document, structuredClone(document)), []);
  }
});

Deno.test("diffDocuments() names what was changed, added, removed and moved in the tasks", () => {
  const before = { ...emptyTasks(), tasks: [row("1"), row("2"), row("3")] };
  const after = {
    ...emptyTasks(),
    tasks: [row("4"), row("3", { files: ["a", "b"] }), row("2", { status: "done" as const })],
  };
  assert.deepEqual(diffDocuments(before, after), [
    "task 1 removed: Task 1",
    "task 4 added: Task 4",
    "task 3: files (empty) → a, b",
    "task 2: status pending → done",
    "order of tasks 2, 3 → 3, 2",
  ]);
});

Deno.test("diffDocuments() shows the beginning of a long goal, on one line", () => {
  const [line, ...more] = diffDocuments(
    { ...emptyProject(), goal: "a" },
    { ...emptyProject(), goal: "b\nc".repeat(100) },
  );
  assert.equal(line, `goal a → ${"b c".repeat(20)}…`);
  assert.deepEqual(more, []);
});

Deno.test("diffDocuments() says in one line that a person's own text changed", () => {
  const before = emptyPlan();
  const after = { ...before, layout: { ...before.layout, title: "# Mine" } };
  assert.deepEqual(diffDocuments(before, after), ["text of your own changed"]);
});

Deno.test("diffDocuments() refuses documents of different kinds", () => {
  assert.throws(() => diffDocuments(emptyPlan(), emptyState()), TypeError);
});
