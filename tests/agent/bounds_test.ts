/** Each bound of what a model is given: passed, and the words that say so are read. */
import { randomBytes } from "node:crypto";
import { deleteFile } from "../../src/agent/tools/delete_file.ts";
import assert from "node:assert/strict";
import { z } from "zod";
import { recordableResult } from "../../src/agent/call_result.ts";
import { cleanJson, Unrecordable } from "../../src/agent/clean.ts";
import { editText } from "../../src/agent/edit_text.ts";
import { done } from "../../src/agent/outcome.ts";
import { register, Registry } from "../../src/agent/registry.ts";
import { editFile } from "../../src/agent/tools/edit_file.ts";
import { gitDiff } from "../../src/agent/tools/git_diff.ts";
import { readFile } from "../../src/agent/tools/read_file.ts";
import { searchFiles } from "../../src/agent/tools/search_files.ts";
import type { JsonValue } from "../../src/platform/canonical_json.ts";
import { type GitFolder, withGitFolder } from "../support/git_folder.ts";
import { toolContext } from "../support/tool_context.ts";

/** What editing `text` says where it cannot be done. */
function problem(text: string, oldText: string): string {
  const result = editText(text, oldText, "new", false);
  return "problem" in result ? result.problem : assert.fail("there was no problem");
}

async function outputOf(folder: GitFolder, path: string): Promise<string> {
  return (await readFile.run({ path }, toolContext(folder))).output;
}

Deno.test("recordableResult() says how many bytes of a tool's output it leaves out", () => {
  const { output } = recordableResult(
    { call: 1, tool: "t" },
    { output: "x".repeat(64 * 1024 + 100), isError: false },
    [],
  );
  assert.match(output, /^x+\n\[… 10\d bytes left out …\]\nx+$/);
});

Deno.test("cleanJson() refuses JSON that is nested too deep, in words", () => {
  let deep: JsonValue = 1;
  for (let n = 0; n < 102; n++) deep = [deep];
  assert.throws(() => cleanJson(deep, []), Unrecordable);
  assert.throws(() => cleanJson(deep, []), /nested more than 100 levels deep/);
});

Deno.test("editText() counts the places that it does not name, and marks the lines that it does not show", () => {
  assert.match(problem("x\ny\n".repeat(25), "x"), /25 times, at lines 1, 3, .*39 and 5 more\./);
  const block = Array.from({ length: 20 }, (_, n) => `  const value${n} = ${n};`);
  const wanted = block.with(19, "  const other = 1;").join("\n");
  assert.match(problem(block.join("\n"), wanted), /\n12: {3}const value11 = 11;\n…$/);
});

Deno.test("editText() looks for nothing that is like it in a file too large for that, and says what to do", () => {
  const large = "some line of words\n".repeat(3_000);
  const wanted = Array.from({ length: 1_000 }, (_, n) => `another ${n}`).join("\n");
  assert.match(problem(large, wanted), /Read the file again\.$/);
});

Deno.test("tools change files of any size, and the log says how much of a long patch it left out", async () => {
  await withGitFolder(async (folder) => {
    folder.write("large", `first\n${`${"x".repeat(99)}\n`.repeat(80_000)}`);
    const context = toolContext(folder);
    context.sees("large");
    const edit = { path: "large", old_text: "first", new_text: "second" };
    const edited = await editFile.run(edit, context);
    assert.equal(edited.isError, false);
    assert.match(folder.read("large"), /^second\nx/);
    assert(edited.outcome?.kind === "change");
    assert.doesNotMatch(edited.outcome.patch, /left out/);
    folder.write("random", randomBytes(600_000));
    const deleted = await deleteFile.run({ path: "random" }, context);
    assert(deleted.outcome?.kind === "change");
    assert.match(deleted.outcome.patch, /\[… \d+ bytes left out …\]/);
  });
});

Deno.test("read_file says what it left out of a long line, where a long text goes on, and what is too large", async () => {
  await withGitFolder(async (folder) => {
    folder.write("line", `${"x".repeat(5 * 1024)}\n`);
    assert.match(await outputOf(folder, "line"), /bytes left out …\]/);
    folder.write("text", `${"y".repeat(1_000)}\n`.repeat(100));
    assert.match(
      await outputOf(folder, "text"),
      /^text \(lines 1-48 of 100\)[^]*start_line 49 …\]$/,
    );
    Deno.writeFileSync(`${folder.root}/huge`, new Uint8Array());
    Deno.truncateSync(`${folder.root}/huge`, 32 * 1024 * 1024 + 1);
    assert.match(
      await outputOf(folder, "huge"),
      /is 33554433 bytes, too large .*; use search_files/,
    );
  });
});

Deno.test("search_files says what it left out of a long line", async () => {
  await withGitFolder(async (folder) => {
    folder.write("long", `needle${"x".repeat(1_000)}\n`);
    const { output } = await searchFiles.run({ pattern: "needle" }, toolContext(folder));
    assert.match(output, /^long:1:needlex+ \[… \d+ bytes left out …\] x+$/);
  });
});

Deno.test("git_diff says that it was cut, and that there are more untracked files", async () => {
  await withGitFolder(async (folder) => {
    folder.write("a", "");
    folder.commitAll();
    for (let n = 0; n < 60; n++) folder.write(`new${n}`, "");
    const many = await gitDiff.run({}, toolContext(folder));
    assert.match(many.output, /\n\[… and more …\]$/);
    folder.write("a", "changed\n".repeat(10_000));
    const large = await gitDiff.run({}, toolContext(folder));
    assert.ok(large.output.length < 70 * 1024);
    assert.match(large.output, /left out …\]/);
  });
});

Deno.test("Registry.callTool() counts the issues that it does not name", async () => {
  await withGitFolder(async (folder) => {
    const names = Array.from({ length: 15 }, (_, n) => `field${n}`);
    const registry = new Registry([register({
      name: "many",
      description: "Takes many numbers.",
      input: z.object(Object.fromEntries(names.map((name) => [name, z.number()]))),
      effect: "read",
      run: () => Promise.resolve(done("fine")),
    })]);
    const { output } = await registry.callTool({ tool: "many", input: {} }, toolContext(folder));
    assert.match(output, /\n- field9: [^\n]*\n- and 5 more$/);
  });
});
