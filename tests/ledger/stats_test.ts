/** Statistics agree with a hand count, whatever the order and however the entries come. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { encodeEntry, entryKey, type LedgerEntry } from "../../src/ledger/entry.ts";
import { dayOf, EntryView, viewEntry } from "../../src/ledger/entry_view.ts";
import { type EntryFilter, LedgerFold } from "../../src/ledger/ledger_fold.ts";
import type { ByteSource } from "../../src/platform/byte_lines.ts";
import { type GroupSums, type LedgerStats, statsOf, weekName } from "../../src/ledger/stats.ts";
import { foldLines } from "../../src/ledger/stats_scan.ts";
import { arbitraryEntry, sampleEntry } from "./entries.ts";

function foldOf(entries: readonly LedgerEntry[], filter: EntryFilter = {}): LedgerFold {
  const fold = new LedgerFold(filter);
  const view = new EntryView();
  for (const entry of entries) {
    viewEntry(entry, fold.names, view);
    fold.add(view);
  }
  return fold;
}

/** A source that gives a few bytes at a time. */
function trickle(text: string, bytesAtOnce: number): ByteSource {
  const bytes = new TextEncoder().encode(text);
  let at = 0;
  return {
    readSync(into) {
      if (at === bytes.length) return null;
      const piece = bytes.subarray(at, at + Math.min(bytesAtOnce, into.length));
      into.set(piece);
      at += piece.length;
      return piece.length;
    },
  };
}

// The hand count: as plain as can be, with nothing of the implementation's but the key.

function distinct(entries: readonly LedgerEntry[]): LedgerEntry[] {
  return [...new Map(entries.toReversed().map((entry) => [entryKey(entry), entry])).values()];
}

interface HandCount {
  attempts: number;
  sessions: number;
  shipped: number;
  tokens: number;
  requests: number;
  cost: number;
  workingMs: number;
}

function handCount(entries: readonly LedgerEntry[], groupsOf: (entry: LedgerEntry) => string[]) {
  const counts: Record<string, HandCount> = Object.create(null);
  for (const entry of entries) {
    for (const group of groupsOf(entry)) {
      const count = counts[group] ??= {
        attempts: 0,
        sessions: 0,
        shipped: 0,
        tokens: 0,
        requests: 0,
        cost: 0,
        workingMs: 0,
      };
      count.attempts++;
      if (entry.attempt === 1) count.sessions++;
      if (entry.outcome === "shipped") count.shipped++;
      count.tokens += entry.usage.input + entry.usage.output;
      count.requests += entry.usage.requests;
      count.cost += entry.usage.cost;
      count.workingMs += entry.workingMs;
    }
  }
  return counts;
}

function agree(groups: readonly GroupSums[], counts: Record<string, HandCount>): void {
  const found = groups.filter(({ attempts }) => attempts > 0);
  assert.deepEqual(found.map(({ name }) => name).sort(), Object.keys(counts).sort());
  for (const group of found) {
    const count = counts[group.name];
    assert.ok(count !== undefined);
    const { cost, ...whole } = count;
    for (const [name, value] of Object.entries(whole)) {
      assert.equal(group[name as keyof typeof whole], value, `${group.name}: ${name}`);
    }
    assert.ok(Math.abs(group.cost - cost) < 1e-6 * Math.max(1, cost));
  }
}

const withoutForks = arbitraryEntry.map((entry) => ({ ...entry, inherited: [] }));

Deno.test("statsOf() agrees with a hand count in every grouping", () => {
  fc.assert(fc.property(fc.array(withoutForks, { maxLength: 60 }), (entries) => {
    const stats = statsOf(foldOf(entries));
    const counted = distinct(entries);
    agree([stats.all], handCount(counted, () => ["all"]));
    agree(stats.byModel, handCount(counted, (entry) => [entry.model]));
    agree(stats.byProject, handCount(counted, (entry) => [entry.project.name]));
    agree(
      stats.byExtension,
      handCount(counted, (entry) => Object.keys(entry.extensions).map((name) => name || "(none)")),
    );
    agree(stats.byWeek, handCount(counted, (entry) => [weekName(weekNumber(entry.ended))]));
    for (const phase of stats.byPhase) {
      const parts = counted.flatMap(({ phases }) =>
        Object.entries(phases).filter(([name]) => name === phase.name).map(([, part]) => part)
      );
      assert.equal(phase.attempts, parts.length);
      assert.equal(phase.tokens, parts.reduce((sum, part) => sum + part.tokens, 0));
      assert.equal(phase.ms, parts.reduce((sum, part) => sum + part.ms, 0));
    }
    for (const cause of stats.byCause) {
      const failures = counted.flatMap((entry) => entry.failures)
        .filter((failure) => failure.cause === cause.name);
      assert.equal(cause.failures, failures.length);
      assert.equal(cause.healed, failures.filter((failure) => failure.healed).length);
    }
  }));
});

