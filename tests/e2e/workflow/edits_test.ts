/** People edit the planning documents while a workflow waits, and while it is not running. */
import assert from "node:assert/strict";
import { join } from "@std/path";
import type { EndedBytes, Project } from "../../support/project.ts";
import { assertSound } from "../soundness.ts";
import { NUMBERS, withCheckedProject } from "./checked_project.ts";
import { cells, document } from "./documents.ts";
import { HeldModel } from "./held_model.ts";
import { FINISH, LOOKED, replaces, submits, task } from "./model_words.ts";

const WORDS = [
  LOOKED,
  submits(
    task("1", "Count", NUMBERS),
    task("2", "Go on", NUMBERS, "1"),
    task("3", "Rest", NUMBERS),
  ),
  replaces(NUMBERS, "1", "10"),
  replaces(NUMBERS, "2", "20"),
  { calls: [FINISH] },
];

/** The number of the answer to the first task. */
const FIRST_TASK = 2;

const RUN = ["run", "Count on", "--no-ship"];

/** The parts of a test: its project, its model, and the run that is waiting for the first task's answer. */
interface Waiting {
  project: Project;
  model: HeldModel;
  run: Promise<EndedBytes>;
}

function whileItWaits(test: (waiting: Waiting) => Promise<void>): Promise<void> {
  return withCheckedProject([], async (project) => {
    await using model = new HeldModel(project, WORDS);
    model.hold(FIRST_TASK);
    const run = project.run(RUN, { under: notingItself(project) });
    await model.asked;
    await test({ project, model, run });
    await run;
  });
}

function whileItIsDead(test: (project: Project) => Promise<void>): Promise<void> {
  return whileItWaits(async ({ project, model, run }) => {
    Deno.kill(Number(Deno.readTextFileSync(join(project.outside, "pid"))), "SIGKILL");
    await run;
    model.release({ isDropped: true });
    await test(project);
  });
}

function notingItself({ outside }: Project): string[] {
  return ["sh", "-c", 'echo $$ > "$0"; exec "$@"', join(outside, "pid")];
}

/** Replaces a text in a document, as in an editor. */
function edit(project: Project, name: string, from: string, to: string): void {
  const text = document(project, name);
  assert.ok(text.includes(from), `${name} has no ${from}`);
  Deno.writeTextFileSync(join(project.root, "planning", name), text.replace(from, to));
}

function edits(project: Project): unknown[] {
  return project.records().filter(({ type }) => type === "edited").map((record) =>
    record["document"]
  );
}

function briefs(project: Project): string {
  return project.records().filter(({ source }) => source === "brief").map(({ text }) => text)
    .join("\n");
}

Deno.test("run takes over what a person edited while it was waiting for the model", () =>
  whileItWaits(async ({ project, model, run }) => {
    edit(project, "TASKS.md", "| Go on |", "| Go on to twenty |");
    edit(project, "PROJECT.md", "Count on", "Count on in tens");
    model.release();
    const { code, stdout, stderr } = await run;
    assert.equal(code, 0, stdout + stderr);
    assert.match(stdout, /planning\/PROJECT\.md was edited; taken over:\n.*in tens/);
    assert.match(stdout, /planning\/TASKS\.md was edited; taken over:\n.*Go on to twenty/);
    assert.deepEqual(edits(project), ["PROJECT.md", "PROJECT.md", "TASKS.md"]);
    assert.match(briefs(project), /Task 2 \(2 of 3\): Go on to twenty/);
    assert.deepEqual(cells(project).map(([id, status, title]) => [id, status, title]), [
      ["1", "done", "Count"],
      ["2", "done", "Go on to twenty"],
      ["3", "done", "Rest"],
    ]);
    assert.match(document(project, "PROJECT.md"), /Count on in tens/);
    assert.match(document(project, "plan.v2.md"), /Go on to twenty/);
    await assertSound(project);
  }));

