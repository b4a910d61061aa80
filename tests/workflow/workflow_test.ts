import assert from "node:assert/strict";
import { stoppedClock } from "../session/samples.ts";
import { UsageError } from "../../src/platform/errors.ts";
import { fails, recordsOf, says } from "../support/conversations.ts";
import { LimitReached } from "../../src/agent/limits.ts";
import { withPlainFolder } from "../support/git_folder.ts";
import type { Gates, PlanReview } from "../../src/workflow/gates.ts";
import { document, edits, FINISH, run, storyOf, submits, task, withProject } from "./runs.ts";

const LOOKED = says("Looked.");

Deno.test("runWorkflow() goes from a goal to a verified change, healing a wrong fix, and the documents show it", () =>
  withProject(async (folder) => {
    const { end, model } = await run(folder, {
      goal: "Make it 1, 3",
      answers: [LOOKED, submits(task("1")), edits("2", "three"), edits("three", "3")],
    });
    assert.deepEqual(end, { outcome: "verified" });
    assert.equal(folder.read("numbers.txt"), "1\n3\n");
    assert.deepEqual(storyOf(await recordsOf(folder.root)), [
      "initialize entered",
      "initialize done",
      "discuss entered",
      "brief discuss null",
      "discuss done",
      "plan entered",
      "baseline test true",
      "brief plan null",
      "plan v1 true",
      "plan done",
      "execute entered",
      "task 1 running 0",
      "brief execute 1",
      "check 1 false",
      "task 1 running 1 test_failure",
      "heal execute 1",
      "check 1 true",
      "checkpoint 1 of 1: numbers.txt",
      "task 1 done 1",
      "execute done",
      "verify entered",
      "verify done",
    ]);
    assert.match(model.bodies.at(-1) ?? "", /2:three\\n1 failed/);
    assert.match(document(folder, "TASKS.md"), /\| 1 +\| done .*\| 1 +\| `?1`? +\|/);
    assert.match(document(folder, "STATE.md"), /verify \(done\)/);
    assert.match(document(folder, "PROJECT.md"), /Make it 1, 3/);
    assert.equal(document(folder, "plan.v1.md"), document(folder, "plan.md"));
    const diff = folder.run(
      "diff",
      "--stat",
      "refs/m31a/20260102-030405-1a2b/1~",
      "refs/m31a/20260102-030405-1a2b/1",
    );
    assert.match(diff, /numbers\.txt/);
    assert.match(folder.run("status", "--porcelain"), /^ M numbers\.txt$/m);
  }));

Deno.test("runWorkflow() gives a task up after two heals, skips what depends on it, goes on with the rest, and fails", () =>
  withProject(async (folder) => {
    const { end } = await run(folder, {
      goal: "Three things",
      answers: [
        LOOKED,
        submits(task("1"), task("2", "1"), task("3", "2")),
        edits("1", "10"),
        edits("2", "x"),
        edits("x", "y"),
        edits("y", "z"),
      ],
    });
    assert.deepEqual(end, {
      outcome: "failed",
      phase: "execute",
      reason: "1 of 3 tasks failed, 1 skipped",
    });
    const records = await recordsOf(folder.root);
    assert.deepEqual(storyOf(records).slice(-5), [
      "check 2 false",
      "checkpoint 2 of 2: numbers.txt",
      "task 2 failed 2 test_failure",
      "task 3 skipped 0",
      "execute failed",
    ]);
    const skipped = records.findLast(({ type }) => type === "task");
    assert(skipped?.type === "task");
    assert.equal(skipped.detail, "task 2, which it depends on, failed");
    assert.match(
      document(folder, "TASKS.md"),
      /\| 1 +\| done[^]*\| 2 +\| failed[^]*\| 3 +\| skipped/,
    );
  }));

Deno.test("runWorkflow() with a phase to enter again gives failed tasks another chance", () =>
  withProject(async (folder) => {
    const bad = [edits("2", "x"), edits("x", "y"), edits("y", "z")];
    await run(folder, { goal: "One thing", answers: [LOOKED, submits(task("1")), ...bad] });
    const again = await run(folder, { answers: [] });
    assert.equal(again.end.outcome, "failed");
    const { end } = await run(folder, { from: "execute", answers: [edits("z", "9")] });
    assert.deepEqual(end, { outcome: "verified" });
    assert.equal(folder.read("numbers.txt"), "1\n9\n");
  }));

