/** Hooks of the repository's that pass, fail, reformat and hang, through `run` and `ship`. */
import assert from "node:assert/strict";
import { DEMONSTRATION, type NumbersProject, withNumbers, work } from "./numbers_project.ts";

const GOAL = "Make the second number 5";
const WORDS = [...work("numbers.txt", "2", "5"), DEMONSTRATION];

/** That nothing says that anything was shipped, and the repository is as the user had it. */
async function assertNotShipped({ project, entries, memory }: NumbersProject): Promise<void> {
  assert.equal(await project.git("rev-list", "--count", "HEAD"), "1\n");
  assert.equal(
    await project.git("status", "--porcelain"),
    " M numbers.txt\nA  staged.txt\n",
  );
  assert.deepEqual([entries.length, memory], [0, ""]);
  assert.ok(!project.records().some(({ type, step }) => type === "shipped" && step !== "begun"));
  await project.git("fsck", "--strict");
}

/** Ships what is ready, and expects it to be once in everything. */
async function shipNow(numbers: NumbersProject): Promise<void> {
  const { project, model } = numbers;
  model.says(DEMONSTRATION);
  const { code, stdout, stderr } = await project.run(["ship"]);
  assert.equal(code, 0, stdout + stderr);
  assert.deepEqual(await numbers.shippedSessions(), [project.sessionId]);
  assert.deepEqual(numbers.entries.map(({ outcome, attempt }) => [outcome, attempt]), [
    ["shipped", 1],
  ]);
  assert.equal(await project.git("status", "--porcelain"), "A  staged.txt\n");
}

async function stage({ project }: NumbersProject): Promise<void> {
  project.write({ "staged.txt": "7\n" });
  await project.git("add", "staged.txt");
}

Deno.test("run fails with the output of a hook that fails; ship goes on when the hook lets it", () =>
  withNumbers(async (numbers) => {
    await stage(numbers);
    numbers.hook("pre-commit", "echo 'no commits on a Monday'; echo 'really not' >&2; exit 3");
    const { code, stdout, stderr } = await numbers.run(GOAL, WORDS);
    assert.equal(code, 1);
    assert.match(stderr, /no commits on a Monday[^]*really not/);
    assert.doesNotMatch(stdout, /^Shipped/m);
    await assertNotShipped(numbers);
    const again = await numbers.project.run(["ship", "--json"]);
    assert.equal(again.code, 1);
    assert.match(again.stderr, /really not/);
    await assertNotShipped(numbers);
    Deno.removeSync(`${numbers.project.root}/.git/hooks/pre-commit`);
    await shipNow(numbers);
  }));

Deno.test("run commits what a hook has reformatted and what it has added, and says so", () =>
  withNumbers(async (numbers) => {
    await stage(numbers);
    numbers.hook(
      "pre-commit",
      "sed -i s/5/55/ numbers.txt && echo 8 > hooked.txt && git add numbers.txt hooked.txt",
    );
    const { code, stdout, stderr } = await numbers.run(GOAL, WORDS);
    assert.equal(code, 0, stdout + stderr);
    assert.match(stderr, /A hook has put more into the commit: hooked\.txt/);
    assert.equal(await numbers.project.git("show", "HEAD:numbers.txt"), "1\n55\n3\n");
    assert.equal(await numbers.project.git("status", "--porcelain"), "A  staged.txt\n");
    const [entry] = numbers.entries;
    assert.deepEqual(entry?.files, ["hooked.txt", "numbers.txt"]);
    assert.deepEqual([entry?.diff.added, entry?.diff.insertions, entry?.diff.deletions], [1, 2, 1]);
  }));

Deno.test("run ships what a hook has fixed and refused at first; a clean clone passes the check", () =>
  withNumbers(async (numbers) => {
    const { project } = numbers;
    project.write({ "more.txt": "10\n20\n30\n" });
    numbers.hook(
      "pre-commit",
      "if grep -q '^55$' numbers.txt; then exit 0; fi; sed -i s/5/55/ numbers.txt; " +
        "echo 40 >> more.txt; echo 'files were modified by this hook'; exit 1",
    );
    const { code, stdout, stderr } = await numbers.run(GOAL, WORDS);
    assert.equal(code, 0, stdout + stderr);
    assert.match(stderr, /refused it: numbers\.txt\. The changes are taken along/);
    assert.match(stderr, /not in the commit\. Put back: more\.txt/);
    assert.equal(numbers.read("more.txt"), "10\n20\n30\n");
    assert.equal(await project.git("status", "--porcelain"), " M more.txt\n");
    const tree = await project.git("rev-parse", "HEAD^{tree}");
    assert.equal(
      await project.git("log", "-1", "--format=%(trailers:key=Proved,valueonly)"),
      `${tree}\n`,
    );
    const clone = `${project.outside}/clone`;
    await project.git("clone", "--quiet", project.root, clone);
    const check = await project.runProgram(["make", "test"], { cwd: clone });
    assert.equal(check.code, 0, check.stdout);
    assert.equal(Deno.readTextFileSync(`${clone}/numbers.txt`), "1\n55\n3\n");
  }));

Deno.test("run stops a hook that hangs when its time is over, with all that it has started", () =>
  withNumbers(async (numbers) => {
    await stage(numbers);
    numbers.project.write({ "planning/config.toml": "[ship]\ncommit_seconds = 1\n" });
    numbers.hook("pre-commit", "sleep 1000 & echo $! > .git/sleeper; wait");
    const { code, stderr } = await numbers.run(GOAL, WORDS);
    assert.equal(code, 1);
    assert.match(stderr, /Nothing was committed\. A hook or a signing prompt did not end in time/);
    await assertEnds(Number(numbers.read(".git/sleeper")));
    await assertNotShipped(numbers);
    Deno.removeSync(`${numbers.project.root}/.git/hooks/pre-commit`);
    await shipNow(numbers);
  }));

Deno.test("run is ended by a signal while a hook hangs; the hook ends too, and ship goes on", () =>
  withNumbers(async (numbers) => {
    await stage(numbers);
    // The hook itself sends what a terminal's Ctrl-C would, once it is certain to run.
    numbers.hook(
      "pre-commit",
      "sleep 1000 & echo $! > .git/sleeper; kill -INT $(cat .git/m31a); wait",
    );
    const { code } = await numbers.run(GOAL, WORDS, {
      under: ["sh", "-c", 'echo $$ > .git/m31a; exec "$@"', "sh"],
    });
    assert.equal(code, 130);
    await assertEnds(Number(numbers.read(".git/sleeper")));
    await assertNotShipped(numbers);
    Deno.removeSync(`${numbers.project.root}/.git/hooks/pre-commit`);
    await shipNow(numbers);
  }));

/** A killed process may need a moment to be gone; one that was not killed has a thousand seconds. */
async function assertEnds(pid: number): Promise<void> {
  assert.ok(pid > 0);
  const deadlineMs = performance.now() + 60_000;
  while (await isRunning(pid)) {
    assert.ok(performance.now() < deadlineMs, `process ${pid} is still running`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Whether there is such a process, and not only what its parent has not looked at yet. */
async function isRunning(pid: number): Promise<boolean> {
  const { stdout } = await new Deno.Command("ps", { args: ["-o", "stat=", "-p", String(pid)] })
    .output();
  return /^[^Z]/.test(new TextDecoder().decode(stdout).trim());
}