function weekNumber(instant: string): number {
  return Math.floor((Date.parse(instant) / 86_400_000 + 3) / 7);
}

Deno.test("statsOf() is the same from bytes in pieces of any size as from entries", async () => {
  const pieces = fc.integer({ min: 1, max: 5_000 });
  await fc.assert(
    fc.asyncProperty(fc.array(arbitraryEntry, { maxLength: 15 }), pieces, async (entries, size) => {
      const fold = new LedgerFold();
      const text = entries.map((entry) => `${encodeEntry(entry)}\n`).join("");
      const end = await foldLines(trickle(text, size), "test", fold);
      assert.equal(end.lines, entries.length);
      assert.equal(end.bytes, new TextEncoder().encode(text).length);
      assert.deepEqual(rounded(statsOf(fold)), rounded(statsOf(foldOf(entries))));
    }),
  );
});

/** Sums of costs differ in their last digits by the order of adding. */
function rounded(stats: LedgerStats): unknown {
  return JSON.parse(
    JSON.stringify(
      stats,
      (key, value) =>
        key === "cost" && typeof value === "number" ? Number(value.toPrecision(9)) : value,
    ),
  );
}

Deno.test("statsOf() does not depend on the order of entries, doubled ones included", () => {
  fc.assert(fc.property(fc.array(arbitraryEntry, { maxLength: 30 }), (entries) => {
    const once = distinct(entries);
    const turned = [...once, ...once].reverse();
    assert.deepEqual(rounded(statsOf(foldOf(once))), rounded(statsOf(foldOf(turned))));
  }));
});

Deno.test("statsOf() applies since, until, model and outcome, days included", () => {
  fc.assert(fc.property(fc.array(withoutForks, { maxLength: 40 }), (entries) => {
    const filter = {
      sinceDay: dayOf("2025-06-01"),
      untilDay: dayOf("2026-06-30"),
      model: "anthropic:sonnet",
      outcome: "failed" as const,
    };
    const counted = distinct(entries).filter((entry) =>
      entry.ended.slice(0, 10) >= "2025-06-01" && entry.ended.slice(0, 10) <= "2026-06-30" &&
      entry.model === "anthropic:sonnet" && entry.outcome === "failed"
    );
    assert.equal(statsOf(foldOf(entries, filter)).all.attempts, counted.length);
  }));
});

Deno.test("statsOf() counts what two forks inherited once, and not at all when the parent is there", () => {
  const usage = { requests: 3, input: 300, output: 30, cacheRead: 100, cacheWrite: 0, cost: 0.5 };
  const parent = sampleEntry({ session: "20261101-000000-0001" });
  const less = { ...usage, session: parent.session, requests: 2, input: 200, output: 20 };
  const more = { ...usage, session: parent.session };
  const forks = [
    sampleEntry({ session: "20261102-000000-0002", inherited: [less] }),
    sampleEntry({ session: "20261103-000000-0003", inherited: [more] }),
  ];
  const own = sampleEntry().usage.requests;
  for (const order of [forks, forks.toReversed()]) {
    assert.equal(statsOf(foldOf(order)).all.requests, 2 * own + 3);
    assert.equal(statsOf(foldOf([...order, parent])).all.requests, 3 * own);
    assert.equal(statsOf(foldOf(order)).byModel[0]?.requests, 2 * own + 3);
  }
});

const RESUMED_TWICE = [
  sampleEntry({ outcome: "failed" }),
  sampleEntry({ attempt: 2, outcome: "abandoned", model: "openai:gpt-5" }),
  sampleEntry({ attempt: 3, ended: "2026-12-07T12:00:00.000Z" }),
];

