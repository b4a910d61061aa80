import assert from "node:assert/strict";
import fc from "fast-check";
import { keepBlob } from "../../src/git/blob.ts";
import { listCheckpoints } from "../../src/git/checkpoint.ts";
import { listEpochs, logPath } from "../../src/session/layout.ts";
import type { SessionRecord } from "../../src/session/records.ts";
import { readWorkflow } from "../../src/workflow/read_workflow.ts";
import { UndoableWorkflow } from "../../src/workflow/undo.ts";
import type { UndoTarget } from "../../src/workflow/undo_preview.ts";
import { stoppedClock } from "../session/samples.ts";
import { recordsOf, says, TEST_SESSION } from "../support/conversations.ts";
import type { GitFolder } from "../support/git_folder.ts";
import { Killed } from "../support/kills.ts";
import { wrappedGit } from "../support/wrapped_git.ts";
import { document, edits, FINISH, run, submits, task, withProject } from "./runs.ts";

const UNDO: UndoTarget = { kind: "undo", steps: 1 };

/** Writes and deletes files in a task, and says that it is finished. */
function changes(files: Record<string, string | null>, isFinished = true) {
  return says("", [
    ...Object.keys(files).map((path) => ({ tool: "read_file", input: { path } })),
    ...Object.entries(files).map(([path, content]) =>
      content === null
        ? { tool: "delete_file", input: { path } }
        : { tool: "write_file", input: { path, content } }
    ),
    ...isFinished ? [FINISH] : [],
  ]);
}

const TWO_TASKS = [
  says("Looked."),
  submits(task("1"), task("2", "1")),
  edits("2", "3"),
  changes({ "numbers.txt": "1\n4\n", "made": "m\n" }),
];

/** Does something with the workflow of the test's session. */
async function withUndo<T>(
  folder: GitFolder,
  work: (workflow: UndoableWorkflow) => Promise<T>,
): Promise<T> {
  const { root, environment } = folder;
  const workflow = await UndoableWorkflow.open(
    { root, environment, clock: stoppedClock },
    TEST_SESSION,
  );
  try {
    return await work(workflow);
  } finally {
    workflow.close();
  }
}

async function undo(folder: GitFolder, target = UNDO, force = false): Promise<void> {
  await withUndo(folder, async (workflow) => {
    await workflow.carryOut(await workflow.preview(target), { force });
  });
}

/** Takes records off the end of the log, as if the process had been killed before them. */
async function forget(folder: GitFolder, isForgotten: (record: SessionRecord) => boolean) {
  const records = await recordsOf(folder.root);
  const kept = records.findIndex(isForgotten);
  const path = `${folder.root}/${
    logPath(TEST_SESSION, listEpochs(folder.root, TEST_SESSION)[0] ?? 0)
  }`;
  const lines = Deno.readTextFileSync(path).split("\n").slice(0, kept);
  Deno.writeTextFileSync(path, lines.map((line) => `${line}\n`).join(""));
}

function isUndo(record: SessionRecord): boolean {
  return record.type === "phase" && record.detail.startsWith("undo") ||
    record.type === "checkpoint" && record.kind !== "task";
}

async function statuses(folder: GitFolder): Promise<string[]> {
  const { tasks } = await readWorkflow(folder.root, TEST_SESSION);
  return tasks.map(({ status, checkpoint }) => `${status} ${checkpoint ?? ""}`.trim());
}

function has(folder: GitFolder, path: string): boolean {
  return folder.run("ls-files", "-co", path) !== "";
}

Deno.test("UndoableWorkflow takes a task back, records it, and writes the documents", () =>
  withProject(async (folder) => {
    await run(folder, { goal: "Go", answers: TWO_TASKS });
    await undo(folder);
    assert.deepEqual([folder.read("numbers.txt"), has(folder, "made")], ["1\n3\n", false]);
    assert.deepEqual(await statuses(folder), ["done 1", "pending"]);
    assert.match(document(folder, "STATE.md"), /execute \(failed\)[^]*undo: back to checkpoint 1/);
    const last = (await recordsOf(folder.root)).at(-1);
    assert(last?.type === "checkpoint");
    const { number, files, kind, to } = last;
    assert.deepEqual([number, kind, to, files.toSorted()], [3, "undo", 1, ["made", "numbers.txt"]]);
  }));

