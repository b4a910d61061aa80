/** A project whose check wants every line of `numbers.txt` to be a number, and what a scripted model says in it. */
import { type GitFolder, withGitFolder } from "../../support/git_folder.ts";

/** The reply that submits a plan of one task. */
export const PLAN = JSON.stringify({
  calls: [{
    tool: "submit_plan",
    input: { summary: "Mend the numbers.", tasks: [{ id: "1", title: "Mend the second" }] },
  }],
});

/** A reply that brings `to` into the place of `from` and calls the task finished. */
export function edits(from: string, to: string): string {
  return JSON.stringify({
    calls: [
      { tool: "read_file", input: { path: "numbers.txt" } },
      { tool: "edit_file", input: { path: "numbers.txt", old_text: from, new_text: to } },
      { tool: "finish_task", input: { summary: "Done." } },
    ],
  });
}

/** Makes the project. */
export function withNumbers(test: (folder: GitFolder) => Promise<void>): Promise<void> {
  return withGitFolder(async (folder) => {
    folder.write("numbers.txt", "1\n2\n");
    folder.write(
      "Makefile",
      "test:\n\t@if grep -n '[^0-9]' numbers.txt; then echo '1 failed'; exit 1; fi\n",
    );
    folder.write(".gitignore", "planning/\nsessions/\nmodel.jsonl\n");
    folder.commitAll();
    await test(folder);
  });
}

/** Writes the model's replies, one a line. */
export function script(folder: GitFolder, replies: readonly string[]): void {
  folder.write("model.jsonl", replies.map((reply) => `${reply}\n`).join(""));
}
