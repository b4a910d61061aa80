/** Running git: what reaches it, what comes back, how failures read. */
import assert from "node:assert/strict";
import { join } from "@std/path";
import { GitError, NoGit, NotARepository } from "../../src/git/errors.ts";
import { Git } from "../../src/git/run.ts";
import { withGitFolder, withPlainFolder } from "../support/git_folder.ts";
import { withTemporaryFolder } from "../support/temporary.ts";

Deno.test("Git lets none of the caller's GIT_* variables through", async () => {
  await withGitFolder(async ({ git, root }) => {
    Deno.env.set("GIT_DIR", "/nonexistent");
    try {
      assert.equal((await git.readText(["rev-parse", "--show-toplevel"])).trim(), root);
    } finally {
      Deno.env.delete("GIT_DIR");
    }
    const names = await git.writeText(["-c", "alias.e=!env | sort", "e"]);
    assert.doesNotMatch(names, /^(?:DENO|CI|GITHUB|SSH)_/m);
  });
});

Deno.test("Git runs no fsmonitor, and hooks only as the user's own writing command", async () => {
  await withGitFolder(async (folder) => {
    const { git, root } = folder;
    folder.write("a", "1");
    folder.commitAll();
    const trap = join(root, "..", "trap.sh");
    Deno.writeTextFileSync(trap, `#!/bin/sh\ntouch "${root}/sprung"\n`, { mode: 0o755 });
    await git.write(["config", "core.fsmonitor", trap]);
    folder.write("a", "2");
    await git.read(["status", "--porcelain"]);
    await git.write(["status", "--porcelain"]);
    await git.write(["status", "--porcelain"], { asUser: true });
    assert.throws(() => Deno.statSync(join(root, "sprung")), Deno.errors.NotFound);
    Deno.mkdirSync(join(root, "hooks"));
    Deno.copyFileSync(trap, join(root, "hooks/post-index-change"));
    Deno.copyFileSync(trap, join(root, "hooks/reference-transaction"));
    await git.write(["config", "core.hooksPath", "hooks"]);
    await git.write(["update-index", "--add", "a"]);
    await git.write(["update-ref", "refs/heads/other", "HEAD"]);
    await git.read(["status", "--porcelain"], { asUser: true });
    assert.throws(() => Deno.statSync(join(root, "sprung")), Deno.errors.NotFound);
    folder.write("a", "3");
    await git.write(["update-index", "a"], { asUser: true });
    Deno.statSync(join(root, "sprung"));
  });
});

Deno.test("Git.read() gives bytes as they are", async () => {
  await withGitFolder(async (folder) => {
    const { git } = folder;
    const bytes = new Uint8Array([0, 0xff, 10, 13, 0xe9]);
    folder.write("data", bytes);
    folder.commitAll();
    assert.deepEqual(new Uint8Array(await git.read(["cat-file", "blob", "HEAD:data"])), bytes);
  });
});

Deno.test("Git.read() takes paths literally unless told otherwise", async () => {
  await withGitFolder(async (folder) => {
    const { git } = folder;
    folder.write("*.txt", "");
    folder.write("b.txt", "");
    folder.commitAll();
    const list = ["ls-files", "--", "*.txt"];
    assert.equal(await git.readText(list), "*.txt\n");
    assert.equal(await git.readText(list, { pathspecs: "magic" }), "*.txt\nb.txt\n");
  });
});

Deno.test("GitError names the command, the exit code and what git said", async () => {
  await withGitFolder(async ({ git }) => {
    await assert.rejects(git.read(["cat-file", "-t", "no such thing"]), (error) => {
      assert(error instanceof GitError);
      assert.equal(error.code, 128);
      assert.match(
        error.message,
        /^git cat-file -t "no such thing" failed \(exit code 128\): fatal: Not a valid object name/,
      );
      return true;
    });
  });
});

Deno.test("Git.run() gives the exit codes that its caller expects", async () => {
  await withGitFolder(async (folder) => {
    const { git } = folder;
    folder.write("a", "1\n");
    folder.commitAll();
    folder.write("a", "2\n");
    const result = await git.run("read", ["diff", "--quiet"], { okCodes: [0, 1] });
    assert.equal(result.code, 1);
  });
});

Deno.test("Git says that a folder is in no repository", async () => {
  await withPlainFolder(async ({ git, root }) => {
    await assert.rejects(git.read(["status"]), (error) => {
      assert(error instanceof NotARepository);
      assert.equal(error.message.startsWith(`${root} is not in a git repository.`), true);
      return true;
    });
  });
});

Deno.test("Git.write() stops a hook that hangs, and says so", async () => {
  await withGitFolder(async (folder) => {
    const { git, root } = folder;
    const hook = join(root, ".git/hooks/pre-commit");
    Deno.mkdirSync(join(root, ".git/hooks"), { recursive: true });
    Deno.writeTextFileSync(hook, "#!/bin/sh\nsleep 60\n", { mode: 0o755 });
    folder.write("a", "1");
    await git.write(["add", "a"]);
    await assert.rejects(
      git.write(["commit", "-m", "x"], { timeoutMs: 300, asUser: true }),
      (error) => error instanceof GitError && error.timedOut && /after 0.3 s/.test(error.message),
    );
  });
});

Deno.test("Git rejects with the signal's reason when it is aborted", async () => {
  await withGitFolder(async ({ git }) => {
    const controller = new AbortController();
    controller.abort(new Error("enough"));
    await assert.rejects(git.read(["status"], { signal: controller.signal }), /enough/);
  });
});

Deno.test("Git says when there is no git", async () => {
  await withTemporaryFolder(async (folder) => {
    const script = `
      import { Git } from ${JSON.stringify(import.meta.resolve("../../src/git/run.ts"))};
      await new Git(Deno.args[0] + "/project", { PATH: Deno.args[0] }).read(["--version"]).catch((e) => console.log(e.name));`;
    const output = await new Deno.Command(Deno.execPath(), {
      args: ["eval", script, folder],
    }).output();
    assert.equal(new TextDecoder().decode(output.stdout).trim(), NoGit.name);
  });
});

Deno.test("Git.readLineIfAny() does not take a git that was killed for one that has no answer", async () => {
  await withGitFolder(async ({ root, environment }) => {
    const bin = join(root, "..", "bin");
    Deno.mkdirSync(bin);
    Deno.writeTextFileSync(join(bin, "git"), "#!/bin/sh\nkill -s KILL $$\n", { mode: 0o755 });
    const git = new Git(root, { ...environment, PATH: `${bin}:${environment["PATH"]}` });
    const args = ["rev-parse", "-q", "--verify", "HEAD^{commit}"];
    await assert.rejects(git.readLineIfAny(args), (error) => {
      assert.ok(error instanceof GitError);
      assert.equal(error.code, 137);
      return true;
    });
  });
});
