/** Reverts and renames, followed from the newest commit to the oldest. */
import assert from "node:assert/strict";
import {
  CommitWorks,
  keptCommit,
  MAX_COMMIT_FILES,
  MAX_SUBJECT,
  noteOf,
  type PastCommit,
} from "../../../src/ledger/past/commits.ts";

function commit(changes: Partial<PastCommit>): PastCommit {
  return { id: "a".repeat(40), seconds: 0, subject: "s", files: [], renames: [], ...changes };
}

/** Subjects, newest first, with whether each was reverted. */
function reverted(...newestFirst: string[]): Record<string, boolean> {
  const works = new CommitWorks();
  for (const subject of newestFirst) works.add(commit({ subject }));
  const notes = works.oldestFirst().map(({ payload }) => noteOf(payload));
  return Object.fromEntries(notes.map(({ subject, isReverted }) => [subject, isReverted]));
}

Deno.test("CommitWorks tells a commit that a later one takes back, also with a request's number", () => {
  assert.deepEqual(reverted('Revert "Add x (#1)" (#2)', "Other", "Add x (#1)"), {
    'Revert "Add x (#1)" (#2)': false,
    Other: false,
    "Add x (#1)": true,
  });
});

Deno.test("CommitWorks takes a commit for good whose revert was taken back, in both of git's words", () => {
  for (const again of ['Revert "Revert "Add x""', 'Reapply "Add x"']) {
    const told = reverted(again, 'Revert "Add x"', "Add x");
    assert.deepEqual([told["Add x"], told['Revert "Add x"']], [false, true]);
  }
});

Deno.test("CommitWorks takes no commit for reverted by an older one", () => {
  assert.equal(reverted("Add x", 'Revert "Add x"')["Add x"], false);
});

Deno.test("CommitWorks names files as they are called now, through two renames", () => {
  const works = new CommitWorks();
  works.add(commit({ files: ["c.ts"], renames: [{ from: "b.ts", to: "c.ts" }] }));
  works.add(commit({ files: ["b.ts"], renames: [{ from: "a.ts", to: "b.ts" }] }));
  works.add(commit({ files: ["a.ts", "d.ts"] }));
  assert.deepEqual(works.oldestFirst().map(({ files }) => files), [
    ["c.ts", "d.ts"],
    ["c.ts"],
    ["c.ts"],
  ]);
});

Deno.test("keptCommit() keeps no files of a sweep over MAX_COMMIT_FILES, and MAX_SUBJECT of a subject", () => {
  const files = Array.from({ length: MAX_COMMIT_FILES + 1 }, (_, n) => `${n}`);
  assert.deepEqual(keptCommit(commit({ files })).files, []);
  assert.equal(keptCommit(commit({ files: files.slice(1) })).files.length, MAX_COMMIT_FILES);
  const kept = keptCommit(commit({ subject: `${"x".repeat(MAX_SUBJECT - 1)}\u{1f600}` })).subject;
  assert.equal(kept.length, MAX_SUBJECT);
  assert.ok(kept.isWellFormed());
});
