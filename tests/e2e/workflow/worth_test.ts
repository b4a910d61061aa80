/** What a check that passed is worth, on the executable; where there is a commit, a clean clone of it is asked. */
import assert from "node:assert/strict";
import { join } from "@std/path";
import { canRun, testWhere } from "../../support/machine.ts";
import { type Project, withProject } from "../../support/project.ts";
import { LOOKED, replaces, SCRIPT, scriptOf, submits, task, type Words } from "./model_words.ts";

const hasNode = canRun("npm", "--version") && canRun("node", "--test", "--help");
const NO_NODE = "there is no node with npm here";
const RUN = ["run", "Make it pass", "--model", `script:${SCRIPT}`];

const RED_TEST = `const test = require("node:test");
const assert = require("node:assert/strict");
const sum = require("./sum.js");
test("sum() adds", () => assert.equal(sum(2, 3), 5));
`;
const GREEN_TEST = `require("node:test")("sum() gives a number", () =>
  require("node:assert/strict").equal(typeof require("./sum.js")(1, 1), "number"));
`;

/** A project of node's with a red test and a green one. */
const NODE_PROJECT = {
  "package.json": '{ "scripts": { "test": "node --test" } }\n',
  "sum.js": "module.exports = (a, b) => a - b;\n",
  "sum.test.js": RED_TEST,
  "type.test.js": GREEN_TEST,
};

async function withCommitted(
  files: Readonly<Record<string, string>>,
  words: readonly Words[],
  test: (project: Project) => Promise<void>,
): Promise<void> {
  await withProject(async (project) => {
    project.write({
      ...files,
      ".git/info/exclude": "*.script\n.runs\n",
      [SCRIPT]: scriptOf(...words),
    });
    await project.git("config", "user.name", "User");
    await project.git("config", "user.email", "user@example.org");
    await project.git("add", "--all");
    await project.git("commit", "--quiet", "--message=all");
    await test(project);
  });
}

/** Writes or deletes files in one task. */
function changes(files: Readonly<Record<string, string | null>>): Words[] {
  const calls = Object.entries(files).flatMap(([path, content]) => [
    { tool: "read_file", input: { path } },
    content === null
      ? { tool: "delete_file", input: { path } }
      : { tool: "write_file", input: { path, content } },
  ]);
  const [file = ""] = Object.keys(files);
  const finish = { tool: "finish_task", input: { summary: "Done." } };
  return [LOOKED, submits(task("1", "Pass", file)), { calls: [...calls, finish] }];
}

async function subjects(project: Project): Promise<string[]> {
  return (await project.git("log", "--format=%s")).trim().split("\n");
}

/** Runs the check in a clean clone of what is committed. */
async function checkInClone(project: Project, ...command: string[]): Promise<number> {
  const clone = join(project.outside, "clone");
  await project.git("clone", "--quiet", project.root, clone);
  return (await project.runProgram(command, { cwd: clone })).code;
}

testWhere(
  hasNode,
  NO_NODE,
  "run verifies nothing where the session has changed the check's script",
  () =>
    withCommitted(
      NODE_PROJECT,
      changes({ "package.json": '{ "scripts": { "test": "true" } }\n' }),
      async (project) => {
        const { code, stdout, stderr } = await project.run(RUN);
        assert.equal(code, 1, stdout + stderr);
        assert.match(
          stdout,
          /before any change: check test failed \(exit code 1\): npm test \(2 tests ran, 1 failed\)/,
        );
        assert.match(
          stdout,
          /Not done: verify failed: not verified: package\.json: the script `test` was changed \(-node --test \+true\)/,
        );
        assert.deepEqual(await subjects(project), ["all"]);
      },
    ),
);

testWhere(
  hasNode,
  NO_NODE,
  "run verifies nothing where the only test is skipped",
  () =>
    withCommitted(
      { ...NODE_PROJECT, "type.test.js": "" },
      changes({ "sum.test.js": RED_TEST.replace("test(", "test.skip(") }),
      async (project) => {
        Deno.removeSync(join(project.root, "type.test.js"));
        await project.git("commit", "--quiet", "--all", "--message=one test");
        const { code, stdout, stderr } = await project.run(RUN);
        assert.equal(code, 1, stdout + stderr);
        assert.match(
          stdout,
          /not verified: check test ran no test: nothing was proved by it \(npm test\)/,
        );
        assert.deepEqual(await subjects(project), ["one test", "all"]);
      },
    ),
);

testWhere(
  hasNode,
  NO_NODE,
  "run ships with a warning where the failing test is deleted, and the commit repeats it",
  () =>
    withCommitted(NODE_PROJECT, changes({ "sum.test.js": null }), async (project) => {
      const { code, stdout, stderr } = await project.run(RUN);
      assert.equal(code, 0, stdout + stderr);
      const warnings = [
        /nothing but tests was changed/,
        /tests say less than before: sum\.test\.js:1: the file was deleted, with 1 test/,
        /1 test file was changed \(sum\.test\.js\); as it was, check test failed: npm test/,
      ];
      const message = (await project.git("log", "-1", "--format=%B")).replaceAll(/\s+/g, " ");
      const ledger = Deno.readTextFileSync(join(project.root, "planning/ledger.jsonl"));
      const entry = JSON.parse(ledger.trim().split("\n").at(-1) ?? "");
      const demonstration = await project.runProgram([
        "sh",
        "-c",
        "cat planning/DEMONSTRATION.md planning/archive/*/DEMONSTRATION.md 2>/dev/null",
      ]);
      for (const warning of warnings) {
        assert.match(stdout, warning);
        assert.match(message, warning);
        assert.match(entry.caveats.join("\n"), warning);
        assert.match(demonstration.stdout.replaceAll("\\", ""), warning);
      }
      assert.equal(await checkInClone(project, "npm", "test"), 0);
    }),
);

