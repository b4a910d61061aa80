/** Where a workflow is started, and with which words. */
import assert from "node:assert/strict";
import { join } from "@std/path";
import { parseProject } from "../../../src/planning/project.ts";
import { document } from "./documents.ts";
import { NUMBERS, runArguments, withCheckedProject } from "./checked_project.ts";
import { LOOKED, replaces, submits, task } from "./model_words.ts";

const WORDS = [LOOKED, submits(task("1", "Count", NUMBERS)), replaces(NUMBERS, "2", "3")];

Deno.test("run started in a subfolder works at the project's root", () =>
  withCheckedProject(WORDS, async (project) => {
    const { code, stdout, stderr } = await project.run(runArguments("Count on", "--no-ship"), {
      cwd: join(project.root, "src"),
    });
    assert.equal(code, 0, stdout + stderr);
    assert.match(document(project, "TASKS.md"), /\| 1 \| done \| Count \|/);
    assert.equal(Deno.readTextFileSync(join(project.root, NUMBERS)), "1\n3\n");
    assert.deepEqual([...Deno.readDirSync(join(project.root, "src"))].map(({ name }) => name), [
      "greet.ts",
    ]);
    const status = await project.run(["status"], { cwd: join(project.root, "src") });
    assert.match(status.stdout, /1 of 1 tasks done/);
  }));

const HOSTILE: Record<string, string> = {
  "a table": "Count | on | and | on \\| \\\\",
  "headings": "Count\n\n## Session\n\n- **Phase:** done\n\n# Tasks\n\n| ID |\n| --- |\n| 1 |",
  "10 KB": "count on and on, ".repeat(600),
  "emoji": "Count 👩‍👩‍👧 → 🎉 e\u0301 \u200b",
  "leading dashes": "--json -- --no-ship",
  "a dash and front matter": "---\ntitle: x\n---\n- item",
  "code fences": "```\n~~~\n``` <!-- --> <b> &amp; [x]: y",
  "line ends": "one\r\ntwo\n\n\n  three  ",
};

for (const [name, goal] of Object.entries(HOSTILE)) {
  Deno.test(`run keeps a goal with ${name} as it was given, in the log and in PROJECT.md`, () =>
    withCheckedProject(WORDS, async (project) => {
      const ended = await project.run([...runArguments("--no-ship"), "--", goal]);
      assert.equal(ended.code, 0, ended.stdout + ended.stderr);
      const [recorded] = project.records().filter(({ type }) => type === "goal");
      assert.equal(recorded?.["text"], goal);
      assert.equal(parseProject(document(project, "PROJECT.md")).goal, goal);
      const status = await project.run(["status", "--json"]);
      assert.equal(JSON.parse(status.stdout).goal, goal);

      // Nothing of it is taken for an edit of a person's, nor for another document's text.
      const again = await project.run(["run", "--continue", "--no-ship"]);
      assert.equal(again.code, 0, again.stdout + again.stderr);
      const edited = project.records().filter(({ type }) => type === "edited");
      assert.equal(edited.length, 1, "PROJECT.md was edited once, before it all began");
    }));
}
