/** Submodules: what has changed in them, and repositories that a command has put in their place. */
import assert from "node:assert/strict";
import { gitDiff } from "../../src/agent/tools/git_diff.ts";
import { commitPaths } from "../../src/git/commit.ts";
import { pendingDiff } from "../../src/git/diff.ts";
import { gitPath } from "../../src/git/path.ts";
import { Git } from "../../src/git/run.ts";
import { repositorySnapshot } from "../../src/git/snapshot.ts";
import { WorkTree } from "../../src/git/work_tree/work_tree.ts";
import { submoduleChanges, submodulePaths } from "../../src/git/submodules.ts";
import { type GitFolder, withGitFolder } from "../support/git_folder.ts";
import { toolContext } from "../support/tool_context.ts";

Deno.test("submodulePaths() names files in a submodule and the submodule itself", async () => {
  await withGitFolder(async (folder) => {
    folder.commitAll();
    const head = folder.run("rev-parse", "HEAD").trim();
    folder.run("update-index", "--add", "--cacheinfo", `160000,${head},libs/sub`);
    const names = ["libs/sub", "libs/sub/a", "libs/subway", "a"].map((name) => gitPath(name));
    const found = await submodulePaths(folder.git, names);
    assert.deepEqual(
      found.map(({ path, submodule }) => [path.text, submodule]),
      [["libs/sub", "libs/sub"], ["libs/sub/a", "libs/sub"]],
    );
  });
});

/** A repository with the submodule `libs/sub`, in which `deep` is another one. */
function withSubmodules(test: (folder: GitFolder) => Promise<void>): Promise<void> {
  return withGitFolder((deep) =>
    withGitFolder((sub) =>
      withGitFolder(async (folder) => {
        deep.write("d.ts", "1\n");
        deep.commitAll();
        sub.write("s.ts", "1\n");
        addSubmodule(sub, deep.root, "deep");
        sub.commitAll();
        addSubmodule(folder, sub.root, "libs/sub");
        const update = ["submodule", "--quiet", "update", "--init", "--recursive"];
        folder.run("-c", "protocol.file.allow=always", ...update);
        folder.commitAll();
        await test(folder);
      })
    )
  );
}

function addSubmodule(folder: GitFolder, from: string, path: string): void {
  folder.run("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", from, path);
}

Deno.test("submoduleChanges() names submodules with changes, those inside of others too", async () => {
  await withSubmodules(async (folder) => {
    assert.deepEqual(await submoduleChanges(folder.git), { changed: [], unseen: [] });
    folder.write("libs/sub/deep/d.ts", "2\n");
    assert.deepEqual(await submoduleChanges(folder.git), {
      changed: ["libs/sub/deep"],
      unseen: [],
    });
    folder.write("libs/sub/new.ts", "2\n");
    assert.deepEqual(await submoduleChanges(folder.git), {
      changed: ["libs/sub", "libs/sub/deep"],
      unseen: [],
    });
  });
});

Deno.test("submoduleChanges() looks into the submodules of a linked worktree", async () => {
  await withSubmodules(async (folder) => {
    const tree = `${folder.scratch}/tree`;
    folder.run("worktree", "add", "-q", "--detach", tree);
    const update = ["-c", "protocol.file.allow=always", "submodule", "--quiet", "update", "--init"];
    folder.runBytes(update, tree);
    const git = new Git(tree, folder.environment);
    assert.deepEqual(await submoduleChanges(git), { changed: [], unseen: [] });
    Deno.writeTextFileSync(`${tree}/libs/sub/s.ts`, "2\n");
    assert.deepEqual(await submoduleChanges(git), { changed: ["libs/sub"], unseen: [] });
  });
});

/** What a command can do to the repository of a submodule: each leads git to a configuration of its own. */
const TAKEN_OVER: Record<
  string,
  { path: string; takeOver(folder: GitFolder, evil: string): void }
