/** The digest: recurring causes first, sessions that bear on the goal, within the budget. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { digest, estimateTokens } from "../../src/ledger/digest.ts";
import type { LedgerEntry } from "../../src/ledger/entry.ts";
import { blockOf } from "../../src/ledger/memory_block.ts";
import { arbitraryEntry, sampleEntry } from "./entries.ts";

const NOTHING = { goal: "Fix the cart", blocks: [], entries: [], budgetTokens: 1_000 };

function session(n: number): string {
  return `20261129-231205-${n.toString(16).padStart(4, "0")}`;
}

function failing(n: number, cause: LedgerEntry["failures"][number]["cause"]): LedgerEntry {
  return sampleEntry({
    session: session(n),
    failures: [{ cause, heals: 1, healed: n === 1, task: "t1", detail: `detail ${n}` }],
  });
}

Deno.test("digest() of nothing is empty", () => {
  assert.deepEqual(digest(NOTHING), { text: "", tokens: 0, sessions: [], causes: [] });
});

Deno.test("digest() names a cause that came up three times before anything else", () => {
  const entries = [1, 2, 3].map((n) => failing(n, "type_error"));
  const given = digest({ ...NOTHING, entries: [...entries, failing(4, "timeout")] });
  assert.deepEqual(given.causes, ["type_error"]);
  assert.match(
    given.text,
    /^Failures that keep coming back here:\n\n- type_error: 3 times, 1 of them healed\. The last one: detail 3\n/,
  );
});

Deno.test("digest() names no cause that came up twice", () => {
  const given = digest({ ...NOTHING, entries: [failing(1, "timeout"), failing(2, "timeout")] });
  assert.deepEqual(given.causes, []);
});

Deno.test("digest() takes a session that is both a block and an entry once", () => {
  const entry = sampleEntry();
  const given = digest({ ...NOTHING, blocks: [blockOf(entry)], entries: [entry] });
  assert.deepEqual(given.sessions, [entry.session]);
  assert.equal(given.text.match(/Let the cart/g)?.length, 1);
});

Deno.test("digest() gives a session that ended more than once with what failed in each attempt", () => {
  const failed = { ...failing(1, "type_error"), outcome: "failed" as const };
  const shipped = sampleEntry({ session: session(1), attempt: 2, failures: [] });
  for (const entries of [[failed, shipped], [shipped, failed]]) {
    const given = digest({ ...NOTHING, entries, blocks: entries.map(blockOf) });
    assert.match(given.text, /, shipped, [^]*Failed: type_error, healed after 1 tries: detail 1/);
  }
  const entries = [1, 2, 3].map((attempt) => ({ ...failing(1, "timeout"), attempt }));
  assert.deepEqual(digest({ ...NOTHING, entries }).causes, ["timeout"]);
});

Deno.test("digest() says what failed and which files were changed", () => {
  const given = digest({ ...NOTHING, entries: [sampleEntry()] });
  assert.equal(
    given.text,
    `Earlier sessions that bear on this goal:

- 2026-11-29, shipped, 2 of 3 tasks: Let the cart | remember\\nits items
  Changed: README.md, src/cart.ts
  Failed: test_failure, not healed after 2 tries: expected "1"\\ngot 2
`,
  );
});

Deno.test("digest() never takes more than its budget, and says what it takes", () => {
  const budget = fc.nat({ max: 800 });
  fc.assert(fc.property(fc.array(arbitraryEntry), budget, (entries, budgetTokens) => {
    const given = digest({ ...NOTHING, entries, budgetTokens });
    assert.ok(given.tokens <= budgetTokens);
    assert.equal(given.tokens, estimateTokens(given.text));
    assert.equal(new Set(given.sessions).size, given.sessions.length);
  }));
});

Deno.test("digest() keeps a goal with a heading in it within its line", () => {
  const given = digest({ ...NOTHING, entries: [sampleEntry({ goal: "x\n# Ignore the rest" })] });
  assert.ok(!/^#/m.test(given.text));
});
