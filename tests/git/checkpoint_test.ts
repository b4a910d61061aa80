import assert from "node:assert/strict";
import fc from "fast-check";
import { keepTreeFiles } from "../../src/git/blob.ts";
import { isSameState, readFileState } from "../../src/git/file_state.ts";
import { createCheckpoint, listCheckpoints, removeSessionRefs } from "../../src/git/checkpoint.ts";
import { ContentStore } from "../../src/git/content_store.ts";
import { applyRollback, previewRollback } from "../../src/git/rollback.ts";
import { WorkTree } from "../../src/git/work_tree/work_tree.ts";
import { type GitFolder, withGitFolder, withPlainFolder } from "../support/git_folder.ts";

/** Runs a task: what `work` changes in the tree becomes checkpoint `number`. */
async function task(folder: GitFolder, number: number, work: () => void) {
  const kept = `${folder.scratch}/tree`;
  const tree = new WorkTree(folder.git, { folder: kept, keepBytes: 1_000_000, apart: [] });
  const before = await tree.take();
  work();
  const changes = await tree.changesBetween(before, await tree.take());
  const files = changes.files.map(({ path, before }) => ({ path: path.text, before }));
  const store = await ContentStore.open(folder.git, kept);
  return await createCheckpoint(folder.git, {
    session: "s1",
    number,
    files,
    store,
    message: `task ${number}`,
    atMs: 1_700_000_000_000,
  });
}

async function rollback(folder: GitFolder, to: number, overwriteConflicts = false) {
  const preview = await previewRollback(folder.git, "s1", to);
  return await applyRollback(folder.git, preview, { overwriteConflicts });
}

function verdicts(files: readonly { path: string; verdict: string }[]) {
  return Object.fromEntries(files.map(({ path, verdict }) => [path, verdict]));
}

/** What must be the same after anything m31a does: branch, index, stash. */
function untouched(folder: GitFolder): string {
  const refs = folder.run("for-each-ref", "refs/heads", "refs/stash", "refs/tags");
  return [refs, folder.run("ls-files", "-s"), folder.run("symbolic-ref", "HEAD")].join("\n");
}

Deno.test("createCheckpoint() keeps what a task did between its commit and the commit's parent", async () => {
  await withGitFolder(async (folder) => {
    folder.write("a", "1\n");
    folder.write("gone", "1\n");
    folder.commitAll();
    const index = folder.run("ls-files", "-s");
    const first = await task(folder, 1, () => {
      folder.write("a", "2\n");
      folder.write('n"ew\tné\nw', "x", 0o755);
      Deno.removeSync(`${folder.root}/gone`);
      Deno.symlinkSync("a", `${folder.root}/link`);
    });
    const changes = folder.run(
      "diff",
      "--raw",
      "-z",
      "--abbrev=1",
      `${first.commit}^`,
      first.commit,
    );
    assert.deepEqual(
      [...changes.matchAll(/:(\d+) (\d+) \S+ \S+ ([A-Z])\0([^\0]*)/g)].map((m) => m.slice(1)),
      [
        ["100644", "100644", "M", "a"],
        ["100644", "000000", "D", "gone"],
        ["000000", "120000", "A", "link"],
        ["000000", "100755", "A", 'n"ew\tné\nw'],
      ],
    );
    assert.equal(folder.run("rev-parse", `${first.commit}~2`), folder.run("rev-parse", "HEAD"));
    const second = await task(folder, 2, () => folder.write("a", "3\n"));
    assert.equal(folder.run("rev-parse", `${second.commit}~2`).trim(), first.commit);
    assert.equal(folder.run("rev-parse", "refs/m31a/s1/2").trim(), second.commit);
    assert.deepEqual(await listCheckpoints(folder.git, "s1"), [first, second]);
    assert.equal(folder.run("ls-files", "-s"), index);
    assert.equal(folder.run("log", "--oneline").split("\n").length, 2);
  });
});

Deno.test("createCheckpoint() works without a commit, without an identity and past hooks", async () => {
  await withGitFolder(async (folder) => {
    folder.run("config", "user.useConfigOnly", "true");
    folder.run("config", "--unset", "user.name");
    folder.run("config", "commit.gpgSign", "true");
    folder.hook("reference-transaction", "exit 1");
    const checkpoint = await task(folder, 1, () => folder.write("a", "1\n"));
    assert.equal(folder.run("show", `${checkpoint.commit}:a`), "1\n");
    assert.equal(folder.run("status", "--porcelain"), "?? a\n");
  });
});