> = {
  "whose .git file leads elsewhere": {
    path: "libs/sub",
    takeOver: (folder, evil) => folder.write("libs/sub/.git", `gitdir: ${evil}\n`),
  },
  "whose .git file is a link": {
    path: "libs/sub",
    takeOver(folder, evil) {
      folder.write("file", `gitdir: ${evil}\n`);
      Deno.removeSync(`${folder.root}/libs/sub/.git`);
      Deno.symlinkSync("../../file", `${folder.root}/libs/sub/.git`);
    },
  },
  "that has become a repository of its own": {
    path: "libs/sub",
    takeOver(folder, evil) {
      Deno.removeSync(`${folder.root}/libs/sub/.git`);
      Deno.renameSync(evil, `${folder.root}/libs/sub/.git`);
    },
  },
  "in a folder that is a link": {
    path: "libs/sub",
    takeOver(folder, evil) {
      Deno.renameSync(`${folder.root}/libs`, `${folder.root}/other`);
      Deno.symlinkSync("other", `${folder.root}/libs`);
      folder.write("other/sub/.git", `gitdir: ${evil}\n`);
    },
  },
  "inside of another": {
    path: "libs/sub/deep",
    takeOver: (folder, evil) => folder.write("libs/sub/deep/.git", `gitdir: ${evil}\n`),
  },
};

for (const [which, { path, takeOver }] of Object.entries(TAKEN_OVER)) {
  Deno.test(`m31a's git runs nothing that a submodule's configuration names: one ${which}`, async () => {
    await withSubmodules(async (folder) => {
      const evil = `${folder.root}/evil`;
      const ran = `${folder.scratch}/ran`;
      const source = folder.run("-C", path, "rev-parse", "--absolute-git-dir").trim();
      assert(new Deno.Command("cp", { args: ["-R", source, evil] }).outputSync().success);
      Deno.writeTextFileSync(`${evil}/config`, "");
      folder.write("run.sh", `#!/bin/sh\ntouch ${ran}\ncat\n`, 0o755);
      for (
        const [name, value] of [
          ["core.repositoryFormatVersion", "0"],
          ["core.fsmonitor", `${folder.root}/run.sh`],
          ["filter.x.clean", `${folder.root}/run.sh`],
          ["diff.external", `${folder.root}/run.sh`],
        ] as const
      ) folder.run("config", "-f", `${evil}/config`, name, value);
      const who = ["-c", "user.name=T", "-c", "user.email=t@t"];
      const commit = ["commit-tree", "-m", "other", "HEAD^{tree}"];
      const other = folder.run(`--git-dir=${evil}`, ...who, ...commit).trim();
      takeOver(folder, evil);
      folder.write(`${path}/.gitattributes`, "* filter=x\n");
      folder.write(`${path}/${path.endsWith("deep") ? "d" : "s"}.ts`, "3\n");
      folder.write("own.ts", "1\n");
      folder.run("config", "submodule.recurse", "true");

      const { git, scratch } = folder;
      await repositorySnapshot(git);
      await new WorkTree(git, { folder: `${folder.scratch}/tree`, keepBytes: 1000, apart: [] })
        .take();
      const { changed, unseen } = await submoduleChanges(git);
      assert([...changed, ...unseen].length > 0, "it is reported all the same");
      // With submodule.recurse git would move the submodule along with the index.
      folder.run("update-index", "--cacheinfo", `160000,${other},libs/sub`);
      await pendingDiff(git, [gitPath("own.ts")], scratch);
      for (const query of [{}, { stat: true }, { against: "HEAD" }, { staged: true }]) {
        await gitDiff.run(query, toolContext(folder));
      }
      await commitPaths(git, { paths: [gitPath("own.ts")], message: "own", scratch });
      assert(!exists(ran), "git ran a command's program");

      // And git alone would have.
      folder.run("status", "--ignore-submodules=none");
      if (!which.includes("is a link") || which.includes(".git file")) assert(exists(ran));
    });
  });
}

function exists(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch {
    return false;
  }
}