Deno.test("UndoableWorkflow takes back what a task had changed that was cut off", () =>
  withProject(async (folder) => {
    let edited = 0;
    const isSecondEdit = (record: SessionRecord) =>
      record.type === "tool_result" && record.tool === "write_file" && ++edited === 1;
    const running = run(folder, { goal: "Go", answers: TWO_TASKS, killAfter: isSecondEdit });
    await assert.rejects(running, Killed);
    assert.equal(folder.read("numbers.txt"), "1\n4\n");
    await withUndo(folder, async (workflow) => {
      const preview = await workflow.preview(UNDO);
      assert.deepEqual(preview.takenBack.map(({ subject }) => subject), [
        "task 2, cut off: Task 2",
      ]);
      await workflow.carryOut(preview);
    });
    assert.equal(folder.read("numbers.txt"), "1\n3\n");
    assert.deepEqual(await statuses(folder), ["done 1", "pending"]);
    const { checkpoints } = await readWorkflow(folder.root, TEST_SESSION);
    assert.deepEqual(checkpoints.map(({ number, kind, task }) => [number, kind, task]), [
      [1, "task", "1"],
      [2, "task", "2"],
      [3, "undo", null],
    ]);
    const { end } = await run(folder, {
      answers: [changes({ "numbers.txt": "1\n5\n" })],
      from: "execute",
    });
    assert.deepEqual(end, { outcome: "verified" });
    assert.deepEqual(await statuses(folder), ["done 1", "done 4"]);
  }));

Deno.test("UndoableWorkflow takes back a change whose result a kill prevented, not what someone made of the file since", () =>
  withProject(async (folder) => {
    const isIntent = (record: SessionRecord) =>
      record.type === "intent" && record.changes[0]?.path === "numbers.txt" && record.call > 4;
    await assert.rejects(
      run(folder, { goal: "Go", answers: TWO_TASKS, killAfter: isIntent }),
      Killed,
    );
    // The process ended behind the intent; git may have written the file or not.
    folder.write("numbers.txt", "1\n4\n");
    const [file] = await withUndo(folder, async (workflow) => (await workflow.preview(UNDO)).files);
    assert.deepEqual([file?.path, file?.verdict], ["numbers.txt", "restore"]);
    folder.write("numbers.txt", "1\n77\n");
    await withUndo(folder, async (workflow) => {
      const preview = await workflow.preview(UNDO);
      assert.equal(preview.files[0]?.verdict, "conflict");
      await assert.rejects(workflow.carryOut(preview), /numbers\.txt: it was changed after/);
    });
    assert.equal(folder.read("numbers.txt"), "1\n77\n");
  }));

Deno.test("an undo that was killed before its record is recorded by the next start, once", async (context) => {
  const kills: Record<string, (folder: GitFolder) => void> = {
    "after the files": () => {},
    "in the middle of the files": (folder) => folder.write("made", "m\n"),
    "while git wrote a file": (folder) => folder.write("numbers.txt", "1"),
  };
  for (const [name, kill] of Object.entries(kills)) {
    for (const next of ["undo", "run"]) {
      await context.step(`${name}, then ${next}`, () =>
        withProject(async (folder) => {
          await run(folder, { goal: "Go", answers: TWO_TASKS });
          await undo(folder);
          const expected = await readWorkflow(folder.root, TEST_SESSION);
          await forget(folder, isUndo);
          kill(folder);
          if (next === "undo") {
            await withUndo(folder, (workflow) => {
              assert.match(workflow.settled ?? "", /cut off.*back to checkpoint 1\.$/);
              return Promise.resolve();
            });
          }
          if (next === "run") {
            const { end, events } = await run(folder, { answers: [] });
            assert.equal(end.outcome, "failed");
            assert(events.some((event) => event.type === "notice" && /cut off/.test(event.text)));
          }
          assert.deepEqual([folder.read("numbers.txt"), has(folder, "made")], ["1\n3\n", false]);
          const state = await readWorkflow(folder.root, TEST_SESSION);
          assert.deepEqual({ ...state, at: "" }, { ...expected, at: "" });
          assert.match(document(folder, "TASKS.md"), /\| 2 +\| pending/);
          await withUndo(folder, (workflow) => {
            assert.equal(workflow.settled, undefined);
            return Promise.resolve();
          });
        }));
    }
  }
});

