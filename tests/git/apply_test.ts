import assert from "node:assert/strict";
import fc from "fast-check";
import { applyChanges, applyPatch, EditConflict, prepareChanges } from "../../src/git/apply.ts";
import {
  type FileChange,
  type FileMode,
  type FileState,
  isSameState,
  readFileState,
} from "../../src/git/file_state.ts";
import { UsageError } from "../../src/platform/errors.ts";
import { type GitFolder, withGitFolder, withPlainFolder } from "../support/git_folder.ts";

/** The changes that take `changes` back, last one first. */
function reverseChanges(changes: readonly FileChange[]): FileChange[] {
  return changes.toReversed().map(({ path, before, after, renamedFrom }) => ({
    path: renamedFrom ?? path,
    before: after,
    after: before,
    ...(renamedFrom === undefined ? {} : { renamedFrom: path }),
  }));
}

const bytes = (text: string) => new TextEncoder().encode(text);

function file(content: string | Uint8Array, mode: FileMode = "100644"): FileState {
  return { mode, bytes: typeof content === "string" ? bytes(content) : content };
}

/** Changes one file from whatever is there. */
async function change(repository: GitFolder, path: string, after: FileState) {
  const changes: FileChange[] = [{ path, before: readFileState(repository.root, path), after }];
  const prepared = await prepareChanges(repository.git, changes);
  await applyChanges(repository.git, prepared);
  return prepared;
}

for (
  const [what, before, after] of [
    ["CRLF", "a\r\nb\r\nc\r\n", "a\r\nB\r\nc\r\n"],
    ["mixed line ends", "a\r\nb\nc\r", "a\r\nB\nc\r"],
    ["no final newline", "a\nb", "a\nc"],
    ["a final newline that goes", "a\nb\n", "a\nb"],
    ["a final newline that comes", "a\nb", "a\nb\n"],
    ["an empty file that is filled", "", "x\n"],
    ["a file that is emptied", "x\n", ""],
    ["trailing white space", "a \nb\t\n", "a \t\nb\t \n\n\n"],
    ["conflict markers and patch look-alikes", "--- a\n", "--- a\n+++ b\n@@ -1 +1 @@\n\\ No\n"],
    ["a byte order mark", "\uFEFFa\n", "\uFEFFb\n"],
    ["separators that are not line ends", "a\u2028b\u0085\n", "a\u2028c\u0085\n"],
  ] as const
) {
  Deno.test(`applyChanges() keeps ${what}, and the patch can be taken back`, async () => {
    await withGitFolder(async (repository) => {
      repository.write("f", before);
      const { patch } = await change(repository, "f", file(after));
      assert.equal(repository.read("f"), after);
      await applyPatch(repository.git, patch, ["--reverse"]);
      assert.equal(repository.read("f"), before);
    });
  });
}

for (const place of ["tree", "info", "global"]) {
  Deno.test(`applyChanges() writes the bytes asked for whatever the ${place} attributes and configuration say`, async () => {
    await withGitFolder(async (repository) => {
      const attributes =
        "* text=auto eol=crlf\n*.id ident\n*.up filter=up\n*.16 working-tree-encoding=UTF-16\n";
      if (place === "tree") repository.write(".gitattributes", attributes);
      if (place === "info") repository.write(".git/info/attributes", attributes);
      if (place === "global") {
        repository.write("../attributes", attributes);
        repository.write(
          "../home/.gitconfig",
          `[core]\n\tattributesFile = ${repository.root}/../attributes\n\tautocrlf = true\n\tsafecrlf = true\n` +
            "\twhitespace = tab-in-indent,cr-at-eol\n[apply]\n\twhitespace = fix\n",
        );
      }
      repository.run("config", "filter.up.smudge", "tr a-z A-Z");
      repository.run("config", "filter.up.clean", "tr A-Z a-z");
      repository.run("config", "core.autocrlf", "true");
      repository.run("config", "apply.whitespace", "fix");
      for (const name of ["a.txt", "a.id", "a.up", "a.16"]) {
        for (const text of ["one \n$Id$\n", "one\r\n$Id$ two\r\n", "one\r\n$Id$\nthree"]) {
          await change(repository, name, file(text));
          assert.equal(repository.read(name), text);
        }
      }
    });
  });
}

