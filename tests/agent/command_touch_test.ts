import assert from "node:assert/strict";
import { CommandTouch } from "../../src/agent/command_touch.ts";
import { type GitFolder, withGitFolder, withPlainFolder } from "../support/git_folder.ts";

async function touchOf(folder: GitFolder, command: () => void) {
  const touch = await CommandTouch.begin(folder.git);
  command();
  return await touch.end();
}

Deno.test("CommandTouch tells what was changed, made and removed, each with what it held before and after", () =>
  withGitFolder(async (folder) => {
    folder.write("changed", "1\n");
    folder.write("gone", "2\n");
    folder.commitAll();
    folder.write("dirty", "mine\n");
    const { files, before, after } = await touchOf(folder, () => {
      folder.write("changed", "one\n");
      folder.write("made/new", "3\n");
      folder.write("dirty", "theirs\n");
      Deno.removeSync(`${folder.root}/gone`);
    });
    const blob = (content: string) => {
      folder.write("../scratch/content", content);
      return folder.run("hash-object", "../scratch/content").trim();
    };
    const file = (content: string) => ({ mode: "100644", blob: blob(content) });
    assert.deepEqual([...Object.values(files ?? {})].sort(), [
      "changed",
      "dirty",
      "gone",
      "made/new",
    ]);
    assert.deepEqual(before, {
      changed: file("1\n"),
      dirty: file("mine\n"),
      gone: file("2\n"),
      "made/new": null,
    });
    assert.deepEqual(after, {
      changed: file("one\n"),
      dirty: file("theirs\n"),
      gone: null,
      "made/new": file("3\n"),
    });
  }));

Deno.test("CommandTouch leaves out what is ignored, what is m31a's own, and what tools leave behind", () =>
  withGitFolder(async (folder) => {
    folder.write(".gitignore", "dist/\n");
    folder.commitAll();
    const facts = await touchOf(folder, () => {
      for (const path of ["dist/a", "planning/PROJECT.md", "sessions/x/0.jsonl"]) {
        folder.write(path, "");
      }
      for (const path of ["a/__pycache__/b.pyc", "node_modules/x/y.js"]) folder.write(path, "");
    });
    assert.deepEqual(facts, {});
  }));

Deno.test("CommandTouch tells nothing outside of a repository", () =>
  withPlainFolder(async (folder) => {
    assert.deepEqual(await touchOf(folder, () => folder.write("a", "")), {});
  }));
