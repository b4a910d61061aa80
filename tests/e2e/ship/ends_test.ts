/** Ends other than a ship: a process that died, a session that is closed, a ship that is taken back and made again. */
import assert from "node:assert/strict";
import { assertSound } from "../soundness.ts";
import {
  DEMONSTRATION,
  type NumbersProject,
  type ScriptedModel,
  withNumbers,
  work,
} from "./numbers_project.ts";

const GOAL = "Make the second number 5";

/** Runs a goal that is killed with -9 when the model is asked for answer `number`. */
async function killedRun(numbers: NumbersProject, goal: string, number: number): Promise<void> {
  const { project, model } = numbers;
  const victim = `${project.outside}/victim`;
  const asked = model.server.requests.length + number;
  model.whenAsked = () => {
    if (model.server.requests.length !== asked) return;
    Deno.kill(Number(Deno.readTextFileSync(victim)), "SIGKILL");
  };
  const { code, stdout, stderr } = await numbers.run(
    goal,
    work("numbers.txt", "2", "five", "6", "7"),
    { under: ["sh", "-c", `echo $$ > "${victim}"; exec "$@"`, "sh"] },
  );
  model.whenAsked = () => {};
  assert.equal(code, 137, stdout + stderr);
}

Deno.test("a session whose process died is told as abandoned when the next run finds it, once, with what it spent", () =>
  withNumbers(async (numbers) => {
    const { project, model } = numbers;
    // Asked for its fourth answer: the second attempt at the task.
    await killedRun(numbers, GOAL, 4);
    assert.equal(numbers.entries.length, 0);
    const [dead = ""] = project.sessionIds;
    await project.git("checkout", "--quiet", "numbers.txt");
    for (const goal of ["Make it 6", "Make it 7"]) {
      const before = numbers.read("numbers.txt").split("\n")[1] ?? "";
      const { code, stdout, stderr } = await numbers.run(goal, [
        ...work("numbers.txt", before, goal.slice(-1)),
        DEMONSTRATION,
      ]);
      assert.equal(code, 0, stdout + stderr);
      const says = `Session ${dead} had not ended; the ledger has it as abandoned now.`;
      assert.equal(stderr.includes(says), goal === "Make it 6", stderr);
    }
    const [first, ...others] = numbers.entries;
    assert.ok(first !== undefined);
    assert.deepEqual([first.session, first.outcome, first.goal], [dead, "abandoned", GOAL]);
    assert.deepEqual(others.map(({ outcome }) => outcome), ["shipped", "shipped"]);
    // The answer that it died waiting for is in nobody's log.
    const spent = spentBetween(model, 0, 3);
    assert.deepEqual([first.usage.requests, first.usage.input, first.usage.output], spent);
    assert.deepEqual(first.failures.map(({ cause, healed }) => [cause, healed]), [
      ["test_failure", false],
    ]);
    // What it taught is in the next one's plan request.
    assert.match(model.server.bodies[5] ?? "", /abandoned[^]*Failed: test_failure, not healed/);
    assert.equal((numbers.memory.match(/^## Session/gm) ?? []).length, 3);
    const stats = JSON.parse((await project.run(["ledger", "stats", "--json"])).stdout);
    assert.deepEqual([stats.all.attempts, stats.all.abandoned], [3, 1]);
  }));

Deno.test("session close ends a session that died; gone on with, it ships as its second attempt", () =>
  withNumbers(async (numbers) => {
    const { project, model } = numbers;
    await killedRun(numbers, GOAL, 4);
    const closed = await project.run(["session", "close"]);
    assert.equal(closed.code, 0, closed.stderr);
    assert.deepEqual(numbers.entries.map(({ outcome }) => outcome), ["abandoned"]);
    const again = await project.run(["session", "close"]);
    assert.match(again.stdout, /nothing was changed/);
    assert.equal(numbers.entries.length, 1);
    model.says(...work("numbers.txt", "five", "5").slice(2), DEMONSTRATION);
    const from = model.server.requests.length;
    const { code, stdout, stderr } = await project.run(["run", "--continue"]);
    assert.equal(code, 0, stdout + stderr);
    const [one, two, ...others] = numbers.entries;
    assert.deepEqual([one?.attempt, two?.attempt, two?.outcome, others.length], [
      1,
      2,
      "shipped",
      0,
    ]);
    assert.deepEqual(
      [two?.usage.requests, two?.usage.input, two?.usage.output],
      spentBetween(model, from, model.server.requests.length),
    );
    await assertSound(project);
  }));

Deno.test("undo --ship takes the commit back and leaves the files; ship again is attempt 2, and both are counted", () =>
  withNumbers(async (numbers) => {
    const { project, model } = numbers;
    project.write({ "staged.txt": "7\n" });
    await project.git("add", "staged.txt");
    const run = await numbers.run(GOAL, [...work("numbers.txt", "2", "five", "5"), DEMONSTRATION]);
    assert.equal(run.code, 0, run.stdout + run.stderr);
    const base = await project.git("rev-parse", "HEAD~1");
    const undone = await project.run(["undo", "--ship", "--yes"]);
    assert.equal(undone.code, 0, undone.stdout + undone.stderr);
    assert.equal(await project.git("rev-parse", "HEAD"), base);
    assert.equal(numbers.read("numbers.txt"), "1\n5\n3\n");
    assert.equal(await project.git("status", "--porcelain"), " M numbers.txt\nA  staged.txt\n");
    const from = model.server.requests.length;
    model.says(DEMONSTRATION);
    // A commit of the same content in the same second is the same commit to git.
    await new Promise((resolve) => setTimeout(resolve, 1_001));
    const again = await project.run(["ship"]);
    assert.equal(again.code, 0, again.stdout + again.stderr);
    assert.deepEqual(await numbers.shippedSessions(), [project.sessionId]);
    assert.equal(await project.git("status", "--porcelain"), "A  staged.txt\n");
    const [one, two, ...others] = numbers.entries;
    assert.ok(one !== undefined && two !== undefined && others.length === 0);
    assert.deepEqual([one.attempt, two.attempt, one.outcome, two.outcome], [
      1,
      2,
      "shipped",
      "shipped",
    ]);
    assert.equal(two.commit, (await project.git("rev-parse", "HEAD")).trim());
    assert.deepEqual([two.diff, two.files], [one.diff, one.files]);
    // No request is counted in both.
    assert.deepEqual(
      [two.usage.requests, two.usage.input, two.usage.output],
      spentBetween(model, from, model.server.requests.length),
    );
    const all = model.spentSince(0);
    const stats = JSON.parse((await project.run(["ledger", "stats", "--json"])).stdout);
    assert.deepEqual([stats.all.attempts, stats.all.sessions], [2, 1]);
    const overview = (await project.run(["ledger", "stats"])).stdout;
    assert.match(overview, /^Shipped .* 2 of 2 attempts, [^]*^Tasks .* in 1 session,/m);
    assert.deepEqual([stats.all.requests, stats.all.input, stats.all.output, stats.all.cost], [
      all.requests,
      all.input,
      all.output,
      all.cost,
    ]);
    assert.equal((await project.run(["ledger", "verify"])).code, 0);
    assert.equal((numbers.memory.match(/^## Session/gm) ?? []).length, 1);
    assert.match(numbers.memory, /^- Attempt: 2$/m);
    const third = await project.run(["ship"]);
    assert.match(third.stdout, /is shipped already/);
    await assertSound(project);
  }));

/** Requests, tokens in and tokens out of the answers from number `from` up to `to`. */
function spentBetween(model: ScriptedModel, from: number, to: number): number[] {
  const [a, b] = [model.spentSince(from), model.spentSince(to)];
  return [a.requests - b.requests, a.input - b.input, a.output - b.output];
}
