import assert from "node:assert/strict";
import { CommitFailed, commitPaths, resumeCommit } from "../../src/git/commit.ts";
import { Git } from "../../src/git/run.ts";
import { gitPath } from "../../src/git/path.ts";
import { UsageError } from "../../src/platform/errors.ts";
import { type GitFolder, withGitFolder } from "../support/git_folder.ts";

function commit(folder: GitFolder, names: string[], more: { timeoutMs?: number } = {}) {
  return commitPaths(folder.git, {
    paths: names.map((name) => gitPath(name)),
    message: "chore: a goal\n\n# not a comment\n\nM31A-Session: s1\n",
    scratch: folder.scratch,
    ...more,
  });
}

/** Everything that a commit must leave alone: HEAD, the index, the state of the tree. */
function condition(folder: GitFolder): string {
  const head = folder.run("rev-parse", "--verify", "-q", "HEAD");
  return [head, folder.run("ls-files", "-s"), folder.run("status", "--porcelain")].join("\n");
}

function base(folder: GitFolder): void {
  for (const name of ["a", "b", "old name", "gone"]) folder.write(name, `${name}\n1\n2\n3\n`);
  folder.commitAll("base");
}

Deno.test("commitPaths() commits exactly the files asked for and leaves the rest staged or untracked", async () => {
  await withGitFolder(async (folder) => {
    base(folder);
    folder.write("b", "the user's\n");
    folder.write("staged", "the user's\n");
    folder.run("add", "b", "staged");
    folder.write(".env", "SECRET=1\n");
    folder.write("a", "ours\n");
    folder.write("new/tab\tand\nline", "ours\n");
    folder.write("[a-z]*", "ours\n");
    folder.write(":(top)x", "ours\n");
    Deno.removeSync(`${folder.root}/gone`);
    Deno.renameSync(`${folder.root}/old name`, `${folder.root}/nëw`);
    const names = [
      "a",
      "new/tab\tand\nline",
      "[a-z]*",
      ":(top)x",
      "gone",
      "old name",
      "nëw",
    ];
    const result = await commit(folder, names);

    assert.deepEqual(result.paths.map((path) => path.text).sort(), [...names].sort());
    assert.deepEqual(result.addedByHook, []);
    assert.equal(result.warning, undefined);
    assert.equal(result.commit, folder.run("rev-parse", "HEAD").trim());
    assert.equal(
      folder.run("status", "--porcelain", "-z"),
      "M  b\0A  staged\0?? .env\0",
    );
    assert.equal(folder.run("show", "-s", "--format=%B").trim().split("\n")[2], "# not a comment");
    assert.deepEqual([...Deno.readDirSync(folder.scratch)], []);
  });
});

Deno.test("commitPaths() makes the first commit of a repository", async () => {
  await withGitFolder(async (folder) => {
    folder.write("a", "ours\n");
    folder.write("b", "the user's\n");
    folder.run("add", "b");
    await commit(folder, ["a"]);
    assert.equal(folder.run("ls-tree", "--name-only", "HEAD"), "a\n");
    assert.equal(folder.run("status", "--porcelain"), "A  b\n");
  });
});

Deno.test("commitPaths() keeps a mode, a link and a folder in place of a file", async () => {
  await withGitFolder(async (folder) => {
    base(folder);
    folder.write("run", "x", 0o755);
    Deno.symlinkSync("run", `${folder.root}/link`);
    Deno.removeSync(`${folder.root}/a`);
    folder.write("a/inside", "x");
    await commit(folder, ["run", "link", "a", "a/inside"]);
    assert.match(folder.run("ls-tree", "HEAD", "run"), /^100755/);
    assert.match(folder.run("ls-tree", "HEAD", "link"), /^120000/);
    assert.match(folder.run("ls-tree", "HEAD", "a/inside"), /^100644/);
    assert.equal(folder.run("status", "--porcelain"), "");
  });
});

Deno.test("commitPaths() says when there is nothing to commit", async () => {
  await withGitFolder(async (folder) => {
    base(folder);
    const before = condition(folder);
    await assert.rejects(() => commit(folder, ["a", "never there"]), /nothing to commit/);
    assert.equal(condition(folder), before);
  });
});

