import assert from "node:assert/strict";
import { sessionGit } from "../../../src/agent/session_tree.ts";
import { deleteFile } from "../../../src/agent/tools/delete_file.ts";
import { editFile } from "../../../src/agent/tools/edit_file.ts";
import { moveFile } from "../../../src/agent/tools/move_file.ts";
import { writeFile } from "../../../src/agent/tools/write_file.ts";
import { touchedBy } from "../../../src/session/outcome.ts";
import { applicationFlags } from "../../../scripts/permissions.ts";
import { type GitFolder, withGitFolder, withPlainFolder } from "../../support/git_folder.ts";
import { type TestToolContext, toolContext } from "../../support/tool_context.ts";

function withContext(test: (folder: GitFolder, context: TestToolContext) => Promise<void>) {
  return withGitFolder((folder) => test(folder, toolContext(folder)));
}

Deno.test("edit_file changes the place, keeps CRLF and the mode, and records the patch", async () => {
  await withContext(async (folder, context) => {
    folder.write("a.sh", "one\r\ntwo\r\n", 0o755);
    const outcome = await editFile.run(
      { path: "./a.sh", old_text: "one\ntwo", new_text: "one\n2" },
      context,
    );
    assert.equal(outcome.isError, false);
    assert.equal(folder.read("a.sh"), "one\r\n2\r\n");
    assert.equal((Deno.statSync(`${folder.root}/a.sh`).mode ?? 0) & 0o777, 0o755);
    assert.ok(outcome.outcome?.kind === "change");
    const { patch, touched } = outcome.outcome;
    assert.deepEqual(touched.map(({ path }) => path), ["a.sh"]);
    assert.match(patch, /^diff --git a\/a.sh b\/a.sh\n/);
    assert.equal(context.requests[0]?.detail, patch);
    assert.equal(context.requests[0]?.summary, "edit a.sh");
    const before = touched[0]?.before;
    const kept = (await sessionGit(context)).readText(["cat-file", "blob", before?.blob ?? ""]);
    assert.equal(await kept, "one\r\ntwo\r\n");
    assert.equal(before?.mode, "100755");
  });
});

Deno.test("edit_file takes an absolute path inside the project", async () => {
  await withContext(async (folder, context) => {
    folder.write("a", "x");
    const path = `${folder.root}/a`;
    await editFile.run({ path, old_text: "x", new_text: "y" }, context);
    assert.equal(folder.read("a"), "y");
  });
});

Deno.test("edit_file says what it did not find and where it nearly is", async () => {
  await withContext(async (folder, context) => {
    folder.write("a", "let a = 1;\nlet b = 2;\n");
    const outcome = await editFile.run(
      { path: "a", old_text: "let b = 3;", new_text: "" },
      context,
    );
    assert.equal(outcome.isError, true);
    assert.match(outcome.output, /^a: old_text is not in the file\. .*lines 2-2 .*\n2: let b = 2;/);
    assert.equal(context.requests.length, 0);
  });
});

Deno.test("edit_file does two edits in a row without reading in between", async () => {
  await withContext(async (folder, context) => {
    folder.write("a", "1\n2\n");
    context.sees("a");
    await editFile.run({ path: "a", old_text: "1", new_text: "one" }, context);
    const outcome = await editFile.run({ path: "a", old_text: "2", new_text: "two" }, context);
    assert.equal(outcome.isError, false);
    assert.equal(folder.read("a"), "one\ntwo\n");
  });
});

for (
  const [tool, run] of [
    [
      "edit_file",
      (c: TestToolContext) => editFile.run({ path: "a", old_text: "x", new_text: "y" }, c),
    ],
    ["write_file", (c: TestToolContext) => writeFile.run({ path: "a", content: "y" }, c)],
    ["delete_file", (c: TestToolContext) => deleteFile.run({ path: "a" }, c)],
    ["move_file", (c: TestToolContext) => moveFile.run({ from: "a", to: "b" }, c)],
  ] as const
) {
  Deno.test(`${tool} leaves a file that changed since it was read, as an edit conflict`, async () => {
    await withContext(async (folder, context) => {
      folder.write("a", "x\n");
      context.sees("a");
      folder.write("a", "x by the user\n");
      const outcome = await run(context);
      assert.equal(outcome.isError, true);
      assert.equal(outcome.outcome?.kind, "conflict");
      assert.match(outcome.output, /changed on disk/);
      assert.equal(folder.read("a"), "x by the user\n");
    });
  });

  Deno.test(`${tool} changes nothing when the user says no`, async () => {
    await withContext(async (folder, context) => {
      folder.write("a", "x\n");
      context.sees("a");
      context.allows = false;
      const outcome = await run(context);
      assert.equal(outcome.isError, true);
      assert.match(outcome.output, /did not allow/);
      assert.equal(folder.read("a"), "x\n");
    });
  });
}

Deno.test("write_file makes a file with its folders, and one that can be run", async () => {
  await withContext(async (folder, context) => {
    const outcome = await writeFile.run(
      { path: "bin/deep/tool", content: "#!/bin/sh\n", executable: true },
      context,
    );
    assert.equal(outcome.isError, false);
    assert.equal((Deno.statSync(`${folder.root}/bin/deep/tool`).mode ?? 0) & 0o100, 0o100);
    await writeFile.run({ path: "empty", content: "" }, context);
    assert.equal(folder.read("empty"), "");
  });
});

