/** Documents as people edit them: what still means the same, what is kept, what is refused and where. */
import assert from "node:assert/strict";
import { DamagedData } from "../../src/platform/errors.ts";
import { parsePlan, renderPlan } from "../../src/planning/plan.ts";
import { PlanningError } from "../../src/planning/planning_error.ts";
import { emptyProject, parseProject, renderProject } from "../../src/planning/project.ts";
import { emptyState, parseState, renderState } from "../../src/planning/state.ts";
import { parseTasks, renderTasks } from "../../src/planning/tasks.ts";

Deno.test("parseTasks() reads a table with padded, reordered and unknown columns", () => {
  const text = `# Tasks

Mine: do not touch.

| Status   | Owner | task            |  ID | Files |
|:---------|-------|-----------------|----:|-------|
| **done** | x     | Write *it* now  |  1  |
|  Pending |       | \`a\\|b\` &amp; \\*c  | 2   | src/a.ts, \`b,c.ts\`<br>d |

Below the table.

## My notes

* one
* two   ${"  "}
`;
  const tasks = parseTasks(text);
  assert.deepEqual(
    tasks.tasks.map(({ id, status, title, files, others }) => ({
      id,
      status,
      title,
      files,
      others,
    })),
    [
      { id: "1", status: "done", title: "Write *it* now", files: [], others: ["x"] },
      {
        id: "2",
        status: "pending",
        title: "`a|b` & *c",
        files: ["src/a.ts", "b,c.ts", "d"],
        others: [""],
      },
    ],
  );
  assert.equal(
    renderTasks(tasks),
    `# Tasks

Mine: do not touch.

| Status | Owner | Task | ID | Files | Depends on | Acceptance | Heals | Checkpoint |
| --- | --- | --- | --- | --- | --- | --- | --- | --- |
| done | x | Write *it* now | 1 |  |  |  | 0 |  |
| pending |  | \`a\\|b\` & *c | 2 | \`src/a.ts\`, \`b,c.ts\`, \`d\` |  |  | 0 |  |

Below the table.

## My notes

* one
* two   ${"  "}
`,
  );
});

const TABLE = "# Tasks\n\n| ID | Status | Task | Heals |\n| --- | --- | --- | --- |\n";
for (
  const [name, text, message] of [
    [
      "a wrong status",
      `${TABLE}| 1 | done | a | 0 |\n| 2 | done | b | 0 |\n| 3 | doen | c | 0 |`,
      'planning/TASKS.md:7: status "doen" is not one of pending, running, done, failed, skipped',
    ],
    ["no ID", `${TABLE}|  | done | a | 0 |`, /^planning\/TASKS\.md:5: ID "" is not a letter or/],
    [
      "an ID that is there twice",
      `${TABLE}| 1 | done | a | |\n| 1 | done | b | |`,
      'planning/TASKS.md:6: the ID "1" is already that of line 5',
    ],
    [
      "a number that is none",
      `${TABLE}| 1 | done | a | two |`,
      'planning/TASKS.md:5: heals "two" is not a number from 0 up',
    ],
    [
      "a pipe that is not escaped",
      `${TABLE}| 1 | done | a | b | 0 |`,
      "planning/TASKS.md:5: the row has 5 cells, the header 4; write \\| for a | that is text",
    ],
    [
      "a missing column",
      "\n| ID | Task |\n| --- | --- |\n",
      'planning/TASKS.md:2: the table has no column "Status"',
    ],
    [
      "a column that is there twice",
      "| ID | Status | Task | id |\n| --- | --- | --- | --- |\n",
      'planning/TASKS.md:1: the column "ID" is there twice',
    ],
  ] as const
) {
  Deno.test(`parseTasks() refuses ${name} with file and line`, () => {
    for (const written of [text, text.replaceAll("\n", "\r\n")]) {
      assert.throws(() => parseTasks(written), (error: unknown) => {
        assert.ok(error instanceof PlanningError && error instanceof DamagedData);
        assert.equal(error.exitCode, 3);
        assert.equal(error.path, "planning/TASKS.md");
        if (typeof message === "string") assert.equal(error.message, message);
        else assert.match(error.message, message);
        return true;
      });
    }
  });
}

Deno.test("parsePlan() refuses each mark of a merge that is left outside of code, and takes it in code for text", () => {
  for (const mark of ["<<<<<<< HEAD", ">>>>>>> theirs", "  >>>>>>> theirs", "<<<<<<<"]) {
    assert.throws(() => parsePlan(`## Summary\n\nDo it.\n\n${mark}\n`), {
      message: /^planning\/plan\.md:5: /,
    });
    const inCode = parsePlan(`## Summary\n\n\`\`\`\n${mark}\n\`\`\`\n`);
    assert.equal(inCode.summary, `\`\`\`\n${mark}\n\`\`\``);
  }
});

Deno.test("parsePlan() reads a plan that was written by hand", () => {
  const plan = parsePlan(`Plan
====

intro

## summary

Make it
*fast*.

##   Tasks ##

### 1: Measure

Run the
benchmark.

Files: bench.ts,
src/a.ts

**Depends on**: -

### \`b-2.\` Change **it**

* one
* two

__acceptance:__ a <br> b

#### Why

> because

## Risks

+ none
+ some
  more

  - nested
## Verification
1. build
2. test
`);
  assert.deepEqual({ ...plan, layout: undefined }, {
    kind: "plan",
    layout: undefined,
    summary: "Make it\n*fast*.",
    tasks: [
      {
        id: "1",
        title: "Measure",
        detail: "Run the\nbenchmark.",
        files: ["bench.ts", "src/a.ts"],
        dependsOn: [],
        acceptance: "",
      },
      {
        id: "b-2",
        title: "Change **it**",
        detail: "* one\n* two\n\n#### Why\n\n> because",
        files: [],
        dependsOn: [],
        acceptance: "a \n b",
      },
    ],
    leavesFailing: [],
    risks: ["none", "some\nmore\n\n- nested"],
    verification: ["build", "test"],
  });
  assert.deepEqual(plan.layout.kept, [{ place: "title", at: "after", markdown: "intro" }]);
  assert.deepEqual(parsePlan(renderPlan(plan)), plan);
});