testWhere(
  canRun("python3", "-m", "unittest", "--help"),
  "there is no python3 here",
  "run verifies nothing by a runner that finds no test",
  () =>
    withCommitted(
      {
        "f.py": "def add(a, b):\n    return a - b\n",
        "tests/test_f.py": "from f import add\n\n\ndef test_add():\n    assert add(2, 3) == 5\n",
      },
      changes({ "f.py": "def add(a, b):\n    return a + b\n" }),
      async (project) => {
        await checks(project, '[ship.checks]\ntest = "python3 -m unittest discover; true"\n');
        const { code, stdout, stderr } = await project.run(RUN);
        assert.equal(code, 1, stdout + stderr);
        assert.match(stdout, /not verified: check test ran no test/);
        assert.deepEqual(await subjects(project), ["all"]);
      },
    ),
);

/** Every line of `numbers.txt` must be a number. */
const NUMBERS_PROJECT = {
  "numbers.txt": "1\ntwo\n",
  "check.sh": 'echo ran >> .runs; if grep -n "[^0-9]" numbers.txt; then exit 1; fi\n',
};

/** Names the checks as a user does, who then trusts the file. */
async function checks(project: Project, configuration: string): Promise<void> {
  project.write({ "planning/config.toml": configuration });
  const { code, stderr } = await project.run(["config", "--trust"]);
  assert.equal(code, 0, stderr);
}

/** What the user is told to run to go on. */
function adviceOf(stderr: string): string[] {
  const advice = /To go on: m31a (run .*)$/m.exec(stderr)?.[1];
  assert.ok(advice !== undefined, stderr);
  return advice.split(" ");
}

Deno.test("run ends before a plan where a check is not installed, and the printed command goes on once that is mended", () =>
  withCommitted(NUMBERS_PROJECT, [LOOKED], async (project) => {
    await checks(project, '[ship.checks]\nlint = "no-such-linter ."\n');
    const { code, stdout, stderr } = await project.run(RUN);
    assert.equal(code, 1, stdout + stderr);
    assert.match(
      stdout,
      /Not done: plan failed: before any change, check lint failed: no-such-linter \..*`no-such-linter` is not installed here\. Install it, or name another check/,
    );
    assert.equal(project.records().filter(({ type }) => type === "assistant").length, 1);
    project.write({
      [SCRIPT]: scriptOf(
        LOOKED,
        submits(task("1", "Mend", "numbers.txt")),
        replaces("numbers.txt", "two", "2"),
      ),
    });
    await checks(project, '[ship.checks]\nlint = "sh check.sh"\n');
    const again = await project.run([...adviceOf(stderr), "--model", `script:${SCRIPT}`]);
    assert.equal(again.code, 0, again.stdout + again.stderr);
    assert.match(again.stderr, /The checks are others now: lint: sh check\.sh/);
    assert.equal(await checkInClone(project, "sh", "check.sh"), 0);
  }));

Deno.test("run goes on from verify with the checks that were named since, and keeps plan and work", () =>
  withCommitted(
    NUMBERS_PROJECT,
    [LOOKED, submits(task("1", "Mend", "numbers.txt")), replaces("numbers.txt", "two", "2")],
    async (project) => {
      const { code, stdout, stderr } = await project.run(RUN);
      assert.equal(code, 1, stdout + stderr);
      assert.match(stdout, /verify failed: not verified: the project has no checks/);
      await checks(project, '[ship.checks]\ntest = "sh check.sh"\n');
      const asked = project.records().filter(({ type }) => type === "assistant").length;
      const again = await project.run(adviceOf(stderr));
      assert.equal(again.code, 0, again.stdout + again.stderr);
      assert.match(again.stdout, /check test passed: sh check\.sh/);
      assert.equal(project.records().filter(({ type }) => type === "assistant").length, asked);
      assert.equal(project.records().filter(({ type }) => type === "plan").length, 1);
      assert.equal(await checkInClone(project, "sh", "check.sh"), 0);
    },
  ));

Deno.test("run runs a check once before any change and once after the task, and nothing twice on one tree", () =>
  withCommitted(
    { ...NUMBERS_PROJECT, "numbers.txt": "1\n2\n" },
    [LOOKED, submits(task("1", "Count on", "numbers.txt")), replaces("numbers.txt", "2", "3")],
    async (project) => {
      await checks(project, '[ship.checks]\ntest = "sh check.sh"\n');
      const { code, stdout, stderr } = await project.run(RUN);
      assert.equal(code, 0, stdout + stderr);
      assert.match(
        stderr,
        /check test passed on this very tree before, and is not run again: sh check\.sh/,
      );
      assert.equal(Deno.readTextFileSync(join(project.root, ".runs")), "ran\nran\n");
      assert.match(await project.git("log", "-1", "--format=%B"), /^Proved: [0-9a-f]{40}$/m);
      assert.equal(await checkInClone(project, "sh", "check.sh"), 0);
    },
  ));
