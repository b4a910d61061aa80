/** The repository's state for a baseline, and the project's root and name. */
import assert from "node:assert/strict";
import { projectName } from "../../src/git/project.ts";
import { repositorySnapshot } from "../../src/git/snapshot.ts";
import { Git } from "../../src/git/run.ts";
import { withGitFolder, withPlainFolder } from "../support/git_folder.ts";
import { wrappedGit } from "../support/wrapped_git.ts";

Deno.test("repositorySnapshot() works before the first commit", async () => {
  await withGitFolder(async (folder) => {
    folder.write("new", "x");
    assert.deepEqual(await repositorySnapshot(folder.git), {
      head: null,
      branch: "main",
      dirty: [{ path: "new" }],
      runs: {},
    });
  });
});

Deno.test("repositorySnapshot() is undefined outside a repository", async () => {
  await withPlainFolder(async ({ git }) => assert.equal(await repositorySnapshot(git), undefined));
});

Deno.test("repositorySnapshot() names every dirty file, whatever its name", async () => {
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
    assert.deepEqual(state.dirty.map(({ path }) => path), [
      "a\tb",
      "gone",
      "moved",
      "moved here",
      "staged",
      '"quoted"\nname\\',
      "link",
    ]);
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

Deno.test("repositorySnapshot() reads no untracked file, so that a conversation begins at once", async () => {
  await withGitFolder(async (folder) => {
    folder.write("large", new Uint8Array(5_000_000));
    const environment = wrappedGit(folder, `echo "$*" >> '${folder.scratch}/calls'`);
    await repositorySnapshot(new Git(folder.root, environment));
    const calls = Deno.readTextFileSync(`${folder.scratch}/calls`);
    assert.match(calls, / status /);
    assert.doesNotMatch(calls, /hash-object/);
  });
});
