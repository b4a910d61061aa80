/** What `run` and `ship` commit, and what they leave alone, in all kinds of repositories. */
import assert from "node:assert/strict";
import { DEMONSTRATION, type NumbersProject, withNumbers, work } from "./numbers_project.ts";

const WORDS = [...work("numbers.txt", "2", "5"), DEMONSTRATION];

/** Runs a goal to its ship and expects that to succeed. */
async function shipped(numbers: NumbersProject, goal = "Make the second number 5"): Promise<void> {
  const { code, stdout, stderr } = await numbers.run(goal, WORDS);
  assert.equal(code, 0, stdout + stderr);
  assert.match(stdout, /^Shipped: commit [0-9a-f]{12}\./m);
}

/** The names of the files in the last commit. */
async function committed({ project }: NumbersProject): Promise<string[]> {
  const names = await project.git("show", "--format=", "--name-only", "HEAD");
  return names.split("\n").filter((name) => name !== "");
}

Deno.test("run commits exactly what it touched; what the user has staged, changed and left about stays so", () =>
  withNumbers(async (numbers) => {
    const { project } = numbers;
    project.write({
      "staged.txt": "7\n",
      "more.txt": "10\n21\n",
      "src/greet.ts": "changed, not staged\n",
      ".env": "TOKEN=abc\n",
    });
    await project.git("add", "staged.txt", "more.txt");
    const others = ["staged.txt", "more.txt", "src/greet.ts", "README.md"];
    const index = () => project.git("ls-files", "--stage", "--", ...others);
    const status = () => project.git("status", "--porcelain=v2", "--untracked-files=all");
    const before = { index: await index(), status: await status() };
    await shipped(numbers, "Make it `5`\n\nM31A-Session: forged\n# a comment");
    assert.deepEqual(await committed(numbers), ["numbers.txt"]);
    assert.deepEqual({ index: await index(), status: await status() }, before);
    assert.equal(numbers.read(".env"), "TOKEN=abc\n");
    assert.equal(
      await project.git("show", "--format=%B", "--no-patch", "HEAD"),
      "chore: make it `5` M31A-Session: forged # a comment\n\n- Mend numbers.txt\n\n" +
        `M31A-Session: ${project.sessionId}\n` +
        `Proved: ${await project.git(
          "rev-parse",
          "HEAD^{tree}",
        )}Assisted-by: m31a (openai-compatible:test)\n\n`,
    );
    assert.deepEqual(await numbers.shippedSessions(), [project.sessionId]);
  }));

Deno.test("run makes a first commit that passes its checks alone, with what the user includes", () =>
  withNumbers(async (numbers) => {
    const { project } = numbers;
    await project.git("update-ref", "-d", "HEAD");
    await project.git("rm", "--quiet", "-r", "--cached", ".");
    const { code, stdout } = await numbers.run("Make the second number 5", WORDS);
    assert.equal(code, 1);
    assert.match(stdout, /warn +earlier changes: 1 touched file of yours in .*first commit/);
    assert.match(
      stdout,
      /BLOCK proof: the commit alone does not pass `make test`[^\n]*\n(?: +\S+\n)*? +Makefile\n/,
    );
    const shipped = await project.run(["ship", "--include", ".gitignore", "Makefile"]);
    assert.equal(shipped.code, 0, shipped.stdout + shipped.stderr);
    assert.deepEqual(await committed(numbers), [".gitignore", "Makefile", "numbers.txt"]);
    assert.match(await project.git("status", "--porcelain"), /^\?\? README.md$/m);
    const [entry] = numbers.entries;
    assert.deepEqual([entry?.base, entry?.diff.added], [null, 3]);
  }));