Deno.test("runWorkflow() hands a plan back that cannot be carried out, and fails after three tries", () =>
  withProject(async (folder) => {
    const { end, model } = await run(folder, {
      goal: "Plan badly",
      answers: [LOOKED, submits(task("1", "7")), says("That is my plan."), submits(task("1", "1"))],
    });
    assert.deepEqual(end.outcome, "failed");
    assert.match(model.bodies[2] ?? "", /task 1 depends on \\"7\\"/);
    assert.match(model.bodies[3] ?? "", /There is no plan yet/);
    assert.equal(storyOf(await recordsOf(folder.root)).at(-1), "plan failed");
  }));

Deno.test("runWorkflow() takes recommended answers when nobody is there, and refuses the fifth question", () =>
  withProject(async (folder) => {
    const question = (number: number) => ({
      tool: "ask_user",
      input: { question: `Question ${number}?`, options: [`yes ${number}`, "no"] },
    });
    const { model } = await run(folder, {
      goal: "Ask",
      answers: [
        says("", [1, 2, 3, 4, 5].map(question)),
        LOOKED,
        submits(task("1")),
        says("", [FINISH]),
      ],
    });
    const answers = storyOf(await recordsOf(folder.root)).filter((line) =>
      line.startsWith("answer")
    );
    assert.deepEqual(answers, [1, 2, 3, 4].map((number) => `answer yes ${number} by recommended`));
    assert.match(model.bodies[1] ?? "", /4 questions were asked/);
    assert.match(document(folder, "PROJECT.md"), /Question 4\? +\| yes 4 +\| recommended/);
  }));

Deno.test("runWorkflow() changes and runs nothing before the plan is approved", () =>
  withProject(async (folder) => {
    const early = says("", [
      { tool: "write_file", input: { path: "early.txt", content: "x" } },
      { tool: "run_command", input: { command: "touch early.txt" } },
    ]);
    const { model } = await run(folder, {
      goal: "Hurry",
      answers: [early, LOOKED, early, submits(task("1")), says("", [FINISH])],
    });
    assert.throws(() => folder.read("early.txt"));
    assert.match(
      model.bodies[1] ?? "",
      /write_file is not allowed now[^]*run_command is not allowed now/,
    );
  }));

Deno.test("runWorkflow() does not call what has no checks verified", () =>
  withProject(async (folder) => {
    const answers = [LOOKED, submits(task("1")), edits("2", "3")];
    const { end } = await run(folder, { goal: "No checks", answers, checks: {} });
    assert(end.outcome === "failed");
    assert.match(end.reason, /not verified: the project has no checks.*planning\/config\.toml/);
  }));

for (const [first, second] of [["true", "false"], ["false", "true"]] as const) {
  Deno.test(`runWorkflow() wants every check to pass, and not one of two (${first}, ${second})`, () =>
    withProject(async (folder) => {
      const { end } = await run(folder, {
        goal: "One thing",
        checks: { first, second },
        answers: [
          LOOKED,
          submits(task("1")),
          edits("2", "3"),
          says("", [FINISH]),
          says("", [FINISH]),
        ],
      });
      assert.equal(end.outcome, "failed");
      const records = await recordsOf(folder.root);
      const task1 = records.findLast(({ type }) => type === "task");
      assert(task1?.type === "task");
      assert.equal(task1.status, "failed");
    }));
}

Deno.test("runWorkflow() takes a turn that a limit ends for a failed attempt with that cause", () =>
  withProject(async (folder) => {
    const limit = fails(new LimitReached("limit reached: 3 requests a turn"));
    const { end } = await run(folder, {
      goal: "Run out",
      answers: [LOOKED, submits(task("1")), limit, limit, limit],
    });
    assert.equal(end.outcome, "failed");
    assert.deepEqual(
      storyOf(await recordsOf(folder.root)).filter((line) => line.startsWith("task")),
      [
        "task 1 running 0",
        "task 1 running 1 limit_reached",
        "task 1 running 2 limit_reached",
        "task 1 failed 2 limit_reached",
      ],
    );
  }));