Deno.test("an undo of a first task that was cut off, killed before its record, is recorded by the next start", () =>
  withProject(async (folder) => {
    const isEdited = (record: SessionRecord) =>
      record.type === "tool_result" && record.tool === "edit_file";
    await assert.rejects(
      run(folder, { goal: "Go", answers: TWO_TASKS, killAfter: isEdited }),
      Killed,
    );
    await undo(folder);
    assert.equal(folder.read("numbers.txt"), "1\n2\n");
    await forget(folder, (record) => isUndo(record) || record.type === "checkpoint");
    assert.deepEqual((await readWorkflow(folder.root, TEST_SESSION)).checkpoints, []);
    await withUndo(folder, (workflow) => {
      assert.match(workflow.settled ?? "", /cut off.*back to before the first change\.$/);
      return Promise.resolve();
    });
    const { checkpoints, touched } = await readWorkflow(folder.root, TEST_SESSION);
    assert.deepEqual(checkpoints.map(({ number, kind }) => [number, kind]), [[1, "task"], [
      2,
      "undo",
    ]]);
    assert.deepEqual(touched, []);
    assert.equal(folder.read("numbers.txt"), "1\n2\n");
  }));

Deno.test("an undo that was killed before its first file never was", () =>
  withProject(async (folder) => {
    await run(folder, { goal: "Go", answers: TWO_TASKS });
    await undo(folder);
    await forget(folder, isUndo);
    folder.write("numbers.txt", "1\n4\n");
    folder.write("made", "m\n");
    await withUndo(folder, async (workflow) => {
      assert.equal(workflow.settled, undefined);
      assert.deepEqual((await workflow.preview(UNDO)).takenBack.map(({ number }) => number), [2]);
    });
    assert.deepEqual(
      (await listCheckpoints(folder.git, TEST_SESSION)).map(({ number }) => number),
      [1, 2],
    );
    assert.deepEqual(await statuses(folder), ["done 1", "done 2"]);
  }));

Deno.test("an undo that was killed before its record leaves what someone changed meanwhile, and says so", () =>
  withProject(async (folder) => {
    await run(folder, { goal: "Go", answers: TWO_TASKS });
    await undo(folder);
    await forget(folder, isUndo);
    folder.write("numbers.txt", "mine\n");
    await withUndo(folder, (workflow) => {
      assert.match(workflow.settled ?? "", /Left as they are now.*: numbers\.txt\.$/);
      return Promise.resolve();
    });
    assert.equal(folder.read("numbers.txt"), "mine\n");
    assert.deepEqual(await statuses(folder), ["done 1", "pending"]);
  }));

Deno.test("UndoableWorkflow does not touch a file that changes between the preview and the change", () =>
  withProject(async (folder) => {
    await run(folder, { goal: "Go", answers: TWO_TASKS });
    const before = folder.run("for-each-ref", "refs/m31a");
    await withUndo(folder, async (workflow) => {
      const preview = await workflow.preview(UNDO);
      folder.write("made", "mine\n");
      await assert.rejects(workflow.carryOut(preview), /made: has changed on disk/);
    });
    assert.deepEqual([folder.read("numbers.txt"), folder.read("made")], ["1\n4\n", "mine\n"]);
    assert.equal(folder.run("for-each-ref", "refs/m31a"), before);
    assert.deepEqual(await statuses(folder), ["done 1", "done 2"]);
  }));