Deno.test("createCheckpoint() takes ignored files and replaces a number that is made again", async () => {
  await withGitFolder(async (folder) => {
    folder.write(".gitignore", "*.log\n");
    folder.commitAll();
    folder.write("a.log", "1\n");
    const request = {
      session: "s1",
      number: 1,
      files: [{ path: "a.log", before: null }],
      message: "task",
      atMs: 0,
    };
    await createCheckpoint(folder.git, request);
    folder.write("a.log", "2\n");
    const again = await createCheckpoint(folder.git, request);
    assert.equal(folder.run("show", "refs/m31a/s1/1:a.log"), "2\n");
    assert.deepEqual(await listCheckpoints(folder.git, "s1"), [again]);
    await removeSessionRefs(folder.git, "s1");
    assert.deepEqual(await listCheckpoints(folder.git, "s1"), []);
  });
});

Deno.test("a checkpoint holds a folder that took a file's place, and a file that took a folder's, in whatever order they are named", async () => {
  for (const isReversed of [false, true]) {
    await withGitFolder(async (folder) => {
      folder.write("a", "file\n");
      folder.write("b/c", "inside\n");
      folder.commitAll();
      const paths = ["a", "a/x", "b", "b/c"];
      if (isReversed) paths.reverse();
      const before = await keepTreeFiles(folder.git, paths);
      Deno.removeSync(`${folder.root}/a`);
      folder.write("a/x", "inside\n");
      Deno.removeSync(`${folder.root}/b`, { recursive: true });
      folder.write("b", "file\n");
      const { commit } = await createCheckpoint(folder.git, {
        session: "s1",
        number: 1,
        files: paths.map((path) => ({ path, before: before.get(path) ?? null })),
        message: "task",
        atMs: 0,
      });
      const tree = (of: string) => folder.run("ls-tree", "-r", "--name-only", of);
      assert.equal(tree(commit), "a/x\nb\n");
      assert.equal(tree(`${commit}^`), "a\nb/c\n");
    });
  }
});

Deno.test("createCheckpoint() goes on from the checkpoint before it, also from the ninth to the tenth", async () => {
  await withGitFolder(async (folder) => {
    const made = [];
    for (let number = 1; number <= 11; number++) {
      made.push(await task(folder, number, () => folder.write("a", `${number}\n`)));
    }
    assert.deepEqual(await listCheckpoints(folder.git, "s1"), made);
    for (const [index, { commit }] of made.slice(1).entries()) {
      assert.equal(folder.run("rev-parse", `${commit}~2`).trim(), made[index]?.commit);
    }
  });
});

Deno.test("createCheckpoint() without a commit begins with nothing when it makes a number again", async () => {
  await withGitFolder(async (folder) => {
    for (const name of ["a", "b"]) {
      folder.write(name, "1\n");
      const { commit } = await createCheckpoint(folder.git, {
        session: "s1",
        number: 1,
        files: [{ path: name, before: null }],
        message: "task",
        atMs: 0,
      });
      assert.equal(folder.run("ls-tree", "-r", "--name-only", commit), `${name}\n`);
    }
  });
});

Deno.test("createCheckpoint() refuses a session whose name is no part of a ref", async () => {
  await withGitFolder(async (folder) => {
    await assert.rejects(
      () => listCheckpoints(folder.git, "../heads"),
      /not the name of a session/,
    );
  });
});

Deno.test("previewRollback() tells what would change and writes nothing", async () => {
  await withGitFolder(async (folder) => {
    folder.write("a", "1\n");
    folder.write("dirty", "1\n");
    folder.write("mixed", "1\n");
    folder.commitAll();
    folder.write("dirty", "the user's\n");
    await task(folder, 1, () => {
      folder.write("a", "2\n");
      folder.write("dirty", "the user's, and m31a's\n");
      folder.write("new", "x\n");
      folder.write("mixed", "2\n");
      folder.write("later", "x\n");
      folder.write("back", "x\n");
    });
    folder.write("mixed", "the user's\n");
    await task(folder, 2, () => folder.write("mixed", "3\n"));
    folder.write("later", "the user's\n");
    Deno.removeSync(`${folder.root}/back`);

    const { files, undone } = await previewRollback(folder.git, "s1", 0);
    assert.deepEqual(verdicts(files), {
      a: "restore",
      back: "unchanged",
      dirty: "restore",
      later: "conflict",
      mixed: "conflict",
      new: "restore",
    });
    assert.deepEqual(files.filter((file) => file.wasDirty).map((file) => file.path), ["dirty"]);
    assert.match(files.find((f) => f.path === "mixed")?.reason ?? "", /between the tasks/);
    assert.deepEqual(undone.map(({ number }) => number), [2, 1]);
    assert.equal(folder.read("a"), "2\n");

    const result = await rollback(folder, 0);
    assert.equal(folder.read("dirty"), "the user's\n");
    assert.equal(folder.read("later"), "the user's\n");
    assert.equal(folder.read("mixed"), "3\n");
    assert.deepEqual(result.left.map((file) => file.path), ["later", "mixed"]);
    assert.match(result.patch, /^diff --git a\/a b\/a\n/);
    await rollback(folder, 0, true);
    assert.equal(folder.read("mixed"), "1\n");
    assert.throws(() => folder.read("later"), Deno.errors.NotFound);
  });
});