Deno.test("commitPaths() refuses an ignored file by name", async () => {
  await withGitFolder(async (folder) => {
    folder.write(".gitignore", "*.log\n");
    folder.commitAll();
    folder.write("a.log", "x");
    await assert.rejects(
      () => commit(folder, ["a.log"]),
      (error) => error instanceof UsageError && /^a\.log: ignored by git/.test(error.message),
    );
  });
});

for (const hook of ["pre-commit", "commit-msg", "prepare-commit-msg"]) {
  Deno.test(`commitPaths() fails with the output of a ${hook} hook that fails, and changes nothing`, async () => {
    await withGitFolder(async (folder) => {
      base(folder);
      folder.write("b", "staged\n");
      folder.run("add", "b");
      folder.write("a", "ours\n");
      folder.write("new", "ours\n");
      folder.hook(hook, "echo 'lint: \x1b[31mno good\x1b[0m'; exit 1");
      const before = condition(folder);
      await assert.rejects(
        () => commit(folder, ["a", "new"]),
        (error) =>
          error instanceof CommitFailed && error.message === "Nothing was committed. lint: no good",
      );
      assert.equal(condition(folder), before);
    });
  });
}

Deno.test("commitPaths() commits what a hook reformatted and added", async () => {
  await withGitFolder(async (folder) => {
    base(folder);
    folder.write("b", "staged\n");
    folder.run("add", "b");
    folder.write("a", "ours\n");
    folder.hook("pre-commit", "echo formatted > a; echo made > generated; git add a generated");
    const result = await commit(folder, ["a"]);
    assert.equal(folder.run("show", "HEAD:a"), "formatted\n");
    assert.deepEqual(result.addedByHook.map((path) => path.text), ["generated"]);
    assert.equal(folder.run("status", "--porcelain"), "M  b\n");
  });
});

Deno.test("commitPaths() lets a hook see exactly what is committed", async () => {
  await withGitFolder(async (folder) => {
    base(folder);
    folder.write("b", "staged\n");
    folder.run("add", "b");
    folder.write("a", "ours\n");
    folder.hook("pre-commit", `git diff --cached --name-only > ${folder.scratch}/seen`);
    await commit(folder, ["a"]);
    assert.equal(Deno.readTextFileSync(`${folder.scratch}/seen`), "a\n");
  });
});

Deno.test("commitPaths() stops a hook that hangs, and leaves nothing half done", async () => {
  await withGitFolder(async (folder) => {
    base(folder);
    folder.write("a", "ours\n");
    folder.hook("pre-commit", `echo $$ > ${folder.scratch}/pid; exec sleep 1000`);
    const before = condition(folder);
    await assert.rejects(
      () => commit(folder, ["a"], { timeoutMs: 500 }),
      /Nothing was committed\. A hook or a signing prompt did not end in time/,
    );
    assert.equal(condition(folder), before);
    assert.throws(() => Deno.statSync(`${folder.root}/.git/index.lock`), Deno.errors.NotFound);
    const pid = Deno.readTextFileSync(`${folder.scratch}/pid`).trim();
    // One that has ended may still be listed, as a zombie, until its parent looks.
    const { stdout } = new Deno.Command("ps", { args: ["-o", "stat=", "-p", pid] }).outputSync();
    assert.match(new TextDecoder().decode(stdout), /^(Z.*)?\s*$/);
    Deno.removeSync(`${folder.root}/.git/hooks/pre-commit`);
    await commit(folder, ["a"]);
  });
});

Deno.test("commitPaths() says that the commit was made when only a post-commit hook hangs", async () => {
  await withGitFolder(async (folder) => {
    base(folder);
    folder.write("a", "ours\n");
    folder.hook("post-commit", "exec sleep 1000");
    const result = await commit(folder, ["a"], { timeoutMs: 1500 });
    assert.match(result.warning ?? "", /The commit was made, but what runs after it failed/);
    assert.equal(folder.run("show", "HEAD:a"), "ours\n");
    assert.equal(folder.run("status", "--porcelain"), "");
  });
});

