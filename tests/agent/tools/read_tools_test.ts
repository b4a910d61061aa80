/** The tools that read, against real repositories and plain folders. */
import assert from "node:assert/strict";
import { sha256Hex } from "../../../src/platform/canonical_json.ts";
import { askUser } from "../../../src/agent/tools/ask_user.ts";
import { gitDiff } from "../../../src/agent/tools/git_diff.ts";
import { listFiles } from "../../../src/agent/tools/list_files.ts";
import { editFile } from "../../../src/agent/tools/edit_file.ts";
import { readFile } from "../../../src/agent/tools/read_file.ts";
import { searchFiles } from "../../../src/agent/tools/search_files.ts";
import { withGitFolder, withPlainFolder } from "../../support/git_folder.ts";
import { toolContext } from "../../support/tool_context.ts";

Deno.test("read_file numbers the lines and keeps the content's hash", async () => {
  await withGitFolder(async (folder) => {
    folder.write("a.txt", "one\r\ntwo\nthree");
    const context = toolContext(folder);
    const outcome = await readFile.run({ path: "./a.txt" }, context);
    assert.equal(
      outcome.output,
      "a.txt (lines 1-3 of 3; has CRLF line ends; no newline at the end)\n1\tone\n2\ttwo\n3\tthree",
    );
    const hash = sha256Hex("one\r\ntwo\nthree");
    assert.equal(context.seenFiles.get("a.txt"), hash);
    assert.deepEqual(outcome.outcome, { kind: "read", seen: { "a.txt": hash } });
  });
});

Deno.test("read_file shows the lines that are asked for and says how to go on", async () => {
  await withGitFolder(async (folder) => {
    folder.write("long", Array.from({ length: 5000 }, (_, i) => `line ${i + 1}\n`).join(""));
    const context = toolContext(folder);
    const some = await readFile.run({ path: "long", start_line: 10, end_line: 11 }, context);
    assert.equal(some.output, "long (lines 10-11 of 5000)\n10\tline 10\n11\tline 11");
    const all = await readFile.run({ path: "long" }, context);
    assert.match(
      all.output,
      /^long \(lines 1-2000 of 5000\)[^]*\n\[… go on with start_line 2001 …\]$/,
    );
    const beyond = await readFile.run({ path: "long", start_line: 6000 }, context);
    assert.equal(beyond.isError, true);
    assert.match(beyond.output, /has only 5000 lines/);
  });
});

Deno.test("read_file shows what an editor has not saved, and what is stored where that is the same text", async () => {
  await withGitFolder(async (folder) => {
    folder.write("a.txt", "stored\r\n");
    const opened: Record<string, string> = { "a.txt": "typed\n" };
    const context = {
      ...toolContext(folder),
      openText: (path: string) => Promise.resolve(opened[path]),
    };
    assert.match((await readFile.run({ path: "a.txt" }, context)).output, /not saved.*\n1\ttyped$/);
    const edit = { path: "a.txt", old_text: "typed", new_text: "changed" };
    assert.match((await editFile.run(edit, context)).output, /nothing was written/);
    opened["a.txt"] = "stored\n";
    const { output } = await readFile.run({ path: "a.txt" }, context);
    assert.equal(output, "a.txt (lines 1-1 of 1; has CRLF line ends)\n1\tstored");
    delete opened["a.txt"];
    assert.equal((await readFile.run({ path: "a.txt" }, context)).output, output);
  });
});

Deno.test("read_file refuses what is not a text file, with the next step", async () => {
  await withGitFolder(async (folder) => {
    folder.write("bin", new Uint8Array([1, 0, 2]));
    folder.write("src/a", "");
    new Deno.Command("mkfifo", { args: [`${folder.root}/pipe`] }).outputSync();
    const context = toolContext(folder);
    for (
      const [path, reason] of [
        ["bin", /binary file \(3 bytes\)/],
        ["src", /is a folder; list_files/],
        ["none", /no such file; list_files/],
        ["src/a/b", /no such file/],
        ["pipe", /not a regular file/],
        [".git/HEAD", /inside \.git/],
      ] as const
    ) {
      const outcome = await readFile.run({ path }, context);
      assert.equal(outcome.isError, true, path);
      assert.match(outcome.output, reason);
    }
    assert.equal(context.seenFiles.size, 0);
    assert.equal((await readFile.run({ path: "src/a" }, context)).output, "src/a: empty file");
  });
});

Deno.test("read_file reads latin-1 with a word of warning", async () => {
  await withGitFolder(async (folder) => {
    folder.write("latin", new Uint8Array([0x63, 0x61, 0x66, 0xe9, 10]));
    const { output } = await readFile.run({ path: "latin" }, toolContext(folder));
    assert.equal(
      output,
      "latin (lines 1-1 of 1; not UTF-8: what is not is shown as \ufffd)\n1\tcaf\ufffd",
    );
  });
});

Deno.test("list_files gives tracked and untracked files, not ignored, deleted or private ones", async () => {
  await withGitFolder(async (folder) => {
    for (const path of ["src/a.ts", "src/deep/b.ts", "c.md", "gone"]) folder.write(path, "");
    folder.write("sessions/s/0.jsonl", "");
    folder.write(".gitignore", "*.log\n");
    folder.commitAll();
    folder.write("new.ts", "");
    folder.write("x.log", "");
    Deno.removeSync(`${folder.root}/gone`);
    const context = toolContext(folder);
    const list = async (input: { path?: string; glob?: string }) =>
      (await listFiles.run(input, context)).output.split("\n").sort();
    assert.deepEqual(await list({}), [".gitignore", "c.md", "new.ts", "src/a.ts", "src/deep/b.ts"]);
    assert.deepEqual(await list({ glob: "*.ts" }), ["new.ts", "src/a.ts", "src/deep/b.ts"]);
    assert.deepEqual(await list({ glob: "/src/*.ts" }), ["src/a.ts"]);
    assert.deepEqual(await list({ path: "src" }), ["src/a.ts", "src/deep/b.ts"]);
    assert.deepEqual(await list({ path: "src", glob: "*/b.ts" }), ["src/deep/b.ts"]);
    assert.deepEqual(await list({ path: "src", glob: "*.md" }), ["No files."]);
    assert.deepEqual(await list({ path: "nope" }), ["nope: there is no such folder"]);
  });
});