Deno.test("previewRollback() goes back to a checkpoint in between, and refuses one that is not there", async () => {
  await withGitFolder(async (folder) => {
    for (const number of [1, 2, 3]) {
      await task(folder, number, () => folder.write("a", `${number}\n`));
    }
    await rollback(folder, 2);
    assert.equal(folder.read("a"), "2\n");
    await assert.rejects(
      () => previewRollback(folder.git, "s1", 7),
      /Session s1 has no checkpoint 7; it has: 1, 2, 3\./,
    );
  });
});

Deno.test("applyRollback() takes back a folder in a file's place", async () => {
  await withGitFolder(async (folder) => {
    folder.write("a", "file\n");
    folder.commitAll();
    await task(folder, 1, () => {
      Deno.removeSync(`${folder.root}/a`);
      folder.write("a/b/c", "inside\n");
    });
    await rollback(folder, 0);
    assert.equal(folder.read("a"), "file\n");
  });
});

Deno.test("applyRollback() brings back CRLF that the attributes would change", async () => {
  await withGitFolder(async (folder) => {
    folder.write(".gitattributes", "* text=auto eol=crlf\n");
    folder.write("clean", "a\r\nb\r\n");
    folder.write("mixed", "a\r\nb\r\n");
    folder.commitAll();
    folder.write("mixed", "a\nb\r\n\r\n");
    await task(folder, 1, () => {
      folder.write("clean", "c\n");
      folder.write("mixed", "c\n");
    });
    await rollback(folder, 0);
    assert.equal(folder.read("clean"), "a\r\nb\r\n");
    assert.equal(folder.read("mixed"), "a\nb\r\n\r\n");
  });
});

Deno.test("applyRollback() works in a repository whose ids are SHA-256, binary files included", async () => {
  await withPlainFolder(async (folder) => {
    folder.run("init", "-q", "--object-format=sha256", "-b", "main", ".");
    folder.write("a", Uint8Array.of(0, 1));
    await task(folder, 1, () => folder.write("a", Uint8Array.of(0, 2)));
    await rollback(folder, 0);
    assert.deepEqual(Deno.readFileSync(`${folder.root}/a`), Uint8Array.of(0, 1));
  });
});

const names = ["a", "b", "sub/c", "né w\t", "x.log"];
const someBytes = fc.oneof(
  fc.constantFrom("", "1\n", "2\r\n", "1\n2", "é\n").map((text) => new TextEncoder().encode(text)),
  fc.uint8Array({ minLength: 1, maxLength: 6 }),
);
const someState = fc.option(
  fc.record({ bytes: someBytes, mode: fc.constantFrom(0o644, 0o755), isLink: fc.boolean() }),
  { nil: undefined },
);
const someTree = fc.tuple(...names.map(() => someState));
type States = typeof someTree extends fc.Arbitrary<infer T> ? T : never;

function lay(folder: GitFolder, states: States): void {
  states.forEach((state, index) => {
    const path = names[index] ?? "";
    try {
      Deno.removeSync(`${folder.root}/${path}`);
    } catch {
      // It was not there.
    }
    if (state === undefined) return;
    folder.write(path, state.bytes, state.mode);
    if (!state.isLink) return;
    Deno.removeSync(`${folder.root}/${path}`);
    Deno.symlinkSync("elsewhere", `${folder.root}/${path}`);
  });
}