for (
  const [name, text, message] of [
    [
      "a heading without an ID",
      "## Tasks\n\n### Do it\n",
      /^planning\/plan\.md:3: a task's heading/,
    ],
    ["an ID that is there twice", "## Tasks\n### 1. a\n### 1. b\n", /:3: the ID "1" is already/],
    [
      "a section that is there twice",
      "## Risks\n\n## risks\n",
      /:3: the section "Risks" is here tw/,
    ],
    [
      "a field that is there twice",
      "## Tasks\n### 1. a\n\nFiles: a\n\nFiles: b\n",
      /:6: "Files" is given twice/,
    ],
    [
      "a JSON block that is no string",
      "## Summary\n\n```json string\n{}\n```\n",
      /:4: this block must hold one JSON string/,
    ],
  ] as const
) {
  Deno.test(`parsePlan() refuses ${name} with its line`, () => {
    assert.throws(() => parsePlan(text), (error: unknown) => {
      assert.ok(error instanceof PlanningError);
      assert.match(error.message, message);
      return true;
    });
  });
}

Deno.test("renderProject() leaves a plain goal a plain paragraph", () => {
  for (
    const goal of [
      "Add a dark mode to the settings page.",
      "Speed up `parse()` in src/parser.ts → by 2x; don't break snake_case & co.",
      "First paragraph.\n\nSecond one:\n\n- a\n- b\n\n```ts\nlet x = 1 < 2;\n```",
      "**Important:** 1 < 2, a | b, 50 % [sic]",
    ]
  ) {
    const text = renderProject({ ...emptyProject(), goal });
    assert.equal(text, `# Project\n\n## Goal\n\n${goal}\n`);
  }
});

Deno.test("renderProject() carries a goal with a pipe, newlines and a heading", () => {
  const goal = "Make a | b work\n## Session\nand ```this```\n";
  const text = renderProject({ ...emptyProject(), goal });
  assert.equal(text, `# Project\n\n## Goal\n\n\`\`\`\`text\n${goal}\n\`\`\`\`\n`);
  assert.equal(parseProject(text).goal, goal);
  const crlf = parseProject(text.replaceAll("\n", "\r\n"));
  assert.equal(crlf.goal, goal);
  assert.equal(renderProject(crlf), text.replaceAll("\n", "\r\n"));
});

Deno.test("renderProject() keeps a goal with carriage returns and NUL in JSON", () => {
  const goal = "a\r\nb\0";
  const text = renderProject({ ...emptyProject(), goal });
  assert.match(text, /```json string\n"a\\r\\nb\\u0000"\n```/);
  assert.equal(parseProject(text).goal, goal);
});

Deno.test("parseProject() keeps unknown sections in their place, and front matter before the title", () => {
  const text = `---
owner: me
---

# Our project

<!-- a comment -->

## Goal

Go.

## Deadline
Tuesday, *really*.

    code

## Project

- **Type:** Deno
- **Framework:**
- **Package manager:**
- Node: none
  - nested

## Links

[x]: http://x
`;
  const project = parseProject(text);
  assert.equal(project.goal, "Go.");
  assert.equal(project.projectType, "Deno");
  assert.equal(renderProject(project), text);
});

Deno.test("parseProject() closes a code block that was left open before anything is put behind it", () => {
  const project = parseProject("# Project\n\nSee:\n\n```sh\nls");
  const text = renderProject({ ...project, goal: "Go." });
  assert.equal(text, "# Project\n\nSee:\n\n```sh\nls\n```\n\n## Goal\n\nGo.\n");
});

Deno.test("parseState() reads any bullets and labels, and keeps unknown items", () => {
  const state = parseState("# State\n\n* phase: plan\n* **Session**: `x`\n* my own\n  line\n");
  assert.equal(state.phase, "plan");
  assert.equal(state.session, "`x`");
  assert.deepEqual(state.otherFields, ["* my own\n  line"]);
  assert.deepEqual(parseState(renderState(state)), state);
  assert.throws(
    () => parseState("- Phase: a\n- phase: b"),
    /^PlanningError: planning\/STATE\.md:2: "Phase" is given twice; leave one$/,
  );
});

Deno.test("renderState() is a list that reads well", () => {
  assert.equal(
    renderState({ ...emptyState(), phase: "plan", lastAction: "Ran `a | b` & <c>" }),
    "# State\n\n- **Session:**\n- **Phase:** plan\n- **Progress:**\n" +
      "- **Last action:** Ran `a | b` & \\<c>\n- **Time:**\n",
  );
});

Deno.test("parseProject() refuses a merge that was left undecided, and knows text about one in code", () => {
  const text = `# Project

## Checks

| Check | Command |
| --- | --- |
<<<<<<< HEAD
| test | \`make test\` |
=======
| test | \`true\` |
>>>>>>> other
`;
  assert.throws(() => parseProject(text), (error: unknown) => {
    assert(error instanceof PlanningError);
    assert.match(error.message, /planning\/PROJECT\.md:7: a merge was left undecided here/);
    return true;
  });
  const goal = "Resolve this:\n<<<<<<< HEAD\na\n=======\nb\n>>>>>>> other";
  assert.equal(parseProject(renderProject({ ...emptyProject(), goal })).goal, goal);
});
