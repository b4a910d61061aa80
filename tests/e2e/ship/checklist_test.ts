/** The checklist before a commit: what it blocks, how it says so, and the flags that let a ship go on. */
import assert from "node:assert/strict";
import type { PreflightCheck } from "../../../src/ship/preflight/check.ts";
import { FINISH, LOOKED, replaces, submits, task, type Words } from "../workflow/model_words.ts";
import { DEMONSTRATION, type NumbersProject, withNumbers, work } from "./numbers_project.ts";

const GOAL = "Make the second number 5";

/** The checklist of `m31a ship --dry-run --json`, what does not pass of it. */
async function noted({ project }: NumbersProject, ...flags: string[]): Promise<{
  isReady: boolean;
  noted: PreflightCheck[];
}> {
  const { stdout } = await project.run(["ship", "--dry-run", "--json", ...flags]);
  const { isReady, checks } = JSON.parse(stdout);
  return { isReady, noted: checks.filter(({ verdict }: PreflightCheck) => verdict !== "pass") };
}

/** Makes a file. */
function writes(path: string, content: string): Words {
  return { calls: [{ tool: "write_file", input: { path, content } }, FINISH] };
}

Deno.test("run is blocked by a secret in an added line, named by file and line and never printed", () =>
  withNumbers(async (numbers) => {
    const secret = `ghp_${"0123456789abcdefghijABCDEFGHIJ012345"}`;
    const old = `ghp_${"9876543210abcdefghijABCDEFGHIJ012345"}`;
    numbers.project.write({ "settings.ini": `[old]\ntoken = ${old}\n` });
    await numbers.project.git("add", "settings.ini");
    await numbers.project.git("commit", "--quiet", "--message=settings");
    const run = await numbers.run(GOAL, [
      LOOKED,
      submits(task("1", "Mend", "settings.ini")),
      replaces("settings.ini", "[old]", `[new]\ntoken = ${secret}\n\n[old]`),
    ]);
    const { stdout } = run;
    assert.equal(run.code, 1);
    assert.match(stdout, /BLOCK secrets: [^\n]*\n +settings\.ini:2[^\n]*\n +\S/);
    assert.doesNotMatch(stdout, /settings\.ini:5/);
    const dry = await numbers.project.run(["ship", "--dry-run"]);
    assert.equal(dry.code, 1);
    const json = await numbers.project.run(["ship", "--json"]);
    assert.equal(json.code, 1);
    for (const ended of [run, dry, json]) {
      const printed = ended.stdout + ended.stderr;
      assert.ok(!printed.includes(secret.slice(4)) && !printed.includes(old.slice(4)), printed);
    }
    assert.equal(await numbers.project.git("rev-list", "--count", "HEAD"), "2\n");
    assert.equal(numbers.entries.length, 0);
  }));

Deno.test("run is blocked by conflict markers, and warned of what is left to do and of debug prints", () =>
  withNumbers(async (numbers) => {
    const { stdout, code } = await numbers.run(GOAL, [
      LOOKED,
      submits(task("1", "Write", "src/new.js")),
      writes(
        "src/new.js",
        "// TODO: more\n<<<<<<< ours\nconsole.log(1);\n=======\n>>>>>>> theirs\n",
      ),
    ]);
    assert.equal(code, 1);
    assert.match(stdout, /BLOCK conflict markers: [^\n]*\n +src\/new\.js:2\n/);
    assert.match(stdout, /warn +left to do: [^\n]*\n +src\/new\.js:1\n/);
    assert.match(stdout, /warn +debug prints: [^\n]*\n +src\/new\.js:3\n/);
  }));

