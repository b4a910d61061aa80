/** What commands and checks change: kept, followed, taken back; what is not kept is named and stays. */
import assert from "node:assert/strict";
import { UndoableWorkflow } from "../../src/workflow/undo.ts";
import { stoppedClock } from "../session/samples.ts";
import { recordsOf, says, TEST_SESSION } from "../support/conversations.ts";
import type { GitFolder } from "../support/git_folder.ts";
import { FINISH, run, submits, task, withProject } from "./runs.ts";

/** A goal of one task, whose only work is a command. */
const commandTask = (command: string) => [
  says("Looked."),
  submits(task("1")),
  says("", [{ tool: "run_command", input: { command } }, FINISH]),
];

/** Takes the task back; gives what became of each file. */
async function undo(folder: GitFolder): Promise<Record<string, string>> {
  const { root, environment } = folder;
  const world = { root, environment, clock: stoppedClock };
  const workflow = await UndoableWorkflow.open(world, TEST_SESSION);
  try {
    const preview = await workflow.preview({ kind: "undo", steps: 1 });
    await workflow.carryOut(preview);
    return Object.fromEntries(preview.files.map(({ path, verdict }) => [path, verdict]));
  } finally {
    workflow.close();
  }
}

Deno.test("a task's command is taken back byte for byte where it was kept, and named where it was not", async () => {
  await withProject(async (folder) => {
    folder.write("tracked", "tracked\n");
    folder.commitAll();
    folder.write("mine.txt", "mine\n");
    folder.write("mine.csv", "y".repeat(2_000_000));
    folder.write("numbers.txt", "1\n2\n3\n");
    const work = "echo 9 > numbers.txt; echo > mine.txt; echo > mine.csv; mkdir target; " +
      "echo 1 > target/impl.js; head -c 1500000 /dev/zero > large; rm tracked; ln -s large tracked";
    const { end } = await run(folder, { goal: "g", answers: commandTask(work) });
    assert.equal(end.outcome, "verified");
    assert.deepEqual(await undo(folder), {
      large: "unkept",
      "mine.csv": "unkept",
      "mine.txt": "restore",
      "numbers.txt": "restore",
      "target/impl.js": "restore",
      tracked: "restore",
    });
    assert.equal(folder.read("numbers.txt"), "1\n2\n3\n");
    assert.equal(folder.read("mine.txt"), "mine\n");
    assert.equal(folder.read("tracked"), "tracked\n");
    assert.equal(folder.read("mine.csv"), "\n", "it stays as it is");
    assert.throws(() => folder.read("target/impl.js"));
  });
});

Deno.test("a check's changes: a committed file belongs to the task, the user's work is put back", async () => {
  await withProject(async (folder) => {
    folder.write("lock", "1\n");
    folder.commitAll();
    folder.write("mine.py", "import os\n");
    const check = "echo 2 > lock; echo > mine.py; echo > report.xml";
    const { end } = await run(folder, {
      goal: "g",
      answers: commandTask("echo 3 > numbers.txt"),
      checks: { lint: check },
    });
    assert.equal(end.outcome, "verified");
    assert.equal(folder.read("mine.py"), "import os\n");
    const [first] = (await recordsOf(folder.root)).flatMap((record) =>
      record.type === "check" ? [record] : []
    );
    assert.deepEqual(first?.restored, ["mine.py"]);
    assert("unknown" in (first?.tree ?? {}));
    const checkpoint = (await recordsOf(folder.root)).find(({ type }) => type === "checkpoint");
    assert.deepEqual(checkpoint?.type === "checkpoint" && checkpoint.files.toSorted(), [
      "lock",
      "numbers.txt",
    ]);
  });
});