Deno.test("runWorkflow() believes a model that says that a task cannot be done", () =>
  withProject(async (folder) => {
    const cannot = says("", [{
      tool: "finish_task",
      input: { summary: "No.", cannot: "no such thing" },
    }]);
    const { end } = await run(folder, {
      goal: "Impossible",
      answers: [LOOKED, submits(task("1")), cannot, cannot, cannot],
    });
    assert.equal(end.outcome, "failed");
    const failed = (await recordsOf(folder.root)).findLast(({ type }) => type === "task");
    assert(failed?.type === "task");
    assert.deepEqual([failed.status, failed.detail], ["failed", "given up: no such thing"]);
  }));

Deno.test("runWorkflow() heals in verify what no task is responsible for", () =>
  withProject(async (folder) => {
    // The check passes after the task and fails afterwards, until it is healed.
    folder.write(
      "check.sh",
      "test ! -e trap || ! test -e again || exit 1; test -e trap && touch again; exit 0\n",
    );
    folder.commitAll();
    const { end } = await run(folder, {
      goal: "Verify",
      answers: [
        LOOKED,
        submits(task("1")),
        says("", [{ tool: "write_file", input: { path: "trap", content: "" } }, FINISH]),
        says("", [{ tool: "delete_file", input: { path: "trap" } }, FINISH]),
      ],
    });
    assert.deepEqual(end, { outcome: "verified" });
    assert.deepEqual(storyOf(await recordsOf(folder.root)).slice(-7), [
      "execute done",
      "verify entered",
      "check null false",
      "heal verify null",
      "check null true",
      "checkpoint 2 of null: trap",
      "verify done",
    ]);
  }));

Deno.test("runWorkflow() fails in verify when two heals have not helped", () =>
  withProject(async (folder) => {
    const check = "grep -q 3 numbers.txt || exit 0; test -e checked && exit 1; touch checked\n";
    folder.write("check.sh", check);
    folder.commitAll();
    const finish = says("", [FINISH]);
    const { end } = await run(folder, {
      goal: "Verify",
      answers: [LOOKED, submits(task("1")), edits("2", "3"), finish, finish],
    });
    assert(end.outcome === "failed");
    assert.deepEqual([end.phase, /test_failure: check test failed/.test(end.reason)], [
      "verify",
      true,
    ]);
    assert.equal(storyOf(await recordsOf(folder.root)).at(-1), "verify failed");
  }));

Deno.test("runWorkflow() takes a check whose time was over for a failed one, whatever its exit code", () =>
  withProject(async (folder) => {
    const finish = says("", [FINISH]);
    const { end } = await run(folder, {
      goal: "Wait",
      checks: { slow: "trap 'exit 0' TERM; while :; do sleep 600 & wait; done" },
      maxSeconds: 0.5,
      answers: [LOOKED, submits(task("1")), finish, finish, finish],
    });
    assert.equal(end.outcome, "failed");
    const task1 = (await recordsOf(folder.root)).findLast(({ type }) => type === "task");
    assert(task1?.type === "task");
    assert.deepEqual([task1.status, task1.cause], ["failed", "timeout"]);
  }));

Deno.test("runWorkflow() asks its user no question twice", () =>
  withProject(async (folder) => {
    const gates = gatesOf([() => ({ decision: "approve" })]);
    const asked: string[] = [];
    const listening: Gates = {
      ...gates,
      ask: (question) => {
        asked.push(question.question);
        return gates.ask(question);
      },
    };
    const ask = { tool: "ask_user", input: { question: "How?" } };
    const { end } = await run(folder, {
      goal: "Together",
      mode: "chat",
      gates: listening,
      answers: [says("", [ask, ask]), LOOKED, submits(task("1")), says("", [FINISH])],
    });
    assert.deepEqual(end, { outcome: "verified" });
    assert.deepEqual(asked, ["How?"]);
  }));

Deno.test("runWorkflow() is interrupted at once, and goes on afterwards with the task that was under way", () =>
  withProject(async (folder) => {
    const controller = new AbortController();
    const interrupted = await run(folder, {
      goal: "Interrupt",
      signal: controller.signal,
      answers: [LOOKED, submits(task("1")), () => {
        controller.abort(new DOMException("stop", "AbortError"));
        return Promise.reject(controller.signal.reason);
      }],
    });
    assert.equal(interrupted.end.outcome, "interrupted");
    const { end, model } = await run(folder, { answers: [edits("2", "3")] });
    assert.deepEqual(end, { outcome: "verified" });
    assert.match(model.bodies[0] ?? "", /You were interrupted/);
    const tasks = storyOf(await recordsOf(folder.root)).filter((line) => line.startsWith("task"));
    assert.deepEqual(tasks, ["task 1 running 0", "task 1 done 0"]);
  }));

