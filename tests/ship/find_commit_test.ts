/** Which commit a ship that was killed had made: told by trailer and parent, among whatever else is on the branch. */
import assert from "node:assert/strict";
import { SESSION_TRAILER } from "../../src/git/index_sync.ts";
import { findCommit } from "../../src/ship/find_commit.ts";
import { type GitFolder, withGitFolder } from "../support/git_folder.ts";

const SESSION = "20260102-030405-1a2b";
const OTHER = "20260102-030405-ffff";

/** Commits a file under a session's trailer, or nobody's. */
function commit(folder: GitFolder, path: string, session?: string): string {
  folder.write(path, `${path}\n`);
  folder.run("add", path);
  const trailer = session === undefined ? "" : `\n\n${SESSION_TRAILER}: ${session}`;
  folder.run("commit", "-q", "-m", `Add ${path}${trailer}`);
  return folder.run("rev-parse", "HEAD").trim();
}

Deno.test("findCommit() takes the session's commit whose parent is the one of before, not an earlier or later one", () =>
  withGitFolder(async (folder) => {
    commit(folder, "a");
    const earlier = commit(folder, "b", SESSION);
    const base = commit(folder, "c");
    assert.equal(await findCommit(folder.git, SESSION, base), undefined);
    // The user goes on, and another process ships the session on top of that.
    commit(folder, "d");
    const onTop = commit(folder, "e", SESSION);
    assert.equal(await findCommit(folder.git, SESSION, base), undefined);
    const parent = folder.run("rev-parse", "HEAD^").trim();
    assert.deepEqual(await findCommit(folder.git, SESSION, parent), {
      commit: onTop,
      paths: ["e"],
    });
    const first = folder.run("rev-parse", `${earlier}^`).trim();
    assert.deepEqual(await findCommit(folder.git, SESSION, first), {
      commit: earlier,
      paths: ["b"],
    });
  }));

Deno.test("findCommit() takes no commit of another session", () =>
  withGitFolder(async (folder) => {
    const base = commit(folder, "a");
    commit(folder, "b", OTHER);
    assert.equal(await findCommit(folder.git, SESSION, base), undefined);
    commit(folder, "c", SESSION);
    assert.equal(await findCommit(folder.git, SESSION, base), undefined);
  }));

Deno.test("findCommit() takes a first commit for that of a session that began without one", () =>
  withGitFolder(async (folder) => {
    assert.equal(await findCommit(folder.git, SESSION, null), undefined);
    const first = commit(folder, "a", SESSION);
    commit(folder, "b", SESSION);
    assert.deepEqual(await findCommit(folder.git, SESSION, null), { commit: first, paths: ["a"] });
  }));
