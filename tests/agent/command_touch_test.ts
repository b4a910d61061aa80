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
    const touched = await touchOf(folder, () => {
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
    const byPath = touched.toSorted((a, b) => a.path < b.path ? -1 : 1);
    assert.deepEqual(byPath, [
      { path: "changed", before: file("1\n"), after: file("one\n") },
      { path: "dirty", before: file("mine\n"), after: file("theirs\n") },
      { path: "gone", before: file("2\n"), after: null },
      { path: "made/new", before: null, after: file("3\n") },
    ]);
  }));

Deno.test("CommandTouch leaves out what is ignored, what is m31a's own, and what tools leave behind", () =>
  withGitFolder(async (folder) => {
    folder.write(".gitignore", "dist/\n");
    folder.commitAll();
    const touched = await touchOf(folder, () => {
      for (const path of ["dist/a", "planning/PROJECT.md", "sessions/x/0.jsonl"]) {
        folder.write(path, "");
      }
      for (const path of ["a/__pycache__/b.pyc", "node_modules/x/y.js"]) folder.write(path, "");
    });
    assert.deepEqual(touched, []);
  }));

Deno.test("CommandTouch tells nothing outside of a repository", () =>
  withPlainFolder(async (folder) => {
    assert.deepEqual(await touchOf(folder, () => folder.write("a", "")), []);
  }));