Deno.test("statsOf() counts a session that was resumed twice as one session and three attempts", () => {
  const { all, byModel, byWeek } = statsOf(foldOf(RESUMED_TWICE));
  assert.deepEqual([all.attempts, all.sessions, all.shipped, all.shipRate], [3, 1, 1, 1 / 3]);
  const counts = (groups: readonly GroupSums[]) =>
    groups.map(({ name, attempts, sessions }) => [name, attempts, sessions]);
  // A session is in the group of its first attempt, so that the groups' sessions add up to all.
  assert.deepEqual(counts(byModel), [["anthropic:sonnet", 2, 1], ["openai:gpt-5", 1, 0]]);
  assert.deepEqual(counts(byWeek), [["2026-W48", 2, 1], ["2026-W49", 0, 0], ["2026-W50", 1, 0]]);
});

Deno.test("statsOf() with a filter does not say how many sessions: their first attempts may be left out", () => {
  const { all, byModel } = statsOf(foldOf(RESUMED_TWICE, { outcome: "shipped" }));
  assert.deepEqual([all.attempts, all.sessions, byModel[0]?.sessions], [1, null, null]);
});

Deno.test("statsOf() of nothing has no rates and no groups", () => {
  const stats = statsOf(new LedgerFold());
  assert.equal(stats.all.attempts, 0);
  assert.equal(stats.all.shipRate, null);
  assert.deepEqual([stats.byModel, stats.byWeek, stats.byCause, stats.byPhase], [[], [], [], []]);
});

Deno.test("statsOf() tells kinds of work by the extension with most changed files", () => {
  const stats = statsOf(foldOf([sampleEntry()]));
  assert.deepEqual(stats.byWork.map(({ model, extension }) => [model, extension]), [
    ["anthropic:sonnet", ".ts"],
  ]);
});

Deno.test("statsOf() lists a week without attempts between two with some", () => {
  const entries = ["2025-12-22", "2026-01-05"].map((day, n) =>
    sampleEntry({ attempt: n + 1, ended: `${day}T12:00:00.000Z` })
  );
  const weeks = statsOf(foldOf(entries)).byWeek;
  assert.deepEqual(weeks.map((week) => [week.name, week.attempts]), [
    ["2025-W52", 1],
    ["2026-W01", 0],
    ["2026-W02", 1],
  ]);
});

Deno.test("weekName() follows ISO 8601 around the turn of the year", () => {
  const name = (date: string) => weekName(weekNumber(`${date}T00:00:00Z`));
  assert.equal(name("2026-12-31"), "2026-W53");
  assert.equal(name("2027-01-03"), "2026-W53");
  assert.equal(name("2027-01-04"), "2027-W01");
  assert.equal(name("2024-12-30"), "2025-W01");
});

Deno.test("LedgerFold goes on from its data as if it had never stopped", () => {
  fc.assert(fc.property(fc.array(arbitraryEntry, { maxLength: 20 }), (entries) => {
    const half = Math.floor(entries.length / 2);
    const first = foldOf(entries.slice(0, half));
    const data = JSON.parse(JSON.stringify(first.toData()));
    const resumed = new LedgerFold({}, data, first.keys);
    const view = new EntryView();
    for (const entry of entries.slice(half)) {
      viewEntry(entry, resumed.names, view);
      resumed.add(view);
    }
    assert.deepEqual(statsOf(resumed), statsOf(foldOf(entries)));
  }));
});

Deno.test("a filter's days are both included", () => {
  const entries = [1, 2, 3].map((day) =>
    sampleEntry({ attempt: day, ended: `2026-11-0${day}T12:00:00.000Z` })
  );
  const day = dayOf("2026-11-02T00:00:00.000Z");
  const attempts = (filter: EntryFilter) => statsOf(foldOf(entries, filter)).all.attempts;
  assert.equal(attempts({ sinceDay: day, untilDay: day }), 1);
  assert.equal(attempts({ sinceDay: day }), 2);
  assert.equal(attempts({ untilDay: day }), 2);
});

Deno.test("a cause that an attempt met twice counts as two failures of one attempt", () => {
  const failure = { cause: "timeout", heals: 1, healed: true, task: "1", detail: "" } as const;
  const { byCause } = statsOf(foldOf([sampleEntry({ failures: [failure, failure] })]));
  const timeout = byCause.find(({ name }) => name === "timeout");
  assert.deepEqual([timeout?.failures, timeout?.attempts], [2, 1]);
});