Deno.test("write_file does not replace a file that was not read", async () => {
  await withContext(async (folder, context) => {
    folder.write("a", "x\n");
    const outcome = await writeFile.run({ path: "a", content: "y\n" }, context);
    assert.equal(outcome.isError, true);
    assert.match(outcome.output, /read it with read_file first/);
    context.sees("a");
    assert.equal((await writeFile.run({ path: "a", content: "y\n" }, context)).isError, false);
    assert.equal(folder.read("a"), "y\n");
  });
});

Deno.test("write_file keeps the CRLF and the mode of the file it replaces", async () => {
  await withContext(async (folder, context) => {
    folder.write("a", "x\r\n", 0o755);
    context.sees("a");
    await writeFile.run({ path: "a", content: "y\nz\n" }, context);
    assert.equal(folder.read("a"), "y\r\nz\r\n");
    assert.equal((Deno.statSync(`${folder.root}/a`).mode ?? 0) & 0o777, 0o755);
  });
});

Deno.test("delete_file removes a binary file and keeps what it held", async () => {
  await withContext(async (folder, context) => {
    folder.write("a.bin", Uint8Array.of(0, 1, 2));
    const outcome = await deleteFile.run({ path: "a.bin" }, context);
    assert.equal(outcome.isError, false);
    assert.throws(() => folder.read("a.bin"), Deno.errors.NotFound);
    const [file] = touchedBy(outcome.outcome);
    const kept = (await sessionGit(context)).read(["cat-file", "blob", file?.before?.blob ?? ""]);
    assert.deepEqual(new Uint8Array(await kept), Uint8Array.of(0, 1, 2));
  });
});

Deno.test("move_file moves a file and replaces none", async () => {
  await withContext(async (folder, context) => {
    folder.write("a", "x\n");
    folder.write("c", "y\n");
    assert.equal((await moveFile.run({ from: "a", to: "new/b é" }, context)).isError, false);
    assert.equal(folder.read("new/b é"), "x\n");
    const outcome = await moveFile.run({ from: "new/b é", to: "c" }, context);
    assert.match(outcome.output, /c: is there already/);
    assert.equal(folder.read("c"), "y\n");
  });
});

for (
  const [path, message] of [
    ["planning/STATE.md", /kept by m31a itself/],
    ["Sessions/x", /kept by m31a itself/],
    ["src/../planning/x", /kept by m31a itself/],
    [".git/config", /inside .git/],
    ["../x", /leads out/],
    ["/etc/x", /leads out/],
    ["link", /symbolic link/],
    ["folder-link/x", /symbolic link/],
    ["binary", /not UTF-8 text/],
    ["latin1", /not UTF-8 text/],
    ["folder", /is a folder/],
    [".", /not a file/],
    ["missing", /no such file/],
  ] as const
) {
  Deno.test(`edit_file refuses ${path}`, async () => {
    await withContext(async (folder, context) => {
      folder.write("binary", Uint8Array.of(0x61, 0));
      folder.write("latin1", Uint8Array.of(0x61, 0xe9));
      folder.write("folder/x", "a");
      folder.write("planning/STATE.md", "a");
      Deno.symlinkSync("folder/x", `${folder.root}/link`);
      Deno.symlinkSync("folder", `${folder.root}/folder-link`);
      const outcome = await editFile.run({ path, old_text: "a", new_text: "b" }, context);
      assert.equal(outcome.isError, true);
      assert.match(outcome.output, message);
      assert.equal(folder.read("folder/x"), "a");
    });
  });
}

Deno.test("the tools that change files work in a folder that is no repository", async () => {
  await withPlainFolder(async (folder) => {
    const context = toolContext(folder);
    await writeFile.run({ path: "a/b", content: "x\n" }, context);
    const outcome = await editFile.run({ path: "a/b", old_text: "x", new_text: "y" }, context);
    assert.equal(outcome.isError, false);
    assert.equal(folder.read("a/b"), "y\n");
    await moveFile.run({ from: "a/b", to: "c" }, context);
    await deleteFile.run({ path: "c" }, context);
    assert.deepEqual([...Deno.readDirSync(folder.root)], []);
  });
});

Deno.test("the tools that change files need no more rights than the executable has", async () => {
  await withGitFolder((folder) => {
    folder.write("a", "x\n");
    folder.write("planning/.keep", "");
    folder.write("sessions/.keep", "");
    const program = new URL("../../support/confined_change.ts", import.meta.url);
    const { stdout, stderr } = new Deno.Command(Deno.execPath(), {
      args: ["run", ...applicationFlags(), program.href],
      cwd: folder.root,
    }).outputSync();
    assert.deepEqual(
      JSON.parse(new TextDecoder().decode(stdout) || new TextDecoder().decode(stderr)),
      {
        branch: "main",
        committed: ["a", "src/b"],
        restored: ["a", "src/b"],
        ownWrite: "NotCapable",
      },
    );
    assert.equal(folder.read("a"), "x\n");
    const left = [...Deno.readDirSync(`${folder.root}/sessions`)].map(({ name }) => name).sort();
    assert.deepEqual(left, [".keep", "20260131-120000-0000"]);
  });
});
