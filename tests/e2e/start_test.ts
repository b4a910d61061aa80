import assert from "node:assert/strict";
import { basename, join } from "@std/path";
import denoJson from "../../deno.json" with { type: "json" };
import { runProgram } from "../support/source.ts";
import { withTemporaryFolder } from "../support/temporary.ts";
import { executablePath } from "./executable.ts";

const m31a = executablePath();

/** Runs git in `folder` and expects it to succeed. */
async function git(folder: string, ...args: string[]): Promise<void> {
  const identity = ["-c", "user.name=a", "-c", "user.email=a@example.org"];
  const { code, stderr } = await runProgram("git", [...identity, ...args], { cwd: folder });
  assert.equal(code, 0, stderr);
}

/** The root that the executable finds when it is started in `cwd`. */
async function rootFrom(cwd: string, env: Record<string, string> = {}): Promise<string> {
  const { stdout, stderr } = await runProgram(m31a, ["doctor", "--json"], { cwd, env });
  assert.equal(stderr, "");
  return JSON.parse(stdout).root;
}

Deno.test("the executable prints its version and knows its commands", async () => {
  const version = await runProgram(m31a, ["--version"]);
  assert.deepEqual(version, { code: 0, stdout: `m31a ${denoJson.version}\n`, stderr: "" });
  const help = await runProgram(m31a, ["help"]);
  assert.equal(help.code, 0);
  assert.match(help.stdout, /^ {2}doctor /m);
});

Deno.test("the executable holds the permissions of the list and no others", async () => {
  await withTemporaryFolder(async (folder) => {
    await git(folder, "init", "--quiet");
    const { stdout } = await runProgram(m31a, ["doctor"], { cwd: folder });
    assert.match(stdout, /^ok +permissions +m31a itself reads/m);
  });
});

Deno.test("the executable finds the root from a subfolder, whatever its name", async () => {
  await withTemporaryFolder(async (folder) => {
    const root = join(folder, "my 'project' $(x)");
    const below = join(root, "a b", "c");
    Deno.mkdirSync(below, { recursive: true });
    await git(root, "init", "--quiet");
    assert.equal(await rootFrom(below), root);
  });
});

Deno.test("the executable finds the root of a linked worktree", async () => {
  await withTemporaryFolder(async (folder) => {
    const main = join(folder, "main");
    Deno.mkdirSync(main);
    await git(main, "init", "--quiet");
    await git(main, "commit", "--quiet", "--allow-empty", "--message=first");
    await git(main, "worktree", "add", "--quiet", "../linked");
    const below = join(folder, "linked", "src");
    Deno.mkdirSync(below);
    assert.equal(await rootFrom(below), join(folder, "linked"));
    assert.equal(await rootFrom(join(folder, "linked")), join(folder, "linked"));
  });
});

Deno.test("the executable is not misled by GIT_DIR, nor stopped by LD_LIBRARY_PATH", async () => {
  await withTemporaryFolder(async (folder) => {
    for (const name of ["one", "two"]) {
      Deno.mkdirSync(join(folder, name, "src"), { recursive: true });
      await git(join(folder, name), "init", "--quiet");
    }
    const other = join(folder, "two");
    const env = {
      GIT_DIR: join(other, ".git"),
      GIT_WORK_TREE: other,
      LD_LIBRARY_PATH: "/nonexistent",
    };
    assert.equal(await rootFrom(join(folder, "one", "src"), env), join(folder, "one"));
  });
});

Deno.test("the executable stays where it is outside of a repository", async () => {
  await withTemporaryFolder(async (folder) => {
    const { code, stdout } = await runProgram(m31a, ["doctor", "--json"], { cwd: folder });
    assert.equal(code, 1);
    assert.equal(JSON.parse(stdout).root, folder);
  });
});

Deno.test("the executable's exit code is the same from a subfolder", async () => {
  await withTemporaryFolder(async (folder) => {
    await git(folder, "init", "--quiet");
    const below = join(folder, "below");
    Deno.mkdirSync(below);
    const { code, stderr } = await runProgram(m31a, ["nonsense"], { cwd: below });
    assert.equal(code, 2);
    assert.match(stderr, /unknown command 'nonsense'/);
  });
});

Deno.test("the executable is compiled without a code cache in the temporary folder", async () => {
  await withTemporaryFolder(async (folder) => {
    const copy = join(folder, `m31a-${crypto.randomUUID()}`);
    Deno.copyFileSync(m31a, copy);
    await runProgram(copy, ["help"], { env: { TMPDIR: folder } });
    assert.deepEqual([...Deno.readDirSync(folder)].map(({ name }) => name), [basename(copy)]);
  });
});
