import assert from "node:assert/strict";
import { eventSchema } from "../../../scripts/docs/event_schema.ts";
import { type GitFolder, withGitFolder, withPlainFolder } from "../../support/git_folder.ts";
import { runM31a } from "../../support/source.ts";

const read = { tool: "read_file", input: { path: "numbers.txt" } };
const finish = { tool: "finish_task", input: { summary: "Done." } };

function edits(from: string, to: string): string {
  const edit = { tool: "edit_file", input: { path: "numbers.txt", old_text: from, new_text: to } };
  return JSON.stringify({ calls: [read, edit, finish] });
}

function submits(...tasks: string[]): string {
  const input = {
    summary: "Mend the numbers.",
    tasks: tasks.map((id, index) => ({
      id,
      title: `Number ${id}`,
      depends_on: tasks.slice(0, index),
    })),
  };
  return JSON.stringify({ calls: [{ tool: "submit_plan", input }] });
}

/** A project whose check wants numbers, and a model that plays `lines`. */
function prepare(folder: GitFolder, lines: readonly string[]): void {
  folder.write("numbers.txt", "1\n2\n");
  folder.write(
    "Makefile",
    "test:\n\t@if grep -n '[^0-9]' numbers.txt; then echo '1 failed'; exit 1; fi\n",
  );
  folder.write("model.jsonl", lines.join("\n") + "\n");
  folder.write(".gitignore", "planning/\nsessions/\nmodel.jsonl\n");
  folder.commitAll();
}

const MODEL = ["--no-ship", "--model", "script:model.jsonl"];

Deno.test("m31a run heals a wrong fix and ends with 0 when the checks pass; status tells it", () =>
  withGitFolder(async (folder) => {
    prepare(folder, ["Looked.", submits("1"), edits("2", "three"), edits("three", "3")]);
    const { code, stdout } = await runM31a(["run", "Make it 1, 3", ...MODEL], { cwd: folder.root });
    assert.equal(code, 0, stdout);
    assert.match(stdout, /check test failed \(exit code 2\): make .*\n {2}2:three\n {2}1 failed/);
    assert.match(stdout, /task 1 running, heal 1 \(test_failure\)/);
    assert.match(stdout, /Verified: all checks pass\.\n$/);
    assert.equal(folder.read("numbers.txt"), "1\n3\n");
    const status = await runM31a(["status"], { cwd: folder.root });
    assert.equal(status.code, 0);
    assert.match(
      status.stdout,
      /Phase +verify done[^]*1 of 1 tasks done[^]*done +1\. Number 1, 1 heal/,
    );
  }));

Deno.test("m31a run ends with 1 when a task cannot be healed, says why, and can go on", () =>
  withGitFolder(async (folder) => {
    const wrong = [edits("2", "x"), edits("x", "y"), edits("y", "z")];
    prepare(folder, ["Looked.", submits("1", "2"), ...wrong, edits("z", "9"), edits("9", "8")]);
    const { code, stdout, stderr } = await runM31a(["run", "Break it", ...MODEL], {
      cwd: folder.root,
    });
    assert.equal(code, 1);
    assert.match(stdout, /task 1 failed \(test_failure\)/);
    assert.match(stdout, /task 2 skipped: task 1, which it depends on, failed/);
    assert.match(stderr, /To go on: m31a run --resume \S+ --from execute\n$/);
    const again = await runM31a(["run", "--continue", "--no-ship", "--from", "execute"], {
      cwd: folder.root,
    });
    assert.equal(again.code, 0, again.stdout + again.stderr);
    assert.equal(folder.read("numbers.txt"), "1\n8\n");
  }));

Deno.test("m31a run --json prints every event as a line of JSON and the end as the last", () =>
  withGitFolder(async (folder) => {
    prepare(folder, ["Looked.", submits("1"), edits("2", "3")]);
    const { code, stdout } = await runM31a(["run", "Go", "--json", ...MODEL], { cwd: folder.root });
    assert.equal(code, 0);
    const events = stdout.trimEnd().split("\n").map((line) => JSON.parse(line));
    for (const event of events) eventSchema.parse(event);
    const types = new Set(events.map(({ type }) => type));
    for (const type of ["session", "phase", "plan", "task", "check", "checkpoint", "usage"]) {
      assert(types.has(type), type);
    }
    const { session, ...end } = events.at(-1);
    assert.match(session, /^\d{8}-\d{6}-/);
    assert.deepEqual(end, { type: "workflow_ended", outcome: "verified" });
  }));

Deno.test("m31a run refuses commands when nobody can be asked, and goes on", () =>
  withGitFolder(async (folder) => {
    const command = JSON.stringify({
      calls: [{ tool: "run_command", input: { command: "touch made" } }, finish],
    });
    prepare(folder, ["Looked.", submits("1"), command]);
    const { code, stderr } = await runM31a(["run", "Go", ...MODEL], { cwd: folder.root });
    assert.equal(code, 0);
    assert.match(
      stderr,
      /failed: Not allowed, because nobody was asked\. The command was not run\. The reason: nobody can be asked here; \[tools\] allow/,
    );
    assert.throws(() => folder.read("made"));
  }));

Deno.test("m31a run says what is missing before a session is begun", async () => {
  await withPlainFolder(async (folder) => {
    folder.write("model.jsonl", "Hello.\n");
    const { code, stderr } = await runM31a(["run", "Go", ...MODEL], { cwd: folder.root });
    assert.equal(code, 2);
    assert.match(stderr, /is not a git repository.*git init/);
    assert.throws(() => Deno.statSync(`${folder.root}/sessions`));
    const without = await runM31a(["run"], { cwd: folder.root });
    assert.equal(without.code, 2);
    assert.match(without.stderr, /say what is to be done/);
  });
});
