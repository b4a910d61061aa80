/** The last week beside the one before, in words. */
import assert from "node:assert/strict";
import { sampleEntry } from "./entries.ts";
import { EntryView, viewEntry } from "../../src/ledger/entry_view.ts";
import { sinceLastWeek } from "../../src/ledger/last_week.ts";
import { LedgerFold } from "../../src/ledger/ledger_fold.ts";
import { statsOf } from "../../src/ledger/stats.ts";

/** What is said of sessions that ended on these days, some of which failed. */
function said(...sessions: [day: string, isShipped: boolean][]): string | undefined {
  const fold = new LedgerFold();
  const view = new EntryView();
  sessions.forEach(([day, isShipped], n) => {
    const entry = sampleEntry({
      session: `20261129-231205-${n.toString(16).padStart(4, "0")}`,
      ended: `${day}T10:00:00.000Z`,
      outcome: isShipped ? "shipped" : "failed",
    });
    viewEntry(entry, fold.names, view);
    fold.add(view);
  });
  return sinceLastWeek(statsOf(fold).byWeek);
}

Deno.test("sinceLastWeek() compares attempts, ship rate and cost of the last two weeks", () => {
  assert.equal(
    said(["2026-11-16", true], ["2026-11-17", false], ["2026-11-23", true]),
    "2026-W48: 1 attempt, 1 fewer than the week before; 100 % shipped (before: 50 %); $0.25 (before: $0.50).",
  );
});

Deno.test("sinceLastWeek() says nothing of one week, and of a week before without attempts that it had none", () => {
  assert.equal(said(["2026-11-16", true]), undefined);
  assert.equal(
    said(["2026-11-02", true], ["2026-11-16", true]),
    "2026-W47: 1 attempt, after a week without any.",
  );
});
