import assert from "node:assert/strict";
import { isSessionId } from "../../../src/session/session_id.ts";
import type { GitFolder } from "../../support/git_folder.ts";
import { m31a, withTwoTasks } from "./two_tasks.ts";

/** What no undo may touch: branch, index, stash, and the files of the user's. */
function own(folder: GitFolder): string {
  const index = [...Deno.readFileSync(`${folder.root}/.git/index`)].join(",");
  return [
    index,
    folder.run("for-each-ref", "refs/heads", "refs/stash"),
    folder.read("mine"),
    folder.read("untracked"),
  ].join();
}

function exists(folder: GitFolder, path: string): boolean {
  try {
    folder.read(path);
    return true;
  } catch {
    return false;
  }
}

Deno.test("m31a undo shows what would change and asks for --yes where nobody can be asked", () =>
  withTwoTasks(async (folder) => {
    const before = own(folder);
    const { code, stdout, stderr } = await m31a(folder, "undo", "--diff");
    assert.equal(code, 2);
    assert.match(stderr, /nothing was changed: nobody can be asked here.*--yes/);
    assert.match(
      stdout,
      /^Session \S+: back to how it was at checkpoint 1\.\n {2}taken back +2\. task 2: Step 2\n/,
    );
    assert.match(
      stdout,
      /restored +a\n {2}removed +new\n {2}recreated +old\n1 restored, 1 removed, 1 recreated\.\n/,
    );
    assert.match(stdout, /\n-2\n\+1\n/);
    assert.equal(folder.read("a"), "2\n");
    assert.equal(own(folder), before);
  }));

Deno.test("m31a undo takes the last task back, records it, and its tasks can be done again", () =>
  withTwoTasks(async (folder) => {
    const before = own(folder);
    const { code, stdout, stderr } = await m31a(folder, "undo", "--yes");
    assert.equal(code, 0, stderr);
    assert.match(stdout, /Done; recorded as checkpoint 3\.\n$/);
    assert.deepEqual(
      [folder.read("a"), exists(folder, "new"), folder.read("old")],
      ["1\n", false, "old\n"],
    );
    assert.equal(own(folder), before);
    const status = await m31a(folder, "status");
    assert.match(status.stdout, /Phase +execute failed: undo: back to checkpoint 1\n/);
    assert.match(status.stdout, /done +1\. Step 1\n {2}pending +2\. Step 2\n +taken back/);
    assert.match(folder.read("planning/TASKS.md"), /\| 2 +\| pending/);
    const resumed = await m31a(folder, "run", "--continue", "--no-ship", "--from", "execute");
    assert.equal(resumed.code, 0, resumed.stdout + resumed.stderr);
    assert.equal(folder.read("a"), "3\n");
    const list = await m31a(folder, "rollback");
    assert.deepEqual(list.stdout.split("\n").slice(1, -1), [
      "0. before the first change",
      "1. task 1: Step 1 (1 file)",
      "2. task 2: Step 2 (3 files, taken back)",
      "3. undo to 1 (3 files)",
      "4. task 2: Step 2 (1 file)",
    ]);
  }));

Deno.test("m31a undo N and rollback go as far back as asked, and forth again", () =>
  withTwoTasks(async (folder) => {
    assert.equal((await m31a(folder, "undo", "2", "--yes")).code, 0);
    assert.equal(folder.read("a"), "0\n");
    const nothing = await m31a(folder, "undo", "--yes");
    assert.deepEqual([nothing.code, /nothing to take back/.test(nothing.stderr)], [2, true]);
    assert.equal((await m31a(folder, "rollback", "2", "--yes")).code, 0);
    assert.deepEqual(
      [folder.read("a"), exists(folder, "new"), exists(folder, "old")],
      ["2\n", true, false],
    );
    const status = await m31a(folder, "status", "--json");
    assert.deepEqual(
      JSON.parse(status.stdout).tasks.map(({ status }: { status: string }) => status),
      ["done", "done"],
    );
    const back = await m31a(folder, "rollback", "0", "--yes", "--json");
    const { session, files, ...json } = JSON.parse(back.stdout);
    assert.match(session, /^\d{8}-/);
    assert.deepEqual(
      [json, files.map(({ path, fate }: { path: string; fate: string }) => `${fate} ${path}`)],
      [
        { type: "rollback", to: 0, checkpoint: 5, takenBack: [2, 1], broughtBack: [], done: true },
        ["restored a", "removed new", "recreated old"],
      ],
    );
    assert.equal(folder.read("a"), "0\n");
    const missing = await m31a(folder, "rollback", "9", "--yes");
    assert.deepEqual([missing.code, /has no checkpoint 9/.test(missing.stderr)], [2, true]);
  }));

Deno.test("m31a undo refuses to overwrite what the user changed since; --force keeps a copy", () =>
  withTwoTasks(async (folder) => {
    folder.write("a", "my own\n");
    const { code, stdout, stderr } = await m31a(folder, "undo", "--yes");
    assert.equal(code, 1);
    assert.match(stdout, /conflict +a: it was changed after m31a last changed it\n/);
    assert.match(stderr, /nothing was changed.*\n {2}a: it was changed after/);
    assert.deepEqual([folder.read("a"), exists(folder, "new")], ["my own\n", true]);
    const forced = await m31a(folder, "undo", "--yes", "--force");
    assert.equal(forced.code, 0, forced.stderr);
    assert.equal(folder.read("a"), "1\n");
    const command = /is kept: git (show) (\S+)\n/.exec(forced.stdout);
    assert.equal(folder.run("show", command?.[2] ?? ""), "my own\n");
    // And that can be had back, too.
    assert.equal((await m31a(folder, "rollback", "2", "--yes")).code, 0);
    assert.equal(folder.read("a"), "my own\n");
  }));

Deno.test("m31a undo is refused while the session is in use, and says when there is no workflow", () =>
  withTwoTasks(async (folder) => {
    const [id] = [...Deno.readDirSync(`${folder.root}/sessions`)]
      .filter(({ name }) => isSessionId(name)).map(({ name }) => name);
    using log = Deno.openSync(`${folder.root}/sessions/${id}/0.jsonl`);
    await log.lock(true);
    const { code, stderr } = await m31a(folder, "undo", "--yes");
    assert.deepEqual([code, /is open in another m31a process/.test(stderr)], [2, true]);
    assert.equal(folder.read("a"), "2\n");
    const none = await m31a(folder, "undo", "--session", "1999");
    assert.equal(none.code, 2);
  }));