Deno.test("applyChanges() makes folders, modes, links and Unicode names, without a commit", async () => {
  await withGitFolder(async (repository) => {
    await change(repository, 'deep/er/nëw 🦊\ttab"quote', file("x"));
    await change(repository, "run", file("#!/bin/sh\n", "100755"));
    await change(repository, "link", file("run", "120000"));
    assert.equal(repository.read('deep/er/nëw 🦊\ttab"quote'), "x");
    assert.equal((Deno.statSync(`${repository.root}/run`).mode ?? 0) & 0o111, 0o111);
    assert.equal(Deno.readLinkSync(`${repository.root}/link`), "run");
    await change(repository, "link", file("now a file"));
    assert.equal(repository.read("link"), "now a file");
    await change(repository, "run", file("#!/bin/sh\n", "100644"));
    await change(repository, 'deep/er/nëw 🦊\ttab"quote', undefined);
    assert.throws(() => Deno.statSync(`${repository.root}/deep`), Deno.errors.NotFound);
  });
});

Deno.test("applyChanges() changes a file that git ignores, and one outside any repository", async () => {
  await withGitFolder(async (repository) => {
    repository.write(".gitignore", "*.log\n");
    await change(repository, "a.log", file("x\n"));
    assert.equal(repository.read("a.log"), "x\n");
  });
  await withPlainFolder(async (folder) => {
    await change(folder, "sub/a.bin", file(Uint8Array.of(0, 1, 255)));
    await change(folder, "sub/a.bin", file(Uint8Array.of(0, 1, 254)));
    assert.deepEqual(Deno.readFileSync(`${folder.root}/sub/a.bin`), Uint8Array.of(0, 1, 254));
  });
});

Deno.test("applyChanges() leaves a private file private", async () => {
  await withGitFolder(async (repository) => {
    repository.write("secret", "a\n", 0o600);
    await change(repository, "secret", file("b\n"));
    assert.equal((Deno.statSync(`${repository.root}/secret`).mode ?? 0) & 0o777, 0o600);
    assert.equal(repository.read("secret"), "b\n");
  });
});

Deno.test("applyChanges() moves a file with its edits", async () => {
  await withGitFolder(async (repository) => {
    repository.write("old name", "a\nb\n", 0o755);
    const before = readFileState(repository.root, "old name");
    const moved: FileChange = {
      path: "new/nämé",
      renamedFrom: "old name",
      before,
      after: file("a\nc\n", "100755"),
    };
    const prepared = await prepareChanges(repository.git, [moved]);
    assert.match(prepared.patch, /rename from "old name"\nrename to new\/nämé\n/);
    await applyChanges(repository.git, prepared);
    assert.equal(repository.read("new/nämé"), "a\nc\n");
    await applyChanges(
      repository.git,
      await prepareChanges(repository.git, reverseChanges([moved])),
    );
    assert.ok(isSameState(readFileState(repository.root, "old name"), before));
  });
});

Deno.test("applyChanges() puts a folder where a file was", async () => {
  await withGitFolder(async (repository) => {
    repository.write("a", "file\n");
    const changes: FileChange[] = [
      { path: "a", before: file("file\n"), after: undefined },
      { path: "a/b", before: undefined, after: file("inside\n") },
    ];
    await applyChanges(repository.git, await prepareChanges(repository.git, changes));
    assert.equal(repository.read("a/b"), "inside\n");
  });
});

for (
  const [path, message] of [
    ["../outside", /leads out of the project/],
    ["a/../../outside", /leads out of the project/],
    ["/etc/passwd", /absolute path/],
    [".git/config", /inside .git/],
    ["sub/.GIT/hooks/x", /inside .git/],
    ["link/x", /symbolic link/],
    ["nested/x", /repository of its own/],
    ["module/deep/x", /submodule/],
    ["file/x", /is a file, not a folder/],
    ["a//b", /simplest form/],
    ["./a", /simplest form/],
    ["a\0b", /not a file name/],
    ["", /not a file name/],
  ] as const
) {
  Deno.test(`prepareChanges() refuses ${JSON.stringify(path)}`, async () => {
    await withGitFolder(async (repository) => {
      Deno.symlinkSync("/tmp", `${repository.root}/link`);
      repository.write("file", "x");
      repository.write("nested/.git/HEAD", "x");
      repository.write("module/.git", "gitdir: ../.git/modules/module\n");
      const changes = [{ path, before: undefined, after: file("x") }];
      await assert.rejects(
        () => prepareChanges(repository.git, changes),
        (error) => error instanceof UsageError && message.test(error.message),
      );
    });
  });
}

