import assert from "node:assert/strict";
import fc from "fast-check";
import { NUMSTAT_OPTIONS, parseNumstat } from "../../src/git/numstat.ts";
import { gitPath, pathKey } from "../../src/git/path.ts";
import { type GitFolder, withGitFolder } from "../support/git_folder.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const RAW = ":100644 100644 1111111 2222222 M\0";

function stagedMetrics(repository: GitFolder) {
  return parseNumstat(repository.runBytes(["diff", "--cached", ...NUMSTAT_OPTIONS, "HEAD"]));
}

Deno.test("parseNumstat() gives zeros for no output", () => {
  assert.deepEqual(parseNumstat(new Uint8Array()).files, []);
  assert.equal(parseNumstat(new Uint8Array()).totals.files, 0);
});

for (const name of ["a\tb", "a => b", '"quoted"', "two\nlines", " lead", "{a => b}/c", ":100644"]) {
  Deno.test(`parseNumstat() keeps the name ${JSON.stringify(name)}`, () => {
    const { files } = parseNumstat(bytes(`${RAW}${name}\0${"3\t4\t"}${name}\0`));
    assert.equal(files[0]?.path.text, name);
    assert.equal(files[0]?.insertions, 3);
    assert.equal(files[0]?.deletions, 4);
  });
}

Deno.test("parseNumstat() keeps the bytes of a name that is not UTF-8", () => {
  const name = Uint8Array.of(0x66, 0xff, 0xfe);
  const output = Uint8Array.of(...bytes(RAW), ...name, 0, ...bytes("1\t0\t"), ...name, 0);
  const [file] = parseNumstat(output).files;
  assert.deepEqual(file?.path.bytes, name);
  assert.equal(file?.path.isUtf8, false);
  assert.equal(file?.insertions, 1);
});

for (
  const [what, output, message] of [
    ["a missing final NUL", `${RAW}a\0${"1\t1\ta"}`, /field 3 .*no NUL after it/],
    ["a raw record without a name", RAW, /ends where a name is due/],
    ["a count without a record", "1\t1\tb\0", /field 1 .*without a raw record/],
    ["half a count", `${RAW}a\0${"-\t1\ta"}\0`, /field 3 .*expected `added TAB deleted TAB name`/],
    ["a warning in between", `${RAW}a\0warning: x\0`, /field 3 \("warning: x"\)/],
    ["an unknown status", ":100644 100644 1 2 X\0a\0", /unknown status X/],
    ["a conflict", ":100644 100644 1 2 U\0a\0", /unresolved merge conflicts/],
    ["a short raw record", ":100644 M\0a\0", /expected `:mode mode id id status`/],
    ["an empty name", `${RAW}\0`, /a name is empty/],
  ] as const
) {
  Deno.test(`parseNumstat() refuses ${what}`, () => {
    assert.throws(() => parseNumstat(bytes(output)), message);
  });
}

Deno.test("parseNumstat() counts what git made of renames, binaries, modes and submodules", async () => {
  await withGitFolder((repository) => {
    repository.write("old name", "one\ntwo\nthree\nfour\nfive\n");
    repository.write("a => b", "x\n");
    repository.write("picture.PNG", Uint8Array.of(0, 1, 2));
    repository.write("run.sh", "echo\n");
    repository.write("was-file", "text\n");
    repository.commitAll();
    const head = repository.run("rev-parse", "HEAD").trim();
    Deno.renameSync(`${repository.root}/old name`, `${repository.root}/nëw`);
    repository.write("nëw", "one\ntwo\nthree\nfour\nsix\n");
    repository.write("a => b", "x\ny\n");
    repository.write("picture.PNG", Uint8Array.of(0, 9, 2));
    Deno.chmodSync(`${repository.root}/run.sh`, 0o755);
    repository.write("empty.txt", "");
    repository.write("tab\tname.ts", "let a;\nlet b;\n");
    Deno.removeSync(`${repository.root}/was-file`);
    Deno.symlinkSync("run.sh", `${repository.root}/was-file`);
    repository.run("add", "-A");
    repository.run("update-index", "--add", "--cacheinfo", `160000,${head},sub`);

    const { files, totals, extensions } = stagedMetrics(repository);
    const byName = new Map(files.map((file) => [file.path.text, file]));
    assert.equal(byName.get("nëw")?.status, "renamed");
    assert.equal(byName.get("nëw")?.oldPath?.text, "old name");
    assert.equal(byName.get("nëw")?.insertions, 1);
    assert.equal(byName.get("nëw")?.deletions, 1);
    assert.equal(byName.get("a => b")?.insertions, 1);
    assert.equal(byName.get("picture.PNG")?.isBinary, true);
    assert.equal(byName.get("run.sh")?.newMode, "100755");
    assert.equal(byName.get("run.sh")?.insertions, 0);
    assert.equal(byName.get("tab\tname.ts")?.insertions, 2);
    assert.equal(byName.get("was-file")?.status, "typechange");
    assert.equal(byName.get("was-file")?.isSymlink, true);
    assert.equal(byName.get("sub")?.isSubmodule, true);
    assert.deepEqual(totals, {
      files: 8,
      added: 3,
      modified: 4,
      deleted: 0,
      renamed: 1,
      copied: 0,
      binary: 1,
      insertions: 6,
      deletions: 2,
    });
    assert.deepEqual(extensions, { "": 4, ".png": 1, ".sh": 1, ".ts": 1, ".txt": 1 });
  });
});

