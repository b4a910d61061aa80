/** A project with a workflow in it that has done two tasks, for what comes after. */
import assert from "node:assert/strict";
import { type GitFolder, withGitFolder } from "../../support/git_folder.ts";
import { type Ended, runM31a } from "../../support/source.ts";

const MODEL = ["--model", "script:model.jsonl"];
const finish = { tool: "finish_task", input: { summary: "Done." } };

function calls(...calls: unknown[]): string {
  return JSON.stringify({ calls });
}

function writes(path: string, content: string) {
  return { tool: "write_file", input: { path, content } };
}

function deletes(path: string) {
  return { tool: "delete_file", input: { path } };
}

function reads(path: string) {
  return { tool: "read_file", input: { path } };
}

/** A project in which two tasks are done: `a` is 1, then 2; `new` is made, `old` is deleted. */
export async function withTwoTasks(test: (folder: GitFolder) => Promise<void>): Promise<void> {
  await withGitFolder(async (folder) => {
    folder.write("a", "0\n");
    folder.write("old", "old\n");
    folder.write("mine", "1\n");
    folder.write("Makefile", "test:\n\t@grep -q . a\n");
    folder.write(".gitignore", "planning/\nsessions/\nmodel.jsonl\n");
    folder.commitAll();
    folder.write("mine", "2\n");
    folder.write("untracked", "x\n");
    const tasks = ["1", "2"].map((id) => ({ id, title: `Step ${id}` }));
    folder.write(
      "model.jsonl",
      [
        "Looked.",
        calls({ tool: "submit_plan", input: { summary: "Two steps.", tasks } }),
        calls(reads("a"), writes("a", "1\n"), finish),
        calls(
          reads("a"),
          writes("a", "2\n"),
          writes("new", "n\n"),
          reads("old"),
          deletes("old"),
          finish,
        ),
        calls(reads("a"), writes("a", "3\n"), finish),
      ].join("\n") + "\n",
    );
    const { code, stderr } = await m31a(folder, "run", "Go", "--no-ship", ...MODEL);
    assert.equal(code, 0, stderr);
    await test(folder);
  });
}

/** Runs m31a in the project. */
export function m31a(folder: GitFolder, ...args: string[]): Promise<Ended> {
  return runM31a(args, { cwd: folder.root });
}