Deno.test("git apply itself refuses what leads out of the tree, into .git and through a link", async () => {
  await withGitFolder(async (repository) => {
    Deno.symlinkSync(repository.scratch, `${repository.root}/link`);
    for (const path of ["../x", ".git/x", "link/x"]) {
      const patch =
        `diff --git a/${path} b/${path}\nnew file mode 100644\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1,1 @@\n+x\n`;
      await assert.rejects(() => applyPatch(repository.git, patch), /git refuses the change/);
    }
    assert.deepEqual([...Deno.readDirSync(repository.scratch)], []);
  });
});

Deno.test("applyChanges() does not overwrite a file that changed after the check", async () => {
  await withGitFolder(async (repository) => {
    repository.write("f", "a\n");
    const prepared = await prepareChanges(repository.git, [
      { path: "f", before: file("a\n"), after: file("b\n") },
    ]);
    repository.write("f", "the user's\n");
    await assert.rejects(() => applyChanges(repository.git, prepared), EditConflict);
    assert.equal(repository.read("f"), "the user's\n");
  });
});

Deno.test("prepareChanges() writes nothing and refuses a target that is there", async () => {
  await withGitFolder(async (repository) => {
    repository.write("a", "a\n");
    repository.write("b", "b\n");
    await assert.rejects(() =>
      prepareChanges(repository.git, [
        { path: "b", renamedFrom: "a", before: file("a\n"), after: file("a\n") },
      ]), /b: is already there/);
    await assert.rejects(() =>
      prepareChanges(repository.git, [
        { path: "b", before: undefined, after: file("a\n") },
      ]), EditConflict);
    assert.equal(repository.read("b"), "b\n");
  });
});

const content = fc.oneof(
  fc.array(fc.constantFrom("a\n", "b\n", "c\r\n", "d", "\\ No\n", "--\n", "", "é\n"), {
    maxLength: 40,
  }).map((lines) => bytes(lines.join(""))),
  fc.uint8Array({ maxLength: 300 }),
);
const state = fc.option(
  fc.record({ mode: fc.constantFrom<FileMode>("100644", "100755"), bytes: content }),
  { nil: undefined },
);

Deno.test("applyChanges() takes any state to any other and back", async () => {
  await withPlainFolder(async (folder) => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: "grapheme", minLength: 1, maxLength: 5 }),
        state,
        state,
        async (raw, before, after) => {
          const path = `f${raw.replace(/[/\0]/g, "_")}`;
          await change(folder, path, before);
          const there = [{ path, before, after }];
          await applyChanges(folder.git, await prepareChanges(folder.git, there));
          assert.ok(isSameState(readFileState(folder.root, path), after));
          const back = reverseChanges(there);
          await applyChanges(folder.git, await prepareChanges(folder.git, back));
          assert.ok(isSameState(readFileState(folder.root, path), before));
          await change(folder, path, undefined);
        },
      ),
      { numRuns: 60 },
    );
  });
});

Deno.test("applyChanges() rewrites a long file in which nothing stayed", async () => {
  await withPlainFolder(async (folder) => {
    const lines = (word: string) =>
      `same\n${Array.from({ length: 6000 }, (_, i) => `${word} ${i}\n`).join("")}end`;
    await change(folder, "f", file(lines("old")));
    await change(folder, "f", file(lines("new")));
    assert.equal(folder.read("f"), lines("new"));
  });
});

Deno.test("applyChanges() keeps the other names of a file that has several", async () => {
  await withGitFolder(async (folder) => {
    folder.write("one", "1\n");
    folder.write("plain", "1\n");
    Deno.linkSync(`${folder.root}/one`, `${folder.root}/two`);
    const after = { mode: "100755", bytes: new TextEncoder().encode("2\n") } as const;
    const changes = ["one", "plain"].map((path) => ({
      path,
      before: readFileState(folder.root, path),
      after,
    }));
    await applyChanges(folder.git, await prepareChanges(folder.git, changes));
    assert.equal(folder.read("two"), "2\n");
    assert.equal(folder.read("plain"), "2\n");
    assert.equal(readFileState(folder.root, "two")?.mode, "100755");
  });
});
