/** Checks that a session weakens: what defines them, and the tests that they run. */
import assert from "node:assert/strict";
import type { Gates } from "../../src/workflow/gates.ts";
import type { GitFolder } from "../support/git_folder.ts";
import { recordsOf, says } from "../support/conversations.ts";
import { FINISH, run, submits, task, withProject } from "./runs.ts";

const LOOKED = says("Looked.");

/** Writes files by one task, by the tools that a model has. */
function writes(files: Record<string, string | null>) {
  const calls = Object.entries(files).flatMap(([path, content]) => [
    { tool: "read_file", input: { path } },
    content === null
      ? { tool: "delete_file", input: { path } }
      : { tool: "write_file", input: { path, content } },
  ]);
  return [LOOKED, submits(task("1")), says("", [...calls, FINISH])];
}

/** A project with two real tests of node's runner, in two files. */
function withTests(test: (folder: GitFolder) => Promise<void>): Promise<void> {
  return withProject(async (folder) => {
    folder.write("package.json", '{ "scripts": { "test": "node --test" } }\n');
    folder.write("sum.js", "module.exports = (a, b) => a + b;\n");
    folder.write("sum.test.js", testOf("adds", "sum(1, 2), 3"));
    folder.write("zero.test.js", testOf("keeps", "sum(0, 0), 0"));
    folder.commitAll();
    await test(folder);
  });
}

function testOf(name: string, equals: string): string {
  return `const test = require("node:test");\nconst sum = require("./sum.js");\n` +
    `test("${name}", () => require("node:assert").equal(${equals}));\n`;
}

const CHECKS = { test: "npm test" };

async function caveatsOf(folder: GitFolder): Promise<string[]> {
  const last = (await recordsOf(folder.root)).findLast(({ type }) => type === "caveats");
  return last?.type === "caveats" ? last.items.map(({ text }) => text) : [];
}

Deno.test("verify fails alone where the session has changed what defines a check, with the difference and the way out", () =>
  withTests(async (folder) => {
    const script = '{ "scripts": { "test": "true" } }\n';
    const answers = writes({ "package.json": script });
    const { end } = await run(folder, { goal: "Pass", answers, checks: CHECKS });
    assert(end.outcome === "failed" && end.phase === "verify");
    assert.match(
      end.reason,
      /^not verified: package\.json: the script `test` was changed \(-node --test \+true\)\..*m31a chat --resume \S+, \/verify$/,
    );
    folder.run("checkout", "--", "package.json");
    const again = await run(folder, { answers: [], checks: CHECKS, from: "verify" });
    assert.deepEqual(again.end, { outcome: "verified" });
  }));

Deno.test("verify takes the user's own edit of what defines a check for no change of the session's", () =>
  withTests(async (folder) => {
    const answers = writes({ "sum.js": "module.exports = (a, b) => b + a;\n" });
    const { end } = await run(folder, { goal: "Swap", answers, checks: CHECKS });
    assert.deepEqual(end, { outcome: "verified" });
    folder.write("package.json", '{ "scripts": { "test": "node --test --test-reporter=tap" } }\n');
    const again = await run(folder, { answers: [], checks: CHECKS, from: "verify" });
    assert.deepEqual(again.end, { outcome: "verified" });
  }));

Deno.test("verify asks the user whether a changed check counts, once, and records what was allowed", () =>
  withTests(async (folder) => {
    const script = '{ "scripts": { "test": "node --test --test-reporter=tap" } }\n';
    const asked: string[] = [];
    const gates: Gates = {
      ask: ({ question, options }) => {
        asked.push(question);
        return Promise.resolve(options[1] ?? "");
      },
      reviewPlan: () => Promise.resolve({ decision: "approve" }),
    };
    const answers = writes({ "package.json": script });
    const chat = { mode: "chat", gates, checks: CHECKS } as const;
    const { end } = await run(folder, { goal: "Report", answers, ...chat });
    assert.deepEqual(end, { outcome: "verified" });
    assert.equal(asked.length, 1);
    assert.match(asked[0] ?? "", /\n {2}-node --test\n {2}\+node --test --test-reporter=tap\n/);
    assert.deepEqual(await caveatsOf(folder), ["package.json: the script `test` was changed"]);
    const again = await run(folder, { answers: [], ...chat, from: "verify" });
    assert.deepEqual([again.end.outcome, asked.length], ["verified", 1]);
  }));

Deno.test("verify runs the tests as they were where the session changed them, and says that they pass", () =>
  withTests(async (folder) => {
    const answers = writes({
      "sum.js": "module.exports = (a, b) => b + a;\n",
      "sum.test.js": testOf("adds both", "sum(1, 3), 4"),
    });
    const { end, events } = await run(folder, { goal: "Swap", answers, checks: CHECKS });
    assert.deepEqual(end, { outcome: "verified" });
    const done = events.findLast((event) => event.type === "phase");
    assert(done?.type === "phase");
    assert.match(done.detail, /2 tests ran;.*1 test file was changed; as it was it passes, too$/);
    assert(
      (await recordsOf(folder.root)).some((record) =>
        record.type === "check" && record.purpose === "old_tests" && record.passed
      ),
    );
  }));

Deno.test("verify names the changed tests that fail as they were, and what was deleted", () =>
  withTests(async (folder) => {
    const answers = writes({
      "sum.js": "module.exports = (a, b) => a - b;\n",
      "sum.test.js": null,
    });
    const { end } = await run(folder, { goal: "Subtract", answers, checks: CHECKS });
    assert.deepEqual(end, { outcome: "verified" });
    const [less, old] = await caveatsOf(folder);
    assert.match(less ?? "", /^tests say less than before: sum\.test\.js:1: the file was deleted/);
    assert.match(
      old ?? "",
      /^1 test file was changed \(sum\.test\.js\); as it was, check test failed: npm test/,
    );
  }));

Deno.test("verify says first that nothing but tests was changed", () =>
  withTests(async (folder) => {
    const skipped = testOf("adds", "sum(1, 2), 3").replace('test("adds"', 'test.skip("adds"');
    const answers = writes({ "sum.test.js": skipped });
    await run(folder, { goal: "Pass", answers, checks: CHECKS });
    const caveats = await caveatsOf(folder);
    assert.equal(caveats[0], "nothing but tests was changed");
    assert.match(caveats[1] ?? "", /sum\.test\.js:3: skips: test\.skip/);
  }));

Deno.test("verify fails where tests were counted before and are not any more, and tells of fewer", () =>
  withProject(async (folder) => {
    folder.write("run.sh", "cat said.txt\n");
    folder.write("said.txt", "ok | 15 passed | 0 failed\n");
    folder.commitAll();
    const checks = { test: "sh run.sh" };
    const said = (text: string) => writes({ "said.txt": text });
    const { end } = await run(folder, { goal: "Say", answers: said("fine\n"), checks });
    assert(end.outcome === "failed" && end.phase === "verify");
    assert.match(end.reason, /^not verified: 15 tests ran in check test before any change, and/);
    folder.write("said.txt", "ok | 9 passed | 0 failed\n");
    const again = await run(folder, { answers: [], checks, from: "verify" });
    assert.deepEqual(again.end, { outcome: "verified" });
    assert.match((await caveatsOf(folder)).join(), /^Fewer tests ran than before any change: 9/);
  }));