function gatesOf(reviews: (() => PlanReview)[]): Gates {
  return {
    ask: () => Promise.resolve("as you like"),
    reviewPlan: () => {
      const review = reviews.shift();
      return review === undefined
        ? Promise.reject(new Error("no more"))
        : Promise.resolve(review());
    },
  };
}

Deno.test("runWorkflow() asks its user to approve the plan, has it changed, and takes an edited one over", () =>
  withProject(async (folder) => {
    const gates = gatesOf([
      () => ({ decision: "change", wish: "two tasks, please" }),
      () => {
        const path = `${folder.root}/planning/plan.md`;
        Deno.writeTextFileSync(path, Deno.readTextFileSync(path).replace("Task 2", "The second"));
        return { decision: "edited" };
      },
      () => ({ decision: "approve" }),
    ]);
    const ask = says("", [{ tool: "ask_user", input: { question: "How?" } }]);
    const { end, model } = await run(folder, {
      goal: "Together",
      mode: "chat",
      gates,
      answers: [
        ask,
        LOOKED,
        submits(task("1")),
        submits(task("1"), task("2")),
        says("", [FINISH]),
        says("", [FINISH]),
      ],
    });
    assert.deepEqual(end, { outcome: "verified" });
    const story = storyOf(await recordsOf(folder.root));
    assert.deepEqual(story.filter((line) => /^(plan v|answer|user)/.test(line)), [
      "answer as you like by user",
      "plan v1 false",
      "user plan null",
      "plan v2 false",
      "plan v3 true",
    ]);
    assert.match(model.bodies[5] ?? "", /Task 2 \(2 of 2\): The second/);
    assert.match(document(folder, "plan.v2.md"), /Task 2/);
    assert.match(document(folder, "plan.v3.md"), /The second/);
  }));

Deno.test("runWorkflow() stops at a gate that its user leaves, and comes back to it", () =>
  withProject(async (folder) => {
    const stopped = await run(folder, {
      goal: "Stop",
      mode: "chat",
      gates: gatesOf([() => ({ decision: "stop" })]),
      answers: [LOOKED, submits(task("1"))],
    });
    assert.deepEqual(stopped.end, { outcome: "interrupted", reason: "the plan was not approved" });
    const { end } = await run(folder, {
      mode: "chat",
      gates: gatesOf([() => ({ decision: "approve" })]),
      answers: [says("", [FINISH])],
    });
    assert.deepEqual(end, { outcome: "verified" });
  }));

Deno.test("runWorkflow() takes over what was edited between two tasks, and stops at what it cannot understand", () =>
  withProject(async (folder) => {
    const path = `${folder.root}/planning/TASKS.md`;
    const edit = (change: (text: string) => string) =>
      Deno.writeTextFileSync(path, change(Deno.readTextFileSync(path)));
    const { events } = await run(folder, {
      goal: "Edit",
      answers: [
        LOOKED,
        submits(task("1"), task("2"), task("3")),
        says("", [FINISH]),
        says("", [FINISH]),
      ],
      onEvent: (event) => {
        if (event.type !== "checkpoint" || event.number !== 1) return;
        edit((text) => text.replace(/(\| 2 +\| )pending/, "$1done   "));
      },
    });
    assert.deepEqual(events.find(({ type }) => type === "edited"), {
      type: "edited",
      document: "TASKS.md",
      differences: ["task 2: status pending → done"],
    });
    const running = storyOf(await recordsOf(folder.root)).filter((line) =>
      line.includes("running")
    );
    assert.deepEqual(running, ["task 1 running 0", "task 3 running 0"]);
    edit((text) => text.replace("| done", "| finished"));
    const before = Deno.readTextFileSync(path);
    await assert.rejects(run(folder, { answers: [] }), /planning\/TASKS\.md:5: status "finished"/);
    assert.equal(Deno.readTextFileSync(path), before);
  }));