const hostileName = fc.array(
  fc.constantFrom("a", "B", " ", "\t", "\n", '"', "\\", " => ", "{", "}", "é", "🦊", ":", "*", "-"),
  { minLength: 1, maxLength: 5 },
).map((parts) => `f${parts.join("")}`);
const content = fc.oneof(
  fc.array(fc.constantFrom("a\n", "b\n", "c\r\n", "d"), { maxLength: 12 }).map((l) =>
    bytes(l.join(""))
  ),
  fc.constant(Uint8Array.of(1, 0, 2)),
  fc.constant(Uint8Array.of(0, 255, 0)),
);
const entry = fc.record({
  content,
  kind: fc.constantFrom("file", "file", "file", "executable", "symlink"),
});
type Entry = typeof entry extends fc.Arbitrary<infer T> ? T : never;
const tree = fc.dictionary(hostileName, entry, { maxKeys: 6 });

function materialize(repository: GitFolder, entries: Record<string, Entry>) {
  for (const { name, isDirectory } of Deno.readDirSync(repository.root)) {
    if (!isDirectory) Deno.removeSync(`${repository.root}/${name}`);
  }
  for (const [name, { content, kind }] of Object.entries(entries)) {
    if (kind === "symlink") Deno.symlinkSync("nowhere", `${repository.root}/${name}`);
    if (kind !== "symlink") {
      repository.write(name, content, kind === "executable" ? 0o755 : 0o644);
    }
  }
}

Deno.test("parseNumstat() agrees with git about random trees with hostile names", async () => {
  await withGitFolder(async (repository) => {
    await fc.assert(
      fc.asyncProperty(tree, tree, (before, after) => {
        materialize(repository, before);
        repository.commitAll();
        materialize(repository, after);
        repository.run("add", "-A");
        const { files, totals } = stagedMetrics(repository);
        const names = (filter: string) =>
          repository.run("diff", "--cached", "-M", "--name-only", "-z", `--diff-filter=${filter}`)
            .split("\0").filter(Boolean).sort();
        const ours = (...statuses: string[]) =>
          files.filter((f) => statuses.includes(f.status)).map((f) => f.path.text).sort();
        assert.deepEqual(ours("added"), names("A"));
        assert.deepEqual(ours("deleted"), names("D"));
        assert.deepEqual(ours("renamed"), names("R"));
        assert.deepEqual(ours("modified", "typechange"), names("MT"));
        assert.equal(new Set(files.map((f) => pathKey(f.path))).size, files.length);
        const shortstat = repository.run("diff", "--cached", "-M", "--shortstat");
        const said = (word: string) =>
          Number(new RegExp(`(\\d+) ${word}`).exec(shortstat)?.[1] ?? 0);
        assert.equal(totals.files, said("file"));
        assert.equal(totals.insertions, said("insertion"));
        assert.equal(totals.deletions, said("deletion"));
      }),
      { numRuns: 25 },
    );
  });
});

Deno.test("parseNumstat() agrees with git about a name that is not UTF-8", async () => {
  await withGitFolder(async (repository) => {
    repository.commitAll();
    const name = Uint8Array.of(0x66, 0xff, 0x09, 0xfe);
    const blob = repository.run("hash-object", "-w", "--stdin").trim();
    const index = new Deno.Command("git", {
      args: ["update-index", "-z", "--index-info"],
      cwd: repository.root,
      stdin: "piped",
    }).spawn();
    const writer = index.stdin.getWriter();
    await writer.write(Uint8Array.of(...bytes(`100644 ${blob}\t`), ...name, 0));
    await writer.close();
    assert.ok((await index.status).success);
    const { files } = stagedMetrics(repository);
    assert.deepEqual(files[0]?.path.bytes, name);
    assert.equal(pathKey(gitPath(name)), files[0] && pathKey(files[0].path));
  });
});

Deno.test("parseNumstat() knows that a file which was deleted had been a link", () => {
  const { files: [file] } = parseNumstat(
    bytes(`:120000 000000 1111111 0000000 D\0a\0${"0\t1\ta"}\0`),
  );
  assert.deepEqual([file?.status, file?.isSymlink], ["deleted", true]);
});