Deno.test("UndoableWorkflow forgets an undo that git refuses, and one that it carried out in part is ended by the next start", () =>
  withProject(async (folder) => {
    await run(folder, { goal: "Go", answers: TWO_TASKS });
    const before = folder.run("for-each-ref", "refs/m31a");
    const { root } = folder;
    const refusing = (script: string) => {
      const environment = wrappedGit(
        folder,
        `case " $* " in
        *" apply "*" --check "*) ;;
        *" apply "*) ${script} exit 1;;
      esac`,
      );
      return UndoableWorkflow.open({ root, environment, clock: stoppedClock }, TEST_SESSION);
    };
    for (const script of ["", `rm -f '${root}/made';`]) {
      const workflow = await refusing(script);
      try {
        await assert.rejects(
          workflow.preview(UNDO).then((preview) => workflow.carryOut(preview)),
          /git refuses the change/,
        );
      } finally {
        workflow.close();
      }
      if (script === "") assert.equal(folder.run("for-each-ref", "refs/m31a"), before);
    }
    assert.deepEqual(await statuses(folder), ["done 1", "done 2"]);
    await withUndo(
      folder,
      (workflow) => Promise.resolve(assert.match(workflow.settled ?? "", /cut off/)),
    );
    assert.equal(folder.read("numbers.txt"), "1\n3\n");
    assert.deepEqual(await statuses(folder), ["done 1", "pending"]);
  }));

Deno.test("what a forced undo overwrote is kept under the undo's checkpoint, and does not stand in the way of the next", () =>
  withProject(async (folder) => {
    await run(folder, { goal: "Go", answers: TWO_TASKS });
    folder.write("numbers.txt", "1\n4\nmine\n");
    await undo(folder, UNDO, true);
    const kept = folder.run("rev-parse", `refs/m31a/${TEST_SESSION}/3^:numbers.txt`).trim();
    assert.equal(kept, await keepBlob(folder.git, new TextEncoder().encode("1\n4\nmine\n")));
    await undo(folder);
    assert.equal(folder.read("numbers.txt"), "1\n2\n");
    // What the user makes of a file that was taken back is none of the tasks' business.
    await undo(folder, { kind: "rollback", to: 2 });
    assert.equal(folder.read("numbers.txt"), "1\n4\nmine\n");
    assert.deepEqual(await statuses(folder), ["done 1", "done 2"]);
  }));

Deno.test("UndoableWorkflow leaves what the user makes of a file that is taken back already", () =>
  withProject(async (folder) => {
    await run(folder, { goal: "Go", answers: TWO_TASKS });
    await undo(folder);
    folder.write("made", "by me\n");
    await undo(folder);
    assert.deepEqual([folder.read("numbers.txt"), folder.read("made")], ["1\n2\n", "by me\n"]);
  }));

Deno.test("liveAfter() and the tree agree after any sequence of undos and rollbacks", () =>
  withProject(async (folder) => {
    await run(folder, { goal: "Go", answers: TWO_TASKS });
    const trees = [["1\n2\n", false], ["1\n3\n", false], ["1\n4\n", true]];
    const step = fc.oneof(
      fc.constant<UndoTarget>(UNDO),
      fc.nat(2).map((to): UndoTarget => ({ kind: "rollback", to })),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 4 }), async (steps) => {
        await undo(folder, { kind: "rollback", to: 2 });
        let at = 2;
        for (const target of steps) {
          if (target.kind === "undo" && at === 0) continue;
          await undo(folder, target);
          at = target.kind === "rollback" ? target.to : at - 1;
          assert.deepEqual([folder.read("numbers.txt"), has(folder, "made")], trees[at]);
          const done = (await statuses(folder)).filter((status) => status.startsWith("done"));
          assert.equal(done.length, at);
        }
      }),
      { numRuns: 3 },
    );
  }));