Deno.test("commitPaths() stops a signing program that waits for a passphrase", async () => {
  await withGitFolder(async (folder) => {
    base(folder);
    folder.write("a", "ours\n");
    folder.write("../scratch/gpg", "#!/bin/sh\nexec sleep 1000\n", 0o755);
    folder.run("config", "commit.gpgSign", "true");
    folder.run("config", "gpg.program", `${folder.scratch}/gpg`);
    const before = condition(folder);
    await assert.rejects(() => commit(folder, ["a"], { timeoutMs: 500 }), /signing prompt/);
    assert.equal(condition(folder), before);
  });
});

Deno.test("commitPaths() says when a lock is in the way, and leaves it", async () => {
  await withGitFolder(async (folder) => {
    base(folder);
    folder.write("a", "ours\n");
    folder.write(".git/index.lock", "");
    const head = folder.run("rev-parse", "HEAD");
    await assert.rejects(() => commit(folder, ["a"]), /index\.lock/);
    assert.equal(folder.run("rev-parse", "HEAD"), head);
    assert.ok(Deno.statSync(`${folder.root}/.git/index.lock`).isFile);
  });
});

Deno.test("commitPaths() commits in a linked worktree", async () => {
  await withGitFolder(async (folder) => {
    base(folder);
    folder.run("worktree", "add", "-q", `${folder.scratch}/tree`, "-b", "other");
    Deno.writeTextFileSync(`${folder.scratch}/tree/a`, "ours\n");
    await commitPaths(new Git(`${folder.scratch}/tree`, folder.environment), {
      paths: [gitPath("a")],
      message: "x",
      scratch: folder.scratch,
    });
    assert.equal(folder.run("show", "other:a"), "ours\n");
    assert.equal(folder.run("-C", `${folder.scratch}/tree`, "status", "--porcelain"), "");
  });
});

Deno.test("commitPaths() says what to do when git does not know who commits", async () => {
  await withGitFolder(async (folder) => {
    folder.run("config", "user.useConfigOnly", "true");
    folder.run("config", "--unset", "user.email");
    folder.write("a", "ours\n");
    await assert.rejects(() => commit(folder, ["a"]), /Nothing was committed.*user\.email/s);
  });
});

Deno.test("resumeCommit() ends a commit that was killed before the index was brought up to date", async () => {
  await withGitFolder(async (folder) => {
    base(folder);
    assert.equal(await resumeCommit(folder.git, "s1"), undefined);
    folder.write("b", "staged\n");
    folder.run("add", "b");
    folder.write("a", "ours\n");
    folder.write("new", "ours\n");
    Deno.removeSync(`${folder.root}/gone`);
    Deno.copyFileSync(`${folder.root}/.git/index`, `${folder.scratch}/index`);
    const { commit: made } = await commit(folder, ["a", "new", "gone"]);
    Deno.copyFileSync(`${folder.scratch}/index`, `${folder.root}/.git/index`);
    Deno.removeSync(`${folder.scratch}/index`);
    assert.notEqual(folder.run("status", "--porcelain"), "M  b\n");

    assert.equal(await resumeCommit(folder.git, "another"), undefined);
    const resumed = await resumeCommit(folder.git, "s1");
    assert.equal(resumed?.commit, made);
    assert.deepEqual(resumed?.paths.map(({ text }) => text), ["a", "gone", "new"]);
    assert.equal(folder.run("status", "--porcelain"), "M  b\n");
    folder.write("a", "the user's\n");
    folder.run("add", "a");
    await resumeCommit(folder.git, "s1");
    assert.equal(folder.run("show", ":a"), "the user's\n");
  });
});

Deno.test("commitPaths() is not led elsewhere by GIT_DIR and GIT_INDEX_FILE of the caller", async () => {
  await withGitFolder(async (folder) => {
    base(folder);
    folder.write("a", "ours\n");
    for (const name of ["GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE"]) {
      Deno.env.set(name, `${folder.scratch}/elsewhere`);
    }
    try {
      await commit(folder, ["a"]);
    } finally {
      for (const name of ["GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE"]) Deno.env.delete(name);
    }
    assert.equal(folder.run("status", "--porcelain"), "");
    assert.deepEqual([...Deno.readDirSync(folder.scratch)], []);
  });
});