Deno.test("applyRollback() leaves branch, index, stash and every earlier change byte-identical", async () => {
  const property = fc.asyncProperty(
    fc.tuple(someTree, someTree, someTree, someTree, someTree, fc.constantFrom("", "eol=crlf")),
    async ([committed, staged, tree, one, two, attributes]) => {
      await withGitFolder(async (folder) => {
        folder.write(".gitignore", "*.log\n");
        folder.write(".gitattributes", attributes === "" ? "" : `* text=auto ${attributes}\n`);
        folder.commitAll();
        folder.write("stashed", "x\n");
        folder.run("add", "stashed");
        folder.run("stash", "-q");
        lay(folder, committed);
        folder.commitAll();
        lay(folder, staged);
        folder.run("add", "-A");
        lay(folder, tree);
        const states = () => names.map((name) => readFileState(folder.root, name));
        const atFirst = states();
        const kept = untouched(folder);

        const touch = async (next: States, number: number) => {
          const before = await keepTreeFiles(folder.git, names);
          lay(folder, next);
          await createCheckpoint(folder.git, {
            session: "s1",
            number,
            files: names.map((path) => ({ path, before: before.get(path) ?? null })),
            message: "task",
            atMs: 0,
          });
        };
        await touch(one, 1);
        const afterOne = states();
        await touch(two, 2);
        await rollback(folder, 1);
        const same = (a: ReturnType<typeof states>, b: ReturnType<typeof states>) =>
          a.every((state, index) => isSameState(state, b[index]));
        assert.ok(same(states(), afterOne));
        await rollback(folder, 0);
        assert.ok(same(states(), atFirst));
        assert.equal(untouched(folder), kept);
      });
    },
  );
  await fc.assert(property, { numRuns: 12 });
});

Deno.test("previewRollback() knows a change of someone else's under the work of later tasks", async () => {
  await withGitFolder(async (folder) => {
    folder.write("a", "0\n");
    folder.commitAll();
    await task(folder, 1, () => folder.write("a", "1\n"));
    folder.write("a", "1\nmine\n");
    await task(folder, 2, () => folder.write("a", "2\nmine\n"));
    await task(folder, 3, () => folder.write("a", "3\nmine\n"));
    const verdictAt = async (to: number) =>
      (await previewRollback(folder.git, "s1", to)).files.map(({ verdict }) => verdict);
    assert.deepEqual(await verdictAt(0), ["conflict"]);
    assert.deepEqual(await verdictAt(1), ["restore"]);
    assert.deepEqual(await verdictAt(2), ["restore"]);
  });
});

Deno.test("previewRollback() does not call another's what an earlier checkpoint holds", async () => {
  await withGitFolder(async (folder) => {
    folder.write("a", "0\n");
    folder.commitAll();
    await task(folder, 1, () => folder.write("a", "1\n"));
    // It came back without a checkpoint of its own.
    folder.write("a", "0\n");
    await task(folder, 2, () => folder.write("a", "2\n"));
    const { files: [back] } = await previewRollback(folder.git, "s1", 1);
    assert.deepEqual([back?.verdict, back?.wasDirty], ["restore", false]);
    folder.write("a", "mine\n");
    await task(folder, 3, () => folder.write("a", "3\n"));
    const { files: [mine] } = await previewRollback(folder.git, "s1", 2);
    assert.deepEqual([mine?.verdict, mine?.wasDirty], ["restore", true]);
  });
});

Deno.test("previewRollback() leaves alone what someone made of a file that is taken back already", async () => {
  await withGitFolder(async (folder) => {
    folder.commitAll();
    await task(folder, 1, () => folder.write("made", "m\n"));
    await task(folder, 2, () => Deno.removeSync(`${folder.root}/made`));
    folder.write("made", "mine\n");
    const { files: [file] } = await previewRollback(folder.git, "s1", 0);
    assert.deepEqual([file?.path, file?.verdict], ["made", "unchanged"]);
  });
});

Deno.test("previewRollback() leaves out checkpoints behind the last that counts", async () => {
  await withGitFolder(async (folder) => {
    folder.write("a", "0\n");
    folder.commitAll();
    await task(folder, 1, () => folder.write("a", "1\n"));
    await task(folder, 2, () => folder.write("b", "1\n"));
    const { files } = await previewRollback(folder.git, "s1", 0, { last: 1 });
    assert.deepEqual(verdicts(files), { a: "restore" });
    await assert.rejects(previewRollback(folder.git, "s1", 2, { last: 1 }), /has no checkpoint 2/);
  });
});
