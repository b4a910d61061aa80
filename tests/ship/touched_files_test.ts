import assert from "node:assert/strict";
import type { RecordDraft } from "../../src/session/records.ts";
import { TouchedFiles } from "../../src/ship/touched_files.ts";
import { recordsFrom } from "../workflow/records.ts";

function edit(path: string): RecordDraft {
  const changes = [{ path, before: null, after: { mode: "100644", blob: "b".repeat(40) } }];
  return { type: "intent", call: 1, done: "", changes };
}

function checkpoint(number: number, files: string[], to?: number): RecordDraft {
  const kind = to === undefined ? "task" : "undo";
  const about = { number, commit: "c".repeat(40), task: null, files, unkept: [] };
  const common = { type: "checkpoint", ...about } as const;
  return to === undefined ? { ...common, kind } : { ...common, kind, to };
}

/** The paths that are touched after `drafts`; `commit` and `take back` stand for a ship's. */
function touchedAfter(...drafts: (RecordDraft | "commit" | "take back")[]): string[] {
  const touched = new TouchedFiles();
  const records = recordsFrom(drafts.filter((draft) => typeof draft !== "string"));
  for (const draft of drafts) {
    if (draft === "commit") touched.commit();
    if (draft === "take back") touched.takeBackCommit();
    const record = typeof draft === "string" ? undefined : records.shift();
    if (record !== undefined) touched.apply(record);
  }
  return touched.files.map(({ path }) => path);
}

const TWO_TASKS = [
  edit("a"),
  checkpoint(1, ["a"]),
  edit("a"),
  edit("b"),
  checkpoint(2, ["a", "b"]),
];

Deno.test("TouchedFiles forgets a file whose touches were all taken back", () => {
  assert.deepEqual(touchedAfter(...TWO_TASKS), ["a", "b"]);
  assert.deepEqual(touchedAfter(...TWO_TASKS, checkpoint(3, ["a", "b"], 1)), ["a"]);
  assert.deepEqual(touchedAfter(...TWO_TASKS, checkpoint(3, ["a", "b"], 0)), []);
});

Deno.test("TouchedFiles knows a file again that was brought back", () => {
  const undone = [...TWO_TASKS, checkpoint(3, ["a", "b"], 0)];
  assert.deepEqual(touchedAfter(...undone, checkpoint(4, ["a", "b"], 2)), ["a", "b"]);
});

Deno.test("TouchedFiles keeps a file that was taken back behind the last commit", () => {
  const committed = [...TWO_TASKS, "commit"] as const;
  assert.deepEqual(touchedAfter(...committed, checkpoint(3, ["b"], 1)), ["b"]);
  const more = [edit("b"), checkpoint(3, ["b"])];
  assert.deepEqual(touchedAfter(...committed, ...more, checkpoint(4, ["b"], 1)), ["b"]);
  assert.deepEqual(touchedAfter(...committed, "take back", checkpoint(3, ["b"], 1)), ["a"]);
});

Deno.test("TouchedFiles keeps what was there before the first touch, and what the last one left", () => {
  const touched = new TouchedFiles();
  const [none, first, second] = [null, { mode: "100644", blob: "1".repeat(40) }, {
    mode: "100644",
    blob: "2".repeat(40),
  }];
  const change = (before: typeof first | null, after: typeof first | null): RecordDraft => (
    { type: "intent", call: 1, done: "", changes: [{ path: "a", before, after }] }
  );
  for (const record of recordsFrom([change(none, first), change(first, second)])) {
    touched.apply(record);
  }
  const [file] = touched.files;
  assert.deepEqual([file?.before, file?.after], [{ kept: none }, { kept: second }]);
});

Deno.test("TouchedFiles touches both names of a file that was renamed", () => {
  const kept = { mode: "100644", blob: "1".repeat(40) };
  const changes = [{ path: "new", renamedFrom: "old", before: kept, after: kept }];
  assert.deepEqual(touchedAfter({ type: "intent", call: 1, done: "", changes }), ["old", "new"]);
});
