/** What a command in a real sandbox can do to the repository, and what git does afterwards outside of it. */
import assert from "node:assert/strict";
import { runCommandLine } from "../../src/agent/command.ts";
import { Sandbox } from "../../src/agent/sandbox.ts";
import { gitDiff } from "../../src/agent/tools/git_diff.ts";
import { NotARepository } from "../../src/git/errors.ts";
import { Git } from "../../src/git/run.ts";
import { repositorySnapshot } from "../../src/git/snapshot.ts";
import { WorkTree } from "../../src/git/work_tree/work_tree.ts";
import { readRepositoryState } from "../../src/git/state.ts";
import { type GitFolder, withGitFolder, withPlainFolder } from "../support/git_folder.ts";
import { AUTO, confined } from "../support/sandboxes.ts";
import { toolContext } from "../support/tool_context.ts";

interface Confinement {
  sandbox: Sandbox;
  run(commandLine: string, timeoutMs?: number): Promise<string>;
}

async function inSandbox(
  folder: GitFolder,
  test: (confinement: Confinement) => Promise<void>,
  root = folder.root,
): Promise<void> {
  const sandbox = new Sandbox(root, AUTO, folder.environment);
  const { clock, signal } = toolContext(folder);
  const run = async (commandLine: string, timeoutMs = 20_000) => {
    const bounds = { timeoutMs, outputBytes: 10_000, signal, clock };
    const result = await runCommandLine(sandbox, { ...bounds, commandLine, onOutput() {} });
    return result.timedOut ? "timed out" : `${result.exitCode} ${result.output}`.trim();
  };
  try {
    await test({ sandbox, run });
  } finally {
    await sandbox.close();
  }
}

function exists(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch {
    return false;
  }
}

/** Lines of `sh` that make git, where it obeys `config`, run a program that leaves a file behind. */
const ARM = `
printf '#!/bin/sh\\ntouch "$(dirname "$0")/ran"\\ncat\\n' > run.sh; chmod +x run.sh
printf '* filter=x\\n' > .gitattributes
arm() {
  git config -f "$1" core.fsmonitor "$PWD/run.sh"
  git config -f "$1" filter.x.clean "$PWD/run.sh"
  git config -f "$1" diff.external "$PWD/run.sh"
}`;

/** Everything by which m31a looks at the repository without asking. */
async function look(folder: GitFolder): Promise<void> {
  assert.equal(await repositorySnapshot(folder.git), undefined);
  assert.equal(await readRepositoryState(folder.git, 0), undefined);
  const folderOfTree = `${folder.scratch}/tree`;
  const tree = new WorkTree(folder.git, { folder: folderOfTree, keepBytes: 1000, apart: [] });
  await assert.rejects(tree.take(), NotARepository);
  const outcome = await gitDiff.run({}, toolContext(folder));
  assert.match(JSON.stringify(outcome), /is not in a git repository/);
}

confined("a command in the sandbox cannot make a repository of a folder that is none", async () => {
  await withPlainFolder((folder) =>
    inSandbox(folder, async ({ run }) => {
      folder.write("a", "1\n");
      const output = await run(
        `${ARM}\ngit init . 2>&1; arm .git/config; git add a; rm -r .git; mv .git g; ` +
          "echo 'gitdir: evil' > .git; ls -A .git; git rev-parse --git-dir",
      );
      assert.match(output, /^128 .*Read-only file system/s);
      assert.match(output, /fatal: not a git repository[^\n]*$/);
      assert(!exists(`${folder.root}/.git`), "the empty folder is removed again");
      await look(folder);
      assert(!exists(`${folder.root}/ran`));
    })
  );
});

confined(
  "m31a's git takes no folder for a bare repository that a command has made look like one",
  async () => {
    await withPlainFolder((folder) =>
      inSandbox(folder, async ({ run }) => {
        const make = `${ARM}\ngit init -q --bare . && arm config && ` +
          "git config -f config core.bare false && git config -f config core.worktree .";
        assert.match(await run(make), /^0/);
        await look(folder);
        assert(!exists(`${folder.root}/ran`), "git ran a command's program");
        // And git alone would have.
        folder.run("status");
        assert(exists(`${folder.root}/ran`));
      })
    );
  },
);