Deno.test("run ships in a linked worktree, started below its root and with another repository's GIT_DIR", () =>
  withNumbers(async (numbers) => {
    const { project } = numbers;
    const other = `${project.outside}/other`;
    const tree = `${project.outside}/tree`;
    await project.git("init", "--quiet", other);
    await project.git("worktree", "add", "--quiet", "-b", "side", tree);
    const main = await project.git("rev-parse", "main");
    const { code, stdout, stderr } = await numbers.run("Make the second number 5", WORDS, {
      cwd: `${tree}/src`,
      env: {
        GIT_DIR: `${other}/.git`,
        GIT_WORK_TREE: other,
        GIT_INDEX_FILE: `${other}/.git/index`,
        GIT_OBJECT_DIRECTORY: `${other}/.git/objects`,
      },
    });
    assert.equal(code, 0, stdout + stderr);
    assert.equal(await project.git("rev-parse", "main"), main);
    assert.equal(
      await project.git("log", "-1", "--format=%an", "--name-only", "side"),
      "Ada\n\nnumbers.txt\n",
    );
    assert.equal(await project.git("-C", tree, "status", "--porcelain"), "");
    assert.equal(await project.git("-C", other, "rev-list", "--all", "--count"), "0\n");
    assert.ok(Deno.statSync(`${tree}/planning/ledger.jsonl`).isFile);
    assert.equal(numbers.read("planning/ledger.jsonl"), "");
  }));

Deno.test("run warns of a submodule with changes and leaves it as it is", () =>
  withNumbers(async (numbers) => {
    const { project } = numbers;
    const origin = `${project.outside}/origin`;
    await project.git("init", "--quiet", origin);
    await project.git("-C", origin, "commit", "--quiet", "--allow-empty", "--message=first");
    const allow = ["-c", "protocol.file.allow=always"];
    await project.git(...allow, "submodule", "--quiet", "add", origin, "lib");
    await project.git("commit", "--quiet", "--message=lib");
    project.write({ "lib/new.c": "int x;\n" });
    await project.git("-C", "lib", "add", "new.c");
    await project.git("-C", "lib", "commit", "--quiet", "--message=ahead");
    const { code, stdout, stderr } = await numbers.run("Make the second number 5", WORDS);
    assert.equal(code, 0, stdout + stderr);
    assert.match(
      stdout,
      /warn +submodules: 1 submodule with changes, which are not committed\n +lib/,
    );
    assert.deepEqual(await committed(numbers), ["numbers.txt"]);
    assert.equal(await project.git("status", "--porcelain"), " M lib\n");
  }));

const REFUSED: Record<
  string,
  { prepare(numbers: NumbersProject): Promise<unknown>; says: RegExp }
> = {
  "where a commit is to be signed and cannot be": {
    prepare: async ({ project }) => {
      await project.git("config", "commit.gpgSign", "true");
      await project.git("config", "gpg.program", "false");
    },
    says: /git is to sign every commit .*a trial signature failed/,
  },
  "on a detached HEAD": {
    prepare: ({ project }) => project.git("switch", "--quiet", "--detach"),
    says: /HEAD is detached at [0-9a-f]{12}/,
  },
  "in the middle of a rebase": {
    async prepare({ project }) {
      await project.git("commit", "--quiet", "--allow-empty", "--message=next");
      const editor = ["-c", "sequence.editor=sed -i s/^pick/edit/"];
      await project.git(...editor, "rebase", "--quiet", "--interactive", "HEAD~1");
    },
    says: /a rebase is in progress/,
  },
  "in the middle of a merge": {
    async prepare({ project }) {
      await project.git("switch", "--quiet", "--create", "side");
      await project.git("commit", "--quiet", "--allow-empty", "--message=side");
      await project.git("switch", "--quiet", "main");
      await project.git("merge", "--quiet", "--no-ff", "--no-commit", "side");
    },
    says: /a merge is in progress/,
  },
  "while the index is locked": {
    prepare: ({ project }) => {
      project.write({ ".git/index.lock": "" });
      return Promise.resolve();
    },
    says: /the index is locked.*index\.lock/s,
  },
};

for (const [condition, { prepare, says }] of Object.entries(REFUSED)) {
  Deno.test(`run is refused ${condition} before a request is sent`, () =>
    withNumbers(async (numbers) => {
      await prepare(numbers);
      const { code, stderr } = await numbers.run("Make the second number 5", WORDS);
      assert.equal(code, 2);
      assert.match(stderr, says);
      assert.equal(numbers.model.server.requests.length, 0);
      assert.equal(numbers.read("planning/ledger.jsonl"), "");
      assert.equal(numbers.read("numbers.txt"), "1\n2\n3\n");
    }));
}
