import assert from "node:assert/strict";
import { commitPaths } from "../../src/git/commit.ts";
import { gitPath } from "../../src/git/path.ts";
import { previewUndoCommit, undoCommit } from "../../src/git/undo_commit.ts";
import { type GitFolder, withGitFolder } from "../support/git_folder.ts";

function ship(folder: GitFolder, names: string[]) {
  return commitPaths(folder.git, {
    paths: names.map((name) => gitPath(name)),
    message: "chore: a goal\n\nM31A-Session: s1\n",
    scratch: folder.scratch,
  });
}

Deno.test("undoCommit() takes the commit back and leaves the tree and what is staged", async () => {
  await withGitFolder(async (folder) => {
    folder.write("a", "1\n");
    folder.write("gone", "1\n");
    folder.commitAll("base");
    folder.write("user", "staged\n");
    folder.run("add", "user");
    folder.write("a", "ours\n");
    folder.write("né w", "ours\n");
    Deno.removeSync(`${folder.root}/gone`);
    const before = folder.run("status", "--porcelain", "-z") + folder.run("ls-files", "-s");
    const base = folder.run("rev-parse", "HEAD").trim();
    const { commit } = await ship(folder, ["a", "né w", "gone"]);

    const undoable = await previewUndoCommit(folder.git, "s1");
    assert.equal(undoable.commit, commit);
    assert.equal(undoable.parent, base);
    assert.equal(undoable.subject, "chore: a goal");
    assert.equal(undoable.changes.length, 3);
    await undoCommit(folder.git, undoable);
    assert.equal(folder.run("rev-parse", "HEAD").trim(), base);
    assert.equal(folder.run("symbolic-ref", "HEAD").trim(), "refs/heads/main");
    assert.equal(folder.run("status", "--porcelain", "-z") + folder.run("ls-files", "-s"), before);
    assert.equal(folder.read("a"), "ours\n");
  });
});

Deno.test("undoCommit() takes back the first commit of a repository", async () => {
  await withGitFolder(async (folder) => {
    folder.write("a", "1\n");
    await ship(folder, ["a"]);
    await undoCommit(folder.git, await previewUndoCommit(folder.git));
    assert.equal(folder.run("status", "--porcelain"), "?? a\n");
    assert.throws(() => folder.run("rev-parse", "--verify", "-q", "HEAD"));
  });
});

Deno.test("undoCommit() keeps what the user staged of a committed file since", async () => {
  await withGitFolder(async (folder) => {
    folder.commitAll();
    folder.write("a", "ours\n");
    await ship(folder, ["a"]);
    folder.write("a", "the user's\n");
    folder.run("add", "a");
    folder.write("a", "later\n");
    await undoCommit(folder.git, await previewUndoCommit(folder.git));
    assert.equal(folder.run("show", ":a"), "the user's\n");
    assert.equal(folder.read("a"), "later\n");
  });
});

Deno.test("undoCommit() takes back a folder that took a file's place, and a file that took a folder's", async () => {
  await withGitFolder(async (folder) => {
    folder.write("a", "file\n");
    folder.write("b/c", "inside\n");
    folder.commitAll();
    const index = folder.run("ls-files", "-s");
    Deno.removeSync(`${folder.root}/a`);
    folder.write("a/x", "inside\n");
    Deno.removeSync(`${folder.root}/b`, { recursive: true });
    folder.write("b", "file\n");
    await ship(folder, ["a", "a/x", "b", "b/c"]);
    assert.equal(folder.run("status", "--porcelain"), "");
    await undoCommit(folder.git, await previewUndoCommit(folder.git));
    assert.equal(folder.run("ls-files", "-s"), index);
    assert.deepEqual([folder.read("a/x"), folder.read("b")], ["inside\n", "file\n"]);
  });
});

Deno.test("previewUndoCommit() refuses while a merge is in progress", async () => {
  await withGitFolder(async (folder) => {
    folder.commitAll("base");
    folder.run("checkout", "-q", "-b", "side");
    folder.write("b", "1\n");
    folder.commitAll("side");
    folder.run("checkout", "-q", "main");
    folder.write("a", "1\n");
    await ship(folder, ["a"]);
    folder.run("merge", "-q", "--no-commit", "side");
    await assert.rejects(() => previewUndoCommit(folder.git), /a merge is in progress/);
  });
});

Deno.test("previewUndoCommit() refuses what is not m31a's, not this session's, pushed, a merge or detached", async () => {
  await withGitFolder(async (folder) => {
    await assert.rejects(() => previewUndoCommit(folder.git), /there is none/);
    folder.commitAll("the user's");
    await assert.rejects(
      () => previewUndoCommit(folder.git),
      /\(the user's\) is not one of m31a's/,
    );
    folder.write("a", "1\n");
    await ship(folder, ["a"]);
    await assert.rejects(() => previewUndoCommit(folder.git, "s2"), /of session s1, not of s2/);
    folder.run("checkout", "-q", "--detach");
    await assert.rejects(() => previewUndoCommit(folder.git), /HEAD is detached/);
    folder.run("checkout", "-q", "main");
    folder.run("init", "-q", "--bare", `${folder.scratch}/remote`);
    folder.run("push", "-q", `${folder.scratch}/remote`, "main");
    folder.run("update-ref", "refs/remotes/origin/main", "HEAD");
    await assert.rejects(() => previewUndoCommit(folder.git), /was pushed; use "git revert"/);
    folder.run("checkout", "-q", "-b", "side", "HEAD~1");
    folder.write("b", "1\n");
    folder.commitAll("side");
    folder.run("merge", "-q", "main", "-m", "merge\n\nM31A-Session: s1");
    await assert.rejects(() => previewUndoCommit(folder.git), /is a merge/);
  });
});