Deno.test("runWorkflow() says that it needs a git repository, and a goal", async () => {
  await withPlainFolder((folder) =>
    assert.rejects(run(folder, { goal: "Anything", answers: [] }), (error) => {
      assert(error instanceof UsageError);
      assert.match(error.message, /is not a git repository.*git init/);
      return true;
    })
  );
  await withProject((folder) => assert.rejects(run(folder, { answers: [] }), /no goal yet/));
});

Deno.test("runWorkflow() works in a repository without a commit", () =>
  withProject(async (folder) => {
    folder.run("update-ref", "-d", "HEAD");
    const answers = [LOOKED, submits(task("1")), edits("2", "3")];
    const { end } = await run(folder, { goal: "Unborn", answers });
    assert.deepEqual(end, { outcome: "verified" });
  }));

Deno.test("runWorkflow() keeps what a command made in the checkpoint of its task", () =>
  withProject(async (folder) => {
    const command = { tool: "run_command", input: { command: "echo made > made.txt" } };
    await run(folder, {
      goal: "By command",
      answers: [LOOKED, submits(task("1")), says("", [command, FINISH])],
    });
    const story = storyOf(await recordsOf(folder.root));
    assert(story.includes("checkpoint 1 of 1: made.txt"), story.join("\n"));
  }));

Deno.test("runWorkflow() goes on through a compaction in the middle of a task", () =>
  withProject(async (folder) => {
    const answers = [
      LOOKED,
      submits(task("1"), task("2")),
      edits("2", "3"),
      says("", [{ tool: "read_file", input: { path: "numbers.txt" } }], { input: 900 }),
      says("So far: task 1 is done."),
      edits("3", "4"),
    ];
    const { end, model } = await run(folder, { goal: "Long", answers, contextWindowTokens: 1000 });
    assert.deepEqual(end, { outcome: "verified" });
    assert.equal(folder.read("numbers.txt"), "1\n4\n");
    assert.match(
      model.bodies.at(-1) ?? "",
      /So far: task 1 is done[^]*Go on with what you were doing/,
    );
    assert.match(document(folder, "TASKS.md"), /\| 1 +\| done[^]*\| 2 +\| done/);
  }));

Deno.test("runWorkflow() verifies nothing by a test check that runs no test, and says so", () =>
  withProject(async (folder) => {
    const checks = { test: "python3 -m unittest discover || true" };
    const answers = [says("Looked."), submits(task("1")), edits("2", "3")];
    const { end, events } = await run(folder, { goal: "Three", answers, checks });
    assert(end.outcome === "failed" && end.phase === "verify");
    assert.match(end.reason, /^not verified: check test ran no test: nothing was proved by it/);
    const checked = events.find((event) => event.type === "check");
    assert(checked?.type === "check" && checked.tests?.ran === 0);
  }));

Deno.test("runWorkflow() does not run a check twice on one tree, and says so", () =>
  withProject(async (folder) => {
    folder.write("check.sh", "echo ran >> .git/runs; ! grep x numbers.txt\n");
    folder.commitAll();
    const answers = [
      LOOKED,
      submits(task("1"), task("2", "1")),
      edits("2", "3"),
      says("", [{ tool: "read_file", input: { path: "numbers.txt" } }, FINISH]),
    ];
    const { end, events } = await run(folder, { goal: "Three", answers });
    assert.deepEqual(end, { outcome: "verified" });
    // Before any change and after the first task; the second changed nothing, and verify neither.
    assert.equal(folder.read(".git/runs"), "ran\nran\n");
    const said = events.filter((event) =>
      event.type === "notice" && event.text.startsWith("check test passed on this very tree before")
    );
    assert.equal(said.length, 2);
  }));

Deno.test("runWorkflow() tells the model which check fails before any change, and has it mended", () =>
  withProject(async (folder) => {
    folder.write("numbers.txt", "1\ntwo\n");
    folder.commitAll();
    const { end, model } = await run(folder, {
      goal: "Mend it",
      answers: [LOOKED, submits(task("1")), edits("two", "2")],
    });
    assert.deepEqual(end, { outcome: "verified" });
    assert.match(model.bodies.at(-1) ?? "", /test: sh check\.sh \(fails before any change\)/);
  }));

