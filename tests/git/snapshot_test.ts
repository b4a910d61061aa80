/** The repository's state for a baseline, and the project's root and name. */
import assert from "node:assert/strict";
import { blobId } from "../../src/git/file_state.ts";
import { projectName } from "../../src/git/project.ts";
import { repositorySnapshot } from "../../src/git/snapshot.ts";
import { withGitFolder, withPlainFolder } from "../support/git_folder.ts";

const blobOf = (text: string) => blobId(new TextEncoder().encode(text));

Deno.test("repositorySnapshot() works before the first commit", async () => {
  await withGitFolder(async (folder) => {
    folder.write("new", "x");
    assert.deepEqual(await repositorySnapshot(folder.git), {
      head: null,
      branch: "main",
      dirty: [{ path: "new", blob: blobOf("x") }],
    });
  });
});

Deno.test("repositorySnapshot() is undefined outside a repository", async () => {
  await withPlainFolder(async ({ git }) => assert.equal(await repositorySnapshot(git), undefined));
});

Deno.test("repositorySnapshot() has the tree's content of every dirty file, whatever its name", async () => {
  await withGitFolder(async (folder) => {
    for (const name of ["kept", "staged", "gone", "a\tb", "moved"]) folder.write(name, "old");
    folder.write(".gitignore", "*.log\n");
    folder.commitAll();
    folder.write("staged", "index");
    folder.run("add", "staged");
    folder.write("staged", "tree");
    folder.write("a\tb", "tab");
    Deno.removeSync(`${folder.root}/gone`);
    folder.run("mv", "moved", "moved here");
    folder.write('"quoted"\nname\\', "q");
    folder.write("ignored.log", "");
    Deno.symlinkSync("kept", `${folder.root}/link`);
    const state = await repositorySnapshot(folder.git);
    assert(state !== undefined);
    assert.equal(state.head, folder.run("rev-parse", "HEAD").trim());
    assert.deepEqual(
      new Map(state.dirty.map(({ path, blob }) => [path, blob])),
      new Map([
        ["a\tb", blobOf("tab")],
        ["gone", null],
        ["moved", null],
        ["moved here", blobOf("old")],
        ["staged", blobOf("tree")],
        ['"quoted"\nname\\', blobOf("q")],
        ["link", blobOf("kept")],
      ]),
    );
  });
});

Deno.test("repositorySnapshot() says when HEAD is detached", async () => {
  await withGitFolder(async (folder) => {
    folder.commitAll();
    folder.run("checkout", "-q", "--detach");
    const state = await repositorySnapshot(folder.git);
    assert.equal(state?.branch, null);
    assert.notEqual(state?.head, null);
  });
});

Deno.test("projectName() knows a linked worktree", async () => {
  await withGitFolder(async (folder) => {
    folder.write("sub/file", "");
    folder.commitAll();
    folder.run("worktree", "add", "-q", "../beside");
    const { environment, root } = folder;
    assert.equal(await projectName(root, environment), "work");
    assert.equal(await projectName(`${root}/../beside`, environment), "work");
  });
});

Deno.test("projectName() outside a repository is the folder's", async () => {
  await withPlainFolder(async ({ root, environment }) => {
    assert.equal(await projectName(root, environment), "work");
  });
});
