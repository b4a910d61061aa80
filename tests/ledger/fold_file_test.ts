/** A ledger folded on two cores is what it is on one. */
import assert from "node:assert/strict";
import { join } from "@std/path";
import fc from "fast-check";
import { encodeEntry, type LedgerEntry } from "../../src/ledger/entry.ts";
import { EntryView, viewEntry } from "../../src/ledger/entry_view.ts";
import { foldFile } from "../../src/ledger/fold_file.ts";
import { mergeFolds } from "../../src/ledger/fold_merge.ts";
import { type EntryFilter, LedgerFold } from "../../src/ledger/ledger_fold.ts";
import { statsOf } from "../../src/ledger/stats.ts";
import { madeUpEntry } from "../../scripts/bench/ledger/made_up_ledger.ts";
import { withTemporaryFolder } from "../support/temporary.ts";
import { arbitraryEntry } from "./entries.ts";

function foldOf(entries: readonly LedgerEntry[]): LedgerFold {
  const fold = new LedgerFold();
  const view = new EntryView();
  for (const entry of entries) {
    viewEntry(entry, fold.names, view);
    fold.add(view);
  }
  return fold;
}

/** Sums of costs differ in their last digits by the order of adding. */
function rounded(fold: LedgerFold): unknown {
  return JSON.parse(
    JSON.stringify(
      statsOf(fold),
      (key, value) =>
        key === "cost" && typeof value === "number" ? Number(value.toPrecision(9)) : value,
    ),
  );
}

async function foldText(text: string, parallelFromBytes: number, filter: EntryFilter = {}) {
  return await withTemporaryFolder(async (root) => {
    const path = join(root, "ledger.jsonl");
    Deno.writeTextFileSync(path, text);
    const file = Deno.openSync(path);
    try {
      const fold = new LedgerFold(filter);
      const end = await foldFile(file, path, "ledger", fold, undefined, parallelFromBytes);
      return { fold, end };
    } finally {
      file.close();
    }
  });
}

const LINES = Array.from(
  { length: 200 },
  (_, index) => `${encodeEntry(madeUpEntry(index, 200))}\n`,
);

Deno.test("mergeFolds() of two halves is the fold of all, and refuses a key that is in both", () => {
  fc.assert(fc.property(fc.array(arbitraryEntry, { maxLength: 30 }), fc.nat(), (entries, at) => {
    const cut = at % (entries.length + 1);
    const fold = foldOf(entries.slice(0, cut));
    const before = rounded(fold);
    const other = foldOf(entries.slice(cut));
    const sizes = fold.keys.size + other.keys.size;
    const all = foldOf(entries);
    const isMerged = mergeFolds(fold, other);
    assert.equal(isMerged, all.keys.size === sizes);
    assert.deepEqual(rounded(fold), isMerged ? rounded(all) : before);
  }));
});

Deno.test("foldFile() on two cores says what it says on one", async () => {
  const text = LINES.join("");
  for (const filter of [{}, { outcome: "failed" as const }]) {
    const one = await foldText(text, Infinity, filter);
    const two = await foldText(text, 0, filter);
    assert.deepEqual(two.end, one.end);
    assert.deepEqual(rounded(two.fold), rounded(one.fold));
  }
});

Deno.test("foldFile() on two cores counts a key that is in both halves once", async () => {
  const { fold, end } = await foldText([...LINES, ...LINES].join(""), 0);
  assert.equal(end.lines, 400);
  assert.equal(statsOf(fold).all.attempts, 200);
});

Deno.test("foldFile() on two cores names damage by its line in the whole file", async () => {
  const damaged = [...LINES.slice(0, 180), "=======\n", ...LINES.slice(180)].join("");
  await assert.rejects(foldText(damaged, 0), /^LedgerDamaged: ledger:181: a conflict marker/);
  const { end } = await foldText(LINES.join("").slice(0, -5), 0);
  assert.deepEqual([end.isTorn, end.lines], [true, 199]);
});