Deno.test("runWorkflow() heals nothing that a plan leaves failing, and does not call it verified", () =>
  withProject(async (folder) => {
    folder.write("numbers.txt", "1\ntwo\n");
    folder.commitAll();
    const input = { summary: "Do it.", tasks: [task("1")], leaves_failing: ["lint"] };
    const checks = { test: "true", lint: "sh check.sh" };
    const left = (names: string[]) =>
      says("", [{ tool: "submit_plan", input: { ...input, leaves_failing: names } }]);
    const answers = [LOOKED, left(["test"]), left(["lint"]), edits("1", "7")];
    const { end } = await run(folder, { goal: "Seven", answers, checks });
    assert.deepEqual(end, {
      outcome: "failed",
      phase: "verify",
      reason: "not verified: check lint failed before and still does (sh check.sh)",
    });
    const records = await recordsOf(folder.root);
    assert(records.some((record) =>
      record.type === "tool_result" &&
      record.output.includes('leaves_failing: "test" is no check that failed before any change')
    ));
    assert.equal(
      records.filter((record) => record.type === "user" && record.source === "heal").length,
      0,
    );
    assert.match(document(folder, "plan.md"), /## Leaves failing\n\n- lint\n/);
  }));

Deno.test("runWorkflow() ends before the plan where a check cannot run here, and goes on once that is mended", () =>
  withProject(async (folder) => {
    const broken = { lint: "no-such-linter ." };
    const first = await run(folder, { goal: "Three", answers: [LOOKED], checks: broken });
    assert(first.end.outcome === "failed" && first.end.phase === "plan");
    assert.match(
      first.end.reason,
      /^before any change, check lint failed: no-such-linter \. \(exit code 127\).*`no-such-linter` is not installed here\. Install it, or name another check/,
    );
    assert.equal(first.model.bodies.length, 1);
    const answers = [submits(task("1")), edits("2", "3")];
    const mended = await run(folder, { answers, checks: { lint: "sh check.sh" }, from: "plan" });
    assert.deepEqual(mended.end, { outcome: "verified" });
    assert(
      mended.events.some((event) => event.type === "notice" && event.text.includes("sh check.sh")),
    );
  }));

Deno.test("runWorkflow() asks its user whether to go on without a check that cannot run, heals none of it, and verifies nothing", () =>
  withProject(async (folder) => {
    const checks = { test: "sh check.sh", lint: "no-such-linter ." };
    const questions: string[] = [];
    const answering = (answer: string): Gates => ({
      ask: ({ question }) => {
        questions.push(question);
        return Promise.resolve(answer);
      },
      reviewPlan: () => Promise.resolve({ decision: "approve" }),
    });
    const stop = await run(folder, {
      goal: "Three",
      mode: "chat",
      gates: answering("stop here, and mend it first"),
      answers: [LOOKED],
      checks,
    });
    assert.deepEqual(stop.end, {
      outcome: "interrupted",
      reason: 'the check "lint" is to be mended first',
    });
    const answers = [submits(task("1")), edits("2", "3")];
    const gates = answering("go on without it");
    const { end } = await run(folder, { mode: "chat", gates, answers, checks });
    assert.equal(questions.length, 2);
    assert.match(
      questions[1] ?? "",
      /^Before any change, check lint failed.*Go on without this check\?$/,
    );
    assert.ok(end.outcome === "failed" && end.phase === "verify");
    assert.match(
      end.reason,
      /^not verified: check lint failed before and still does \(no-such-linter \.\)\. It cannot start: `no-such-linter` is not installed here\./,
    );
  }));

Deno.test("runWorkflow() waits for the checks before any change no longer than it says, and the first task waits for them", () =>
  withProject(async (folder) => {
    folder.write(
      "check.sh",
      "while ! test -e .git/planned; do sleep 0.05; done; ! grep x numbers.txt\n",
    );
    folder.commitAll();
    const { end, events } = await run(folder, {
      goal: "Three",
      answers: [LOOKED, submits(task("1")), edits("2", "3")],
      // The wait is over at once.
      world: { clock: stoppedClock },
      onEvent: (event) => {
        if (event.type === "plan") folder.write(".git/planned", "");
      },
    });
    assert.deepEqual(end, { outcome: "verified" });
    assert(
      events.some((event) =>
        event.type === "notice" && event.text.startsWith("The checks are still running")
      ),
    );
    const story = storyOf(await recordsOf(folder.root));
    assert(story.indexOf("plan done") < story.indexOf("baseline test true"));
    assert(story.indexOf("baseline test true") < story.indexOf("task 1 running 0"));
  }));
