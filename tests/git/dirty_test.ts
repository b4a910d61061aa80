import assert from "node:assert/strict";
import { listDirty, snapshotDirty, touchedBetween } from "../../src/git/dirty.ts";
import { withGitFolder } from "../support/git_folder.ts";

Deno.test("listDirty() tells staged, changed and untracked files apart, whatever their names", async () => {
  await withGitFolder(async (folder) => {
    folder.write(".gitignore", "*.log\n");
    folder.write("a b", "1\n");
    folder.write("gone", "1\n");
    folder.write("clean", "1\n");
    folder.commitAll();
    folder.write("a b", "2\n");
    folder.write("sub/staged\n", "1\n");
    folder.run("add", "sub");
    folder.write("sub/ untracked => x", "1\n");
    folder.write("x.log", "1\n");
    Deno.removeSync(`${folder.root}/gone`);
    const found = (await listDirty(folder.git)).map(({ path, isStaged, isUntracked }) =>
      `${JSON.stringify(path.text)} ${isStaged} ${isUntracked}`
    );
    assert.deepEqual(found, [
      '"a b" false false',
      '"gone" false false',
      '"sub/staged\\n" true false',
      '"sub/ untracked => x" false true',
    ]);
  });
});

Deno.test("listDirty() marks a submodule at another commit and does not look into it", async () => {
  await withGitFolder(async (folder) => {
    folder.run("init", "-q", "sub");
    folder.run(
      "-C",
      "sub",
      "-c",
      "user.name=T",
      "-c",
      "user.email=t@t",
      "commit",
      "-q",
      "--allow-empty",
      "-m",
      "x",
    );
    folder.commitAll();
    folder.write("sub/new", "x");
    assert.deepEqual(await listDirty(folder.git), []);
    folder.run("-C", "sub", "add", "new");
    folder.run("-C", "sub", "-c", "user.name=T", "-c", "user.email=t@t", "commit", "-q", "-m", "y");
    const dirty = await listDirty(folder.git);
    assert.deepEqual(dirty.map(({ path, isSubmodule }) => [path.text, isSubmodule]), [[
      "sub",
      true,
    ]]);
    assert.equal((await snapshotDirty(folder.git)).size, 0);
  });
});

Deno.test("touchedBetween() names what changed between two looks, with what was there", async () => {
  await withGitFolder(async (folder) => {
    folder.write("clean", "committed\n");
    folder.write("dirty", "committed\n");
    folder.write("same", "committed\n");
    folder.commitAll();
    folder.write("dirty", "the user's\n");
    folder.write("same", "the user's\n");
    folder.write("untracked", "the user's\n");
    const before = await snapshotDirty(folder.git);
    folder.write("clean", "changed\n");
    folder.write("dirty", "committed\n");
    folder.write("new", "x\n");
    Deno.removeSync(`${folder.root}/untracked`);
    const touched = await touchedBetween(folder.git, before, await snapshotDirty(folder.git));
    const was = Object.fromEntries(touched.map(({ path, before }) => [
      path,
      before === null ? null : folder.run("cat-file", "blob", before.blob),
    ]));
    assert.deepEqual(was, {
      clean: "committed\n",
      dirty: "the user's\n",
      new: null,
      untracked: "the user's\n",
    });
  });
});