Deno.test("ship --dry-run changes nothing; --json gives each check with verdict, places and advice", () =>
  withNumbers(async (numbers) => {
    const { project } = numbers;
    await numbers.run(GOAL, work("numbers.txt", "2", "5"), { flags: ["--no-ship"] });
    const before = project.sessionBytes();
    const sent = numbers.model.server.requests.length;
    const { code, stdout } = await project.run(["ship", "--dry-run"]);
    assert.equal(code, 0);
    assert.match(stdout, /^Session \S+\n(?: {2}ok {4}[a-z ]+: .*\n){19}It can be shipped\.\n$/);
    const json = JSON.parse((await project.run(["ship", "--dry-run", "--json"])).stdout);
    assert.deepEqual([json.session, json.isReady, json.checks.length], [
      project.sessionId,
      true,
      19,
    ]);
    for (const check of json.checks) {
      assert.deepEqual(Object.keys(check), ["name", "verdict", "summary", "places", "advice"]);
    }
    assert.deepEqual(project.sessionBytes(), before);
    assert.equal(numbers.model.server.requests.length, sent);
    assert.equal(await project.git("status", "--porcelain"), " M numbers.txt\n");
  }));

Deno.test("ship --unverified ships what has changed since the checks passed, and records that it was told to", () =>
  withNumbers(async (numbers) => {
    const { project, model } = numbers;
    await numbers.run(GOAL, work("numbers.txt", "2", "5"), { flags: ["--no-ship"] });
    project.write({ "numbers.txt": "1\n5\n4\n" });
    const { isReady, noted: [check, ...others] } = await noted(numbers);
    assert.deepEqual([isReady, others], [false, []]);
    assert.deepEqual([check?.name, check?.verdict, check?.places], [
      "verification",
      "block",
      ["numbers.txt"],
    ]);
    assert.match(check?.advice ?? "", /--unverified/);
    assert.equal((await project.run(["ship", "--yes"])).code, 1);
    model.says(DEMONSTRATION);
    const { code, stdout, stderr } = await project.run(["ship", "--unverified"]);
    assert.equal(code, 0, stdout + stderr);
    assert.equal(await project.git("show", "HEAD:numbers.txt"), "1\n5\n4\n");
    const begun = project.records().find(({ step }) => step === "begun");
    assert.deepEqual(begun?.facts, {
      base: (await project.git("rev-parse", "HEAD~1")).trim(),
      overrides: ["--unverified"],
    });
  }));

Deno.test("ship --partial ships the tasks that are done of a plan whose others failed", () =>
  withNumbers(async (numbers) => {
    const { project, model } = numbers;
    const { code } = await numbers.run(GOAL, [
      LOOKED,
      submits(task("1", "One", "numbers.txt"), task("2", "Two", "more.txt")),
      replaces("numbers.txt", "2", "5"),
      replaces("more.txt", "20", "a"),
      replaces("more.txt", "a", "b"),
      replaces("more.txt", "b", "c"),
    ]);
    assert.equal(code, 1);
    const { noted: blocking } = await noted(numbers);
    assert.deepEqual(blocking.map(({ name, verdict }) => [name, verdict]), [
      ["verification", "block"],
      ["tasks", "block"],
    ]);
    assert.deepEqual(blocking[1]?.places, ["2 (failed)"]);
    assert.equal((await noted(numbers, "--partial")).isReady, false);
    model.says(DEMONSTRATION);
    const shipped = await project.run(["ship", "--partial", "--unverified"]);
    assert.equal(shipped.code, 0, shipped.stdout + shipped.stderr);
    assert.deepEqual(
      numbers.entries.map(({ outcome, attempt, tasks }) => [outcome, attempt, tasks.done]),
      [["failed", 1, 1], ["shipped", 2, 1]],
    );
    assert.deepEqual(await numbers.shippedSessions(), [project.sessionId]);
  }));

Deno.test("run is blocked by a touched file that held changes of the user's; ship --include-dirty takes them along", () =>
  withNumbers(async (numbers) => {
    const { project, model } = numbers;
    project.write({ "numbers.txt": "1\n2\n3\n4\n" });
    const { code, stdout } = await numbers.run(GOAL, work("numbers.txt", "2", "5"));
    assert.equal(code, 1);
    assert.match(stdout, /BLOCK earlier changes: 1 touched file [^\n]*\n +numbers\.txt\n/);
    model.says(DEMONSTRATION);
    const shipped = await project.run(["ship", "--include-dirty"]);
    assert.equal(shipped.code, 0, shipped.stdout + shipped.stderr);
    assert.equal(await project.git("show", "HEAD:numbers.txt"), "1\n5\n3\n4\n");
  }));
