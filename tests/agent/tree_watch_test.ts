import assert from "node:assert/strict";
import { sessionTree } from "../../src/agent/session_tree.ts";
import { TreeWatch, type WatchedTree } from "../../src/agent/tree_watch.ts";
import { type GitFolder, withGitFolder, withPlainFolder } from "../support/git_folder.ts";

/** What `command`, text for sh, does to the tree, as it is recorded. */
async function watched(folder: GitFolder, command: string): Promise<WatchedTree> {
  const place = { root: folder.root, environment: folder.environment, session: "s" };
  const watch = await TreeWatch.begin(sessionTree(place, 1000));
  const { success } = new Deno.Command("sh", { args: ["-c", command], cwd: folder.root })
    .outputSync();
  assert(success, command);
  return await watch.end();
}

Deno.test("TreeWatch tells what a command changed, each side committed, kept or not kept", async () => {
  await withGitFolder(async (folder) => {
    folder.write("tracked", "1\n");
    folder.write("large", "x".repeat(2000));
    folder.commitAll();
    folder.write("mine", "mine\n");
    folder.write("mine.csv", "y".repeat(3000));
    const { tree, touched, unknown } = await watched(
      folder,
      "echo 2 > tracked; echo 2 > large; echo 2 > mine; echo 2 > mine.csv; mkdir -p target; echo 3 > target/made",
    );
    assert("id" in tree);
    assert.deepEqual(unknown, []);
    const states = touched.map(({ path, before, after }) => [
      path,
      before === null ? null : [before.kept ?? true, before.committed ?? false],
      after?.kept ?? true,
    ]);
    assert.deepEqual(states, [
      ["large", [true, true], true],
      ["mine", [true, false], true],
      ["mine.csv", [false, false], true],
      ["tracked", [true, true], true],
      ["target/made", null, true],
    ]);
  });
});

Deno.test("TreeWatch names what it cannot record, and leaves out what an interpreter left behind", async () => {
  await withGitFolder(async (folder) => {
    folder.commitAll();
    const { touched, unknown } = await watched(
      folder,
      `mkdir __pycache__ planning; echo > __pycache__/a.pyc; echo > planning/x; echo > "$(printf 'b\\351te')"`,
    );
    assert.deepEqual(touched, []);
    assert.deepEqual(unknown, [{
      path: "b\ufffdte",
      why: "was changed, and has a name that cannot be recorded",
    }]);
  });
});

Deno.test("TreeWatch says why there is no tree", async () => {
  await withPlainFolder(async (folder) => {
    const { tree, touched } = await watched(folder, "echo > a");
    assert.deepEqual(touched, []);
    assert("unknown" in tree && /is not in a git repository/.test(tree.unknown));
  });
});

Deno.test("TreeWatch names what has changed since something that was cut off had begun", async () => {
  await withGitFolder(async (folder) => {
    folder.write("a", "1\n");
    folder.commitAll();
    const place = { root: folder.root, environment: folder.environment, session: "s" };
    await TreeWatch.begin(sessionTree(place, 1000));
    folder.write("a", "2\n");
    const { touched, unknown } = await watched(folder, "echo 3 > b");
    assert.deepEqual(touched.map(({ path }) => path), ["b"]);
    assert.deepEqual(unknown, [{
      path: "a",
      why: "was changed after a command had begun that was cut off, by it or by someone else",
    }]);
    assert.deepEqual((await watched(folder, "true")).unknown, [], "it is said once");
  });
});
