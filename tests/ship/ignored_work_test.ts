/** What a session makes of files that git ignores: no part of a commit's proof, or named. */
import assert from "node:assert/strict";
import { systemClock } from "../../src/platform/clock.ts";
import { readLedger } from "../../src/ledger/ledger.ts";
import type { SessionRecord } from "../../src/session/records.ts";
import { MakingTimes } from "../../src/ship/making_times.ts";
import { says, TEST_SESSION } from "../support/conversations.ts";
import type { GitFolder } from "../support/git_folder.ts";
import { FINISH, run, submits, task, withProject } from "../workflow/runs.ts";
import { checkOf, Shippable } from "./shippable.ts";

/** Runs a goal whose only work is a command, with the machine's own clock. */
async function work(
  folder: GitFolder,
  check: string,
  command: string,
  ignored: readonly string[] = [],
): Promise<Shippable> {
  folder.write(".gitignore", "gen/\nsessions/\nnode_modules/\ndist/\n__pycache__/\n.*cache/\n");
  folder.write("check.sh", check);
  folder.commitAll();
  for (const path of ignored) folder.write(path, "mine\n");
  const answers = [
    says("Looked."),
    submits(task("1")),
    says("", [{ tool: "run_command", input: { command } }, FINISH]),
  ];
  const { end } = await run(folder, { goal: "g", answers, world: { clock: systemClock } });
  assert.deepEqual(end, { outcome: "verified" });
  return new Shippable(folder);
}

Deno.test("a commit is not proved by what git ignores and the session has made, which is named", () =>
  withProject(async (folder) => {
    const shippable = await work(
      folder,
      "test -f gen/ok\n",
      "echo 3 >> numbers.txt; mkdir gen; echo > gen/ok",
    );
    const outcome = await shippable.ship();
    assert.ok(outcome.outcome === "blocked");
    const proof = checkOf(outcome.checks, "proof");
    assert.match(proof.summary, /^the commit alone does not pass `sh check.sh`; with 1 file/);
    assert.deepEqual(proof.places, ["gen (git ignores it, and the session made it)"]);
    assert.match(proof.advice, /^Let a check make what git ignores/);
    assert.equal(folder.run("rev-list", "--count", "HEAD"), "2\n");
  }));

Deno.test("what a session changes of ignored files that were there, and of dependencies, is taken along and named", () =>
  withProject(async (folder) => {
    const command =
      "echo 3 >> numbers.txt; for name in gen node_modules/b dist; do mkdir -p $name; " +
      "echo > $name/new; done; mkdir -p .pytest_cache/v/cache __pycache__ .cache; echo > __pycache__/a.pyc; " +
      "echo > .pytest_cache/v/cache/nodeids; echo > .cache/a.js";
    const shippable = await work(
      folder,
      "test -d gen && mkdir -p dist && echo > dist/made\n",
      command,
      ["gen/mine", "node_modules/a/index.js"],
    );
    assert.equal((await shippable.ship()).outcome, "shipped");
    assert.deepEqual(shippable.events.filter(({ type }) => type === "proof_started"), []);
    const words =
      "with what commands of the session made of files that git ignores: .cache, dist, gen, node_modules";
    const text = folder.read(`planning/archive/${TEST_SESSION}/DEMONSTRATION.md`);
    assert.ok(text.includes(`The commit was proved ${words.replace("_", "\\_")}`), text);
    const [entry] = await readLedger(`${folder.root}/planning/ledger.jsonl`);
    assert.equal(entry?.entry.proved?.why, words);
  }));

Deno.test("a check that passes only by what it has left of an earlier run proves no commit", () =>
  withProject(async (folder) => {
    const check = "test -f gen/ran && exit 0; mkdir gen; echo > gen/ran; grep -q 2 numbers.txt\n";
    // The check passes before any change, and after it beside what a failing run has left.
    const command = "rm -r gen; echo 3 > numbers.txt; sh check.sh; true";
    const shippable = await work(folder, check, command);
    const outcome = await shippable.ship();
    assert.ok(outcome.outcome === "blocked");
    assert.deepEqual(checkOf(outcome.checks, "proof").places, [
      "gen (git ignores it, and the session made it)",
    ]);
  }));

Deno.test("MakingTimes takes what changed between two records for the user's where the second is no result", () => {
  const times = new MakingTimes();
  const at = (seconds: number) => new Date(seconds * 1000).toISOString();
  const record = (seconds: number, body: object) =>
    times.apply({ seq: 1, at: at(seconds), ...body } as SessionRecord);
  assert.equal(times.sinceMs, undefined);
  record(10, { type: "intent", call: 1, done: "", changes: [] });
  record(12, { type: "tool_result", call: 1, tool: "mcp", output: "", isError: false });
  record(20, { type: "user", text: "next" });
  record(30, { type: "check", purpose: "attempt" });
  record(40, { type: "check", purpose: "proof" });
  assert.equal(times.sinceMs, 10_000);
  assert.deepEqual(
    [9, 9.99, 11, 13, 25, 35].map((seconds) => times.makerBetween(seconds * 1000, seconds * 1000)),
    [
      undefined,
      "command",
      "command",
      undefined,
      "check",
      undefined,
    ],
  );
});
