import assert from "node:assert/strict";
import fc from "fast-check";
import {
  executionOrder,
  findCycle,
  pathProblem,
  PLAN_LIMITS,
  type SubmittedPlan,
  validatePlan,
} from "../../src/workflow/plan_validation.ts";

type Task = SubmittedPlan["tasks"][number];

function task(id: string, dependsOn: string[] = [], change: Partial<Task> = {}): Task {
  return { id, title: `Task ${id}`, detail: "", files: [], dependsOn, acceptance: "", ...change };
}

function plan(tasks: Task[], change: Partial<SubmittedPlan> = {}): SubmittedPlan {
  return { summary: "Do it.", tasks, risks: [], verification: [], leavesFailing: [], ...change };
}

Deno.test("validatePlan() finds nothing wrong with a good plan", () => {
  const good = plan([
    task("1", [], { files: ["src/a.ts", "docs/", ".github/workflows/ci.yml", "a b/ü.txt"] }),
    task("b.2", ["1"]),
    task("3", ["1", "b.2"]),
  ], { risks: ["none"], verification: ["deno test"] });
  assert.deepEqual(validatePlan(good), []);
});

for (
  const [name, bad, problems] of [
    ["no tasks", plan([]), ["there is no task; give at least one"]],
    ["no summary", plan([task("1")], { summary: " " }), ["the summary is empty"]],
    [
      "an ID used twice",
      plan([task("1"), task("1")]),
      ["task ID 1 is used twice; give each task its own"],
    ],
    [
      "an ID with a blank",
      plan([task("a b")]),
      [/^task ID "a b" is not a letter or digit, then up to 31/],
    ],
    [
      "a dependency that does not exist",
      plan([task("1", ["9"])]),
      ['task 1 depends on "9", which is not a task of this plan'],
    ],
    ["a dependency named twice", plan([task("1"), task("2", ["1", "1"])]), [/dependency 1 twice/]],
    [
      "a task that depends on itself",
      plan([task("1", ["1"])]),
      ["the dependencies go in a circle: 1 → 1; take one of them out"],
    ],
    [
      "a circle",
      plan([task("1"), task("2", ["4", "1"]), task("3", ["2"]), task("4", ["3"])]),
      ["the dependencies go in a circle: 2 → 4 → 3 → 2; take one of them out"],
    ],
    ["a title of two lines", plan([task("1", [], { title: "a\nb" })]), [/more than one line/]],
    ["an empty title", plan([task("1", [], { title: "" })]), ["the title of task 1 is empty"]],
    ["half a surrogate", plan([task("1", [], { detail: "\ud800" })]), [/not well-formed Unicode/]],
    [
      "too long a detail",
      plan([task("1", [], { detail: "x".repeat(20_001) })]),
      ["the detail of task 1 has 20001 characters; 20000 is the most"],
    ],
    [
      "too many tasks",
      plan(Array.from({ length: 51 }, (_, at) => task(`${at}`))),
      ["the plan has 51 tasks; 50 is the most"],
    ],
    [
      "a path above the project",
      plan([task("1", [], { files: ["a/../../b"] })]),
      ['task 1: file "a/../../b" leads out of the project'],
    ],
    ["an empty risk", plan([task("1")], { risks: [""] }), ["risk 1 is empty"]],
  ] as const
) {
  Deno.test(`validatePlan() names ${name}`, () => {
    const found = validatePlan(bad);
    assert.equal(found.length, problems.length, found.join("\n"));
    problems.forEach((problem, at) => {
      if (typeof problem === "string") assert.equal(found[at], problem);
      else assert.match(found[at] ?? "", problem);
    });
  });
}

Deno.test("pathProblem() refuses what is not a file of the project", () => {
  for (
    const path of [
      ...["", "/etc/passwd", "~/x", "C:/x", "c:x", "..", "../a", "a/..", "./a", "a//b", "a\\b"],
      ...[".git/config", "sub/.git/hooks/x", ".GIT/config", ".git./x", "git~1/x", "a\nb", "a\0"],
      ...["planning/TASKS.md", "sessions", "Planning/x", "/", "x".repeat(301)],
    ]
  ) {
    assert.notEqual(pathProblem(path), undefined, JSON.stringify(path));
  }
  for (const path of ["a", ".gitignore", "src/planning/x.ts", "a..b", "...", "planning.md"]) {
    assert.equal(pathProblem(path), undefined, path);
  }
});

/** Tasks that depend on earlier ones only, in any order. */
const orderable = fc.integer({ min: 0, max: PLAN_LIMITS.tasks }).chain((count) =>
  fc.tuple(...Array.from({ length: count }, (_, at) => fc.subarray([...Array(at).keys()])))
).chain((dependencies) => {
  const tasks = dependencies.map((on, at) => ({ id: `${at}`, dependsOn: on.map(String) }));
  return fc.shuffledSubarray(tasks, { minLength: tasks.length });
});

Deno.test("executionOrder() puts each task behind its dependencies, and changes nothing else", () => {
  fc.assert(fc.property(orderable, (tasks) => {
    const order = executionOrder(tasks);
    assert.deepEqual(new Set(order), new Set(tasks));
    const place = new Map(order.map(({ id }, at) => [id, at]));
    order.forEach(({ dependsOn }, at) => {
      for (const id of dependsOn) assert.ok((place.get(id) ?? Infinity) < at);
    });
    // Stable: a task that comes before one given earlier was ready when that one was not.
    order.forEach((later, at) => {
      const ready = new Set(order.slice(0, at).map(({ id }) => id));
      const first = tasks.find((task) =>
        !ready.has(task.id) && task.dependsOn.every((id) => ready.has(id))
      );
      assert.equal(first, later);
    });
    assert.equal(findCycle(tasks), undefined);
  }));
});

Deno.test("findCycle() gives a circle that is really there, whenever there is no order", () => {
  const tasks = fc.integer({ min: 2, max: 8 }).chain((count) => {
    const ids = Array.from({ length: count }, (_, at) => `${at}`);
    return fc.tuple(
      ...ids.map((id) =>
        fc.record({ id: fc.constant(id), dependsOn: fc.subarray(ids, { maxLength: 2 }) })
      ),
    );
  });
  fc.assert(fc.property(tasks, (tasks) => {
    const cycle = findCycle(tasks);
    if (cycle === undefined) {
      assert.equal(executionOrder(tasks).length, tasks.length);
      return;
    }
    assert.throws(() => executionOrder(tasks), /no order of tasks/);
    assert.ok(cycle.length >= 2);
    assert.equal(cycle[0], cycle.at(-1));
    cycle.slice(1).forEach((id, at) => {
      assert.ok(tasks.find((task) => task.id === cycle[at])?.dependsOn.includes(id));
    });
  }));
});