Deno.test("run takes over what a person edited while it was dead, their own text kept", () =>
  whileItIsDead(async (project) => {
    edit(project, "TASKS.md", "| 3 | pending |", "| 3 | skipped |");
    edit(project, "STATE.md", "# State\n", "# State\n\nMind the cat.\n");
    edit(project, "plan.md", "### 2. Go on", "### 2. Go on, slowly");
    const { code, stdout, stderr } = await project.run(["run", "--continue", "--no-ship"]);
    // A task that is skipped is not done.
    assert.equal(code, 1, stdout + stderr);
    for (const name of ["plan.md", "TASKS.md", "STATE.md"]) {
      assert.ok(stdout.includes(`planning/${name} was edited; taken over`), stdout);
    }
    assert.deepEqual(cells(project).map(([id, status, title]) => [id, status, title]), [
      ["1", "done", "Count"],
      ["2", "done", "Go on, slowly"],
      ["3", "skipped", "Rest"],
    ]);
    assert.match(document(project, "STATE.md"), /^# State\n\nMind the cat\.\n/);
    assert.match(briefs(project), /Go on, slowly/);
    assert.equal(Deno.readTextFileSync(join(project.root, NUMBERS)), "10\n20\n");
    await assertSound(project);
  }));

Deno.test("run names the line of an edit that means nothing, ends with 3 and overwrites nothing", () =>
  whileItIsDead(async (project) => {
    edit(project, "TASKS.md", "| 2 | pending |", "| 2 | almost |");
    const line = document(project, "TASKS.md").split("\n").findIndex((text) =>
      text.includes("almost")
    ) + 1;
    const before = [planningBytes(project), project.sessionBytes()];
    const { code, stdout, stderr } = await project.run(["run", "--continue", "--no-ship"]);
    assert.equal(code, 3, stdout + stderr);
    assert.ok(stderr.includes(`planning/TASKS.md:${line}: `), stderr);
    assert.match(stderr, /almost/);
    assert.deepEqual(planningBytes(project), before[0]);
    assert.deepEqual(project.sessionBytes(), before[1]);

    edit(project, "TASKS.md", "almost", "pending");
    const mended = await project.run(["run", "--continue", "--no-ship"]);
    assert.equal(mended.code, 0, mended.stdout + mended.stderr);
    await assertSound(project);
  }));

Deno.test("run stops before the next task at an edit that means nothing, and goes on when it is mended", () =>
  whileItWaits(async ({ project, model, run }) => {
    edit(project, "TASKS.md", "| 2 | pending |", "| 2 | almost |");
    model.release();
    const { code, stderr } = await run;
    assert.equal(code, 3);
    assert.match(stderr, /planning\/TASKS\.md:\d+: .*almost/);
    assert.match(document(project, "TASKS.md"), /almost/);

    edit(project, "TASKS.md", "almost", "pending");
    const mended = await project.run(["run", "--continue", "--no-ship"]);
    assert.equal(mended.code, 0, mended.stdout + mended.stderr);
    assert.equal(model.server.requests.length, WORDS.length);
    await assertSound(project);
  }));

Deno.test("run is refused while another has a workflow under way in the project, and told which", () =>
  whileItWaits(async ({ project, model, run }) => {
    const session = project.sessionId;
    for (const args of [["run", "Another goal"], ["run", "--continue"]]) {
      const second = await project.run(args);
      assert.equal(second.code, 2, second.stdout + second.stderr);
      assert.ok(second.stderr.includes(session), second.stderr);
    }
    assert.deepEqual(project.sessionIds, [session]);
    const status = await project.run(["status"]);
    assert.match(status.stdout, new RegExp(`^Session +${session} \\(running\\)`));
    model.release();
    assert.equal((await run).code, 0);
  }));

/** The documents. */
function planningBytes(project: Project): Record<string, string> {
  const folder = join(project.root, "planning");
  const names = [...Deno.readDirSync(folder)].filter(({ isFile }) => isFile);
  return Object.fromEntries(names.map(({ name }) => [name, document(project, name)]));
}