Deno.test("list_files and search_files work outside a repository", async () => {
  await withPlainFolder(async (folder) => {
    folder.write("src/a.ts", "needle\n");
    folder.write("src/b.md", "needle\n");
    folder.write("sessions/x", "needle\n");
    folder.write(".gitignore", "skipped\n");
    folder.write("skipped", "needle\n");
    const context = toolContext(folder);
    const listed = await listFiles.run({ glob: "*.ts" }, context);
    assert.equal(listed.output, "src/a.ts");
    const found = await searchFiles.run({ pattern: "need" }, context);
    assert.equal(found.output, "src/a.ts:1:needle\nsrc/b.md:1:needle");
  });
});

Deno.test("list_files is capped and says so", async () => {
  await withGitFolder(async (folder) => {
    for (let i = 0; i < 1200; i++) folder.write(`f${i}`, "");
    const { output } = await listFiles.run({}, toolContext(folder));
    assert.match(output, /\n\[… more than 1000 files: narrow it by path or glob …\]$/);
    assert.equal(output.split("\n").length, 1001);
  });
});

Deno.test("search_files finds by kind, case, path, glob and with context", async () => {
  await withGitFolder(async (folder) => {
    folder.write("src/a.ts", "one\nTwo (x)\nthree\n");
    folder.write("src/b: c.md", "two (x)\n");
    folder.write("bin", new Uint8Array([0x74, 0x77, 0x6f, 0, 10]));
    folder.commitAll();
    folder.write("new.ts", "two (x) caf\u00e9\n");
    const context = toolContext(folder);
    const search = async (input: Parameters<typeof searchFiles.run>[0]) =>
      (await searchFiles.run(input, context)).output.split("\n");
    assert.deepEqual(await search({ pattern: "two (x)", kind: "text" }), [
      "new.ts:1:two (x) café",
      "src/b: c.md:1:two (x)",
    ]);
    assert.deepEqual(await search({ pattern: "^t(wo|hree)", glob: "*.ts", ignore_case: true }), [
      "new.ts:1:two (x) café",
      "src/a.ts:2:Two (x)",
      "src/a.ts:3:three",
    ]);
    assert.deepEqual(await search({ pattern: "\\bcaf.$", kind: "perl" }), [
      "new.ts:1:two (x) café",
    ]);
    assert.deepEqual(await search({ pattern: "Two", path: "src", context_lines: 1 }), [
      "src/a.ts:1:one",
      "src/a.ts:2:Two (x)",
      "src/a.ts:3:three",
    ]);
    assert.deepEqual(await search({ pattern: "-e" }), ["No matches."]);
  });
});

Deno.test("search_files hands a bad pattern back and caps what it finds", async () => {
  await withGitFolder(async (folder) => {
    folder.write("many", "x\n".repeat(100_000));
    const context = toolContext(folder);
    const bad = await searchFiles.run({ pattern: "(" }, context);
    assert.equal(bad.isError, true);
    assert.match(bad.output, /The search failed: .*[Uu]nmatched/);
    const many = await searchFiles.run({ pattern: "x" }, context);
    assert.match(many.output, /\n\[… more than 300 lines: narrow the search …\]$/);
  });
});

Deno.test("git_diff shows the tree against the index, the index, or a commit", async () => {
  await withGitFolder(async (folder) => {
    folder.write("a", "1\n");
    folder.commitAll();
    folder.write("a", "2\n");
    folder.run("add", "a");
    folder.write("a", "3\n");
    folder.write("new", "");
    folder.run("config", "diff.external", "false");
    const context = toolContext(folder);
    const diff = async (input: Parameters<typeof gitDiff.run>[0]) =>
      (await gitDiff.run(input, context)).output;
    assert.match(await diff({}), /^diff --git a\/a b\/a\n[^]*-2\n\+3\n\nUntracked files:\nnew$/);
    assert.match(await diff({ staged: true }), /-1\n\+2$/);
    assert.match(await diff({ against: "HEAD", paths: ["a"] }), /-1\n\+3$/);
    assert.match(await diff({ against: "--output=x" }), /is not a commit/);
    assert.match(await diff({ paths: ["../x"] }), /leads out of the project/);
    assert.match(await diff({ stat: true }), /a \| 2 \+-/);
    assert.throws(() => Deno.statSync(`${folder.root}/x`), Deno.errors.NotFound);
  });
});

Deno.test("git_diff outside a repository says so", async () => {
  await withPlainFolder(async (folder) => {
    const outcome = await gitDiff.run({}, toolContext(folder));
    assert.equal(outcome.isError, true);
    assert.match(outcome.output, /is not in a git repository/);
  });
});

Deno.test("ask_user gives the user's answer", async () => {
  await withPlainFolder(async (folder) => {
    const context = toolContext(folder);
    const input = { question: "Which?", options: ["this", "that"] };
    assert.equal((await askUser.run(input, context)).output, "this");
  });
});
