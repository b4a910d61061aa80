import assert from "node:assert/strict";
import { Git } from "../../src/git/run.ts";
import { gitPath } from "../../src/git/path.ts";
import { ignoredPaths, isPushed, readRepositoryState } from "../../src/git/state.ts";
import { type GitFolder, withGitFolder, withPlainFolder } from "../support/git_folder.ts";

function attempt(folder: GitFolder, ...args: string[]): void {
  try {
    folder.run(...args);
  } catch {
    // It stops at the conflict that the test is about.
  }
}

function diverge(folder: GitFolder): void {
  folder.write("f", "base\n");
  folder.commitAll("base");
  folder.run("checkout", "-q", "-b", "side");
  folder.write("f", "side\n");
  folder.commitAll("side");
  folder.run("checkout", "-q", "main");
  folder.write("f", "main\n");
  folder.commitAll("main");
}

Deno.test("readRepositoryState() gives undefined in a plain folder and in a bare repository", async () => {
  await withPlainFolder(async (folder) => {
    assert.equal(await readRepositoryState(folder.git, 0), undefined);
    folder.run("init", "-q", "--bare", ".");
    assert.equal(await readRepositoryState(folder.git, 0), undefined);
  });
});

Deno.test("readRepositoryState() knows a repository without a commit", async () => {
  await withGitFolder(async (folder) => {
    const state = await readRepositoryState(folder.git, 0);
    assert.equal(state?.head, undefined);
    assert.equal(state?.branch, "main");
    assert.equal(state?.root, folder.root);
    assert.equal(state?.isWorktree, false);
    assert.equal(state?.operation, undefined);
    assert.equal(state?.indexLock, undefined);
  });
});

Deno.test("readRepositoryState() knows a detached HEAD", async () => {
  await withGitFolder(async (folder) => {
    folder.commitAll();
    folder.run("checkout", "-q", "--detach");
    const state = await readRepositoryState(folder.git, 0);
    assert.equal(state?.branch, undefined);
    assert.equal(state?.head, folder.run("rev-parse", "HEAD").trim());
  });
});

for (
  const [operation, begin] of [
    ["merge", ["merge", "side"]],
    ["rebase", ["rebase", "side"]],
    ["rebase", ["rebase", "--apply", "side"]],
    ["cherry-pick", ["cherry-pick", "side"]],
    ["revert", ["revert", "--no-edit", "HEAD~1", "HEAD"]],
    ["bisect", ["bisect", "start"]],
  ] as const
) {
  Deno.test(`readRepositoryState() names a ${operation} in progress (git ${begin.join(" ")})`, async () => {
    await withGitFolder(async (folder) => {
      diverge(folder);
      attempt(folder, ...begin);
      assert.equal((await readRepositoryState(folder.git, 0))?.operation, operation);
    });
  });
}

Deno.test("readRepositoryState() names a mailbox that is being applied", async () => {
  await withGitFolder(async (folder) => {
    diverge(folder);
    const patch = folder.run("format-patch", "--stdout", "main~1..side");
    folder.write("../scratch/patch", patch);
    attempt(folder, "am", `${folder.scratch}/patch`);
    assert.equal((await readRepositoryState(folder.git, 0))?.operation, "am");
  });
});

Deno.test("readRepositoryState() names an index.lock with its age and leaves it", async () => {
  await withGitFolder(async (folder) => {
    folder.write(".git/index.lock", "");
    Deno.utimeSync(`${folder.root}/.git/index.lock`, 1000, 1000);
    const state = await readRepositoryState(folder.git, 1_060_000);
    assert.deepEqual(state?.indexLock, { path: `${folder.root}/.git/index.lock`, ageMs: 60_000 });
    assert.ok(Deno.statSync(`${folder.root}/.git/index.lock`).isFile);
  });
});

Deno.test("readRepositoryState() looks at the right git directory in a linked worktree", async () => {
  await withGitFolder(async (folder) => {
    diverge(folder);
    folder.run("worktree", "add", "-q", `${folder.scratch}/tree`, "-b", "other");
    attempt(folder, "-C", `${folder.scratch}/tree`, "merge", "side");
    const inTree = await readRepositoryState(
      new Git(`${folder.scratch}/tree`, folder.environment),
      0,
    );
    assert.equal(inTree?.isWorktree, true);
    assert.equal(inTree?.operation, "merge");
    assert.equal((await readRepositoryState(folder.git, 0))?.operation, undefined);
  });
});

Deno.test("isPushed() knows whether a remote has the commit", async () => {
  await withGitFolder(async (folder) => {
    folder.commitAll();
    folder.run("init", "-q", "--bare", `${folder.scratch}/remote`);
    folder.run("remote", "add", "origin", `${folder.scratch}/remote`);
    const head = folder.run("rev-parse", "HEAD").trim();
    assert.equal(await isPushed(folder.git, head), false);
    folder.run("push", "-q", "origin", "main");
    assert.equal(await isPushed(folder.git, head), true);
  });
});

Deno.test("ignoredPaths() gives ignored files, whatever their names, but none that is tracked", async () => {
  await withGitFolder(async (folder) => {
    folder.write(".gitignore", "*.log\nfolder/\n");
    folder.write("tracked.log", "");
    folder.commitAll();
    const names = ["tracked.log", "a.log", "b.txt", "folder/x", "t\tab\n.log", ":x.log", "[a].log"];
    const ignored = await ignoredPaths(folder.git, names.map((name) => gitPath(name)));
    assert.deepEqual(
      ignored.map((path) => path.text),
      ["a.log", "folder/x", "t\tab\n.log", ":x.log", "[a].log"],
    );
    assert.deepEqual(await ignoredPaths(folder.git, []), []);
    assert.deepEqual(await ignoredPaths(folder.git, [gitPath("b.txt")]), []);
  });
});

Deno.test("readRepositoryState() wants an author and a committer", async () => {
  await withGitFolder(async (folder) => {
    const has = async () => (await readRepositoryState(folder.git, 0))?.hasIdentity;
    assert.equal(await has(), true);
    folder.run("config", "user.useConfigOnly", "true");
    for (const key of ["user.name", "user.email"]) folder.run("config", "--unset", key);
    assert.equal(await has(), false);
    for (const one of ["author", "committer"]) {
      folder.run("config", `${one}.name`, "Test");
      folder.run("config", `${one}.email`, "test@example.invalid");
      assert.equal(await has(), false, `${one} alone`);
      folder.run("config", "--remove-section", one);
    }
  });
});
