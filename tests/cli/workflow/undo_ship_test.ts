import assert from "node:assert/strict";
import { isSessionId } from "../../../src/session/session_id.ts";
import { type GitFolder, withGitFolder } from "../../support/git_folder.ts";
import { type Ended, runM31a } from "../../support/source.ts";

/** A project with a verified change that was shipped. */
async function withShipped(test: (folder: GitFolder) => Promise<void>): Promise<void> {
  await withGitFolder(async (folder) => {
    folder.write("a", "1\n");
    folder.write("mine", "1\n");
    folder.write("Makefile", "test:\n\t@grep -q . a\n");
    folder.write(".gitignore", "planning/\nsessions/\nmodel.jsonl\n");
    folder.commitAll();
    folder.write("mine", "2\n");
    const plan = { summary: "One step.", tasks: [{ id: "1", title: "Step 1" }] };
    const work = [
      { tool: "read_file", input: { path: "a" } },
      { tool: "write_file", input: { path: "a", content: "2\n" } },
      { tool: "finish_task", input: { summary: "Done." } },
    ];
    const lines = [
      "Looked.",
      JSON.stringify({ calls: [{ tool: "submit_plan", input: plan }] }),
      JSON.stringify({ calls: work }),
    ];
    folder.write("model.jsonl", lines.join("\n") + "\n");
    const { code, stdout, stderr } = await m31a(
      folder,
      "run",
      "Go",
      "--model",
      "script:model.jsonl",
    );
    assert.equal(code, 0, stdout + stderr);
    assert.equal(folder.run("rev-list", "--count", "HEAD").trim(), "2");
    await test(folder);
  });
}

function m31a(folder: GitFolder, ...args: string[]): Promise<Ended> {
  return runM31a(args, { cwd: folder.root });
}

function shippedSteps(folder: GitFolder): string[] {
  const [session] = [...Deno.readDirSync(`${folder.root}/sessions`)].filter(({ name }) =>
    isSessionId(name)
  );
  return folder.read(`sessions/${session?.name}/0.jsonl`).trimEnd().split("\n")
    .map((line) => JSON.parse(line)).filter(({ type }) => type === "shipped")
    .map(({ step }) => step);
}

Deno.test("m31a undo --ship takes the last commit back, leaves its files changed, and it can be shipped again", () =>
  withShipped(async (folder) => {
    const unsure = await m31a(folder, "undo", "--ship");
    assert.deepEqual([unsure.code, /say --yes/.test(unsure.stderr)], [2, true]);
    assert.match(
      unsure.stdout,
      /^Commit \S+ \(.*\) of session \S+:\nthe branch goes back to [^]*\n {2}a\n/,
    );
    assert.equal(folder.run("rev-list", "--count", "HEAD").trim(), "2");
    const { code, stdout, stderr } = await m31a(folder, "undo", "--ship", "--yes");
    assert.equal(code, 0, stderr);
    assert.match(stdout, /Took back [0-9a-f]{12}\.\n$/);
    assert.equal(folder.run("rev-list", "--count", "HEAD").trim(), "1");
    assert.equal(folder.run("status", "--short"), " M a\n M mine\n");
    assert.equal(folder.read("a"), "2\n");
    assert.equal(shippedSteps(folder).at(-1), "undone");
    const again = await m31a(folder, "ship", "--yes");
    assert.equal(again.code, 0, again.stdout + again.stderr);
    assert.equal(folder.run("show", "--format=", "--name-only", "HEAD").trim(), "a");
  }));

Deno.test("m31a undo --ship records an undo that was killed before its record, and takes no second commit back", () =>
  withShipped(async (folder) => {
    folder.run("reset", "-q", "--soft", "HEAD^");
    const { code, stdout, stderr } = await m31a(folder, "undo", "--ship", "--yes");
    assert.deepEqual([code, stdout], [0, ""]);
    assert.match(stderr, /was taken back before; that is recorded now/);
    assert.equal(shippedSteps(folder).at(-1), "undone");
    assert.equal(folder.run("rev-list", "--count", "HEAD").trim(), "1");
  }));

Deno.test("m31a undo --ship refuses a commit that is not m31a's, and one that was pushed", () =>
  withShipped(async (folder) => {
    folder.run("update-ref", "refs/remotes/origin/main", "HEAD");
    const pushed = await m31a(folder, "undo", "--ship", "--yes", "--json");
    assert.deepEqual([pushed.code, /was pushed/.test(pushed.stderr)], [2, true]);
    folder.run("commit", "-q", "-am", "my own");
    const own = await m31a(folder, "undo", "--ship", "--yes");
    assert.deepEqual([own.code, /is not one of m31a's/.test(own.stderr)], [2, true]);
    assert.equal(folder.run("rev-list", "--count", "HEAD").trim(), "3");
  }));

Deno.test("m31a undo takes back a task that was shipped; the commit stays, and nothing is called verified", () =>
  withShipped(async (folder) => {
    assert.throws(() => folder.read("planning/TASKS.md"));
    const head = folder.run("rev-parse", "HEAD");
    const { code, stderr } = await m31a(folder, "undo", "--yes");
    assert.equal(code, 0, stderr);
    assert.deepEqual([folder.read("a"), folder.run("rev-parse", "HEAD")], ["1\n", head]);
    assert.match(folder.read("planning/TASKS.md"), /\| 1 +\| pending/);
    const again = await m31a(folder, "ship", "--yes");
    assert.deepEqual(
      [again.code, /unfinished|not pass|verif/.test(again.stdout)],
      [1, true],
      again.stdout,
    );
  }));
