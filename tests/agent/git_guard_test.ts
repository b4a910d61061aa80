/** While a session goes on, git starts nothing of the project's that was changed since it began, unless the user says yes. */
import assert from "node:assert/strict";
import { type GuardedSession, guardSession } from "../../src/agent/git_guard.ts";
import { commitPaths } from "../../src/git/commit.ts";
import { Git } from "../../src/git/run.ts";
import { gitPath } from "../../src/git/path.ts";
import { repositorySnapshot } from "../../src/git/snapshot.ts";
import { type GitFolder, withGitFolder } from "../support/git_folder.ts";

const REFUSED = /git is not run: it would start/;

const STATUS = ["status", "--porcelain", "--untracked-files=no"];

/** A repository with a filter whose program is in it, ignored by git, and a file that needs a look. */
function withFilter(test: (folder: GitFolder) => Promise<void>): Promise<void> {
  return withGitFolder(async (folder) => {
    folder.write(".gitignore", "tools/\nran\nsessions/\n");
    folder.write("tools/clean.sh", "cat\n");
    folder.write(".gitattributes", "*.x filter=own\n");
    folder.write("a.x", "1\n");
    folder.run("config", "filter.own.clean", "sh tools/clean.sh");
    folder.commitAll();
    folder.write("a.x", "2\n");
    await test(folder);
  });
}

async function begin(folder: GitFolder, askUser?: GuardedSession["askUser"]): Promise<void> {
  const { root, environment, git } = folder;
  const repository = await repositorySnapshot(git) ?? null;
  guardSession({ root, environment, repository, askUser });
}

function hasRun({ root }: GitFolder): boolean {
  return [...Deno.readDirSync(root)].some(({ name }) => name === "ran");
}

Deno.test("git is not run while a filter's program is not as the session found it, and goes on when it is put back", () =>
  withFilter(async (folder) => {
    await begin(folder);
    assert.equal(await folder.git.readText(STATUS), " M a.x\n");
    folder.write("tools/clean.sh", "touch ran; cat\n");
    folder.write("a.x", "3\n");
    await assert.rejects(
      folder.git.readText(STATUS),
      /start tools\/clean\.sh, outside of/,
    );
    assert.equal(hasRun(folder), false);
    folder.write("tools/clean.sh", "cat\n");
    assert.equal(await folder.git.readText(STATUS), " M a.x\n");
    Deno.chmodSync(`${folder.root}/tools/clean.sh`, 0o755);
    await assert.rejects(folder.git.readText(STATUS), REFUSED);
  }));

Deno.test("git is not run where the session made the project's configuration name a program", () =>
  withFilter(async (folder) => {
    await begin(folder);
    assert.equal(await folder.git.readText(STATUS), " M a.x\n");
    folder.run("config", "filter.own.clean", "touch ran; cat");
    folder.write("a.x", "3\n");
    await assert.rejects(folder.git.readText(STATUS), /start \.git\/config, outside of/);
    assert.equal(hasRun(folder), false);
  }));

Deno.test("git is not run where the user's own configuration is in the project and the session wrote it, nor git-lfs's", () =>
  withFilter(async ({ root, environment: { PATH = "" } }) => {
    const environment = { PATH, HOME: root };
    const git = new Git(root, environment);
    const write = (path: string, text: string) => Deno.writeTextFileSync(`${root}/${path}`, text);
    const set = ["config", "filter.lfs.process", "git-lfs filter-process"];
    await git.write(set);
    guardSession({ root, environment, repository: await repositorySnapshot(git) ?? null });
    assert.equal(await git.readText(STATUS), " M a.x\n");
    write(".gitconfig", '[filter "own"]\n\tclean = touch ran; cat\n');
    await assert.rejects(git.readText(STATUS), /start \.gitconfig, outside of/);
    Deno.removeSync(`${root}/.gitconfig`);
    write(".lfsconfig", "[lfs]\n\turl = https://example.invalid/secret\n");
    await assert.rejects(git.readText(STATUS), /start \.lfsconfig, outside of/);
  }));

Deno.test("the user is asked once about what git would start, sees it whole, and is believed later, too", () =>
  withFilter(async (folder) => {
    const asked: string[] = [];
    const answerWith = (decision: "yes" | "no"): GuardedSession["askUser"] => (request) => {
      asked.push(request.detail);
      return Promise.resolve({ decision });
    };
    const { root, environment, git } = folder;
    const repository = await repositorySnapshot(git) ?? null;
    folder.write("tools/clean.sh", "touch ran; cat\n");
    folder.write("a.x", "3\n");
    guardSession({ root, environment, repository, askUser: answerWith("no") });
    for (let time = 0; time < 2; time++) {
      await assert.rejects(git.readText(STATUS), REFUSED);
    }
    assert.equal(asked.length, 1);
    assert.match(asked[0] ?? "", /^\+touch ran; cat$/m);
    assert.equal(hasRun(folder), false);
    guardSession({ root, environment, repository, askUser: answerWith("yes") });
    await Promise.all([git.readText(STATUS), git.readText(STATUS)]);
    assert.equal(asked.length, 2);
    assert.equal(hasRun(folder), true);
    guardSession({ root, environment, repository });
    await git.readText(STATUS);
    folder.write("tools/clean.sh", "touch ran; touch ran; cat\n");
    await assert.rejects(git.readText(STATUS), REFUSED);
  }));

Deno.test("commitPaths() runs no hook that was changed after somebody had looked, one that git ignores neither", () =>
  withFilter(async (folder) => {
    folder.run("config", "core.hooksPath", "tools/hooks");
    folder.write("tools/hooks/pre-commit", "#!/bin/sh\nexit 0\n", 0o755);
    await begin(folder);
    folder.write("tools/hooks/pre-commit", "#!/bin/sh\ntouch ran\n", 0o755);
    const { git, scratch } = folder;
    assert.equal(await git.readText(STATUS), " M a.x\n", "a hook is not what a reading git starts");
    await assert.rejects(
      commitPaths(git, { paths: [gitPath("a.x")], message: "x", scratch }),
      /start tools\/hooks\/pre-commit/,
    );
    assert.equal(hasRun(folder), false);
    assert.equal(folder.run("rev-list", "--count", "HEAD"), "1\n");
  }));