confined("the empty folder at .git stays while another command runs, and no longer", async () => {
  await withPlainFolder((folder) =>
    inSandbox(folder, (one) =>
      inSandbox(folder, async (other) => {
        const place = `${folder.root}/.git`;
        const wait =
          "touch begun; while [ ! -e go ]; do sleep 0.02; done; mkdir -p .git; touch .git/x";
        const running = one.run(wait);
        while (!exists(`${folder.root}/begun`)) assert.equal(await other.run("true"), "0");
        for (const { run } of [one, other]) assert.equal(await run("true"), "0");
        assert(exists(place));
        folder.write("go", "");
        assert.match(await running, /^1 .*Read-only/);
        assert(!exists(place));
        assert.equal(await one.run("sleep 60", 300), "timed out");
        assert(!exists(place), "not after a command that was killed either");
        Deno.mkdirSync(place);
        await one.run("true");
        assert(!exists(place), "one that a killed m31a has left");
      }))
  );
});

confined("a repository that the user makes while a command runs is kept", async () => {
  await withPlainFolder((folder) =>
    inSandbox(folder, async ({ run }) => {
      const running = run("touch begun; while [ ! -e go ]; do sleep 0.02; done; git status -s");
      while (!exists(`${folder.root}/begun`)) {
        await new Git(folder.root, folder.environment).read(["version"]);
      }
      folder.run("init", "-q", ".");
      folder.write("go", "");
      assert.match(await running, /^0 /);
      assert(exists(`${folder.root}/.git/config`));
      assert.match(await run("echo x >> .git/config"), /Read-only/);
    })
  );
});

confined(
  "a command in the sandbox cannot write to the repository of a linked worktree",
  async () => {
    await withGitFolder(async (folder) => {
      folder.commitAll();
      const tree = `${folder.scratch}/tree`;
      folder.run("worktree", "add", "-q", tree);
      await inSandbox(folder, async ({ run }) => {
        assert.equal(await run("git status --porcelain"), "0", "but can read it");
        const own = folder.runBytes(["rev-parse", "--absolute-git-dir"], tree);
        const targets = [
          `${folder.root}/.git/config`,
          new TextDecoder().decode(own).trim(),
          ".git",
        ];
        for (const target of targets) {
          assert.match(await run(`touch ${target}`), /Read-only/, target);
        }
        assert.match(await run("echo 'gitdir: evil' > .git"), /Read-only/);
        assert.match(await run("mv .git other"), /busy/);
      }, tree);
    });
  },
);

confined(
  "a command in the sandbox cannot write to a repository that .git leads to in the tree",
  async () => {
    await withPlainFolder(async (folder) => {
      Deno.mkdirSync(`${folder.root}/store/deep`, { recursive: true });
      folder.run("init", "-q", "--separate-git-dir=store/deep/repository", ".");
      await inSandbox(folder, async ({ run }) => {
        assert.match(await run("git config core.fsmonitor ./x"), /Read-only/);
        assert.match(await run("mv store/deep store/other"), /Read-only|busy/);
        assert.match(await run("mv store other"), /busy/);
      });
      Deno.renameSync(`${folder.root}/store`, `${folder.scratch}/store`);
      Deno.symlinkSync(`${folder.scratch}/store`, `${folder.root}/store`);
      await inSandbox(folder, async ({ run }) => {
        await assert.rejects(run("true"), /leads to .*store\/deep\/repository.*cannot protect/s);
      });
      Deno.removeSync(`${folder.root}/store`);
      await inSandbox(folder, async ({ run }) => {
        await assert.rejects(run("true"), /cannot protect/, "a command could make what is missing");
      });
    });
  },
);

confined("no command is run where .git is a link, which cannot be protected", async () => {
  await withGitFolder(async (folder) => {
    Deno.renameSync(`${folder.root}/.git`, `${folder.scratch}/git`);
    Deno.symlinkSync(`${folder.scratch}/git`, `${folder.root}/.git`);
    await inSandbox(folder, async ({ run }) => {
      await assert.rejects(run("true"), /\.git: is neither a folder nor a file/);
    });
  });
});
