/** What is said of a cost, of requests whose cost is reported, estimated or unknown. */
import assert from "node:assert/strict";
import { LimitReached, TurnBudget } from "../../src/agent/limits.ts";
import { usedText } from "../../src/app/telling/used_text.ts";
import type { RecordDraft } from "../../src/session/records.ts";
import { readSession } from "../../src/session/session_reader.ts";
import { Session } from "../../src/session/session.ts";
import { NO_LIMITS } from "../support/conversations.ts";
import { withTemporaryFolder } from "../support/temporary.ts";
import { ID, sampleBaseline, stoppedClock, usage } from "../session/samples.ts";

/** A usage of a known cost with other fields. */
function known(changes: Partial<Extract<RecordDraft, { type: "usage" }>>): RecordDraft {
  const draft = usage(100, 10, 0.5);
  return draft.type === "usage" ? { ...draft, ...changes } : draft;
}

const REPORTED = usage(100, 10, 0.5);
const ESTIMATED = known({ costSource: "estimated" });
const UNKNOWN = usage(100, 10);

for (
  const [what, records, said] of [
    ["nothing asked", [], "0 requests, 0 tokens, cost –"],
    ["reported", [REPORTED, REPORTED], "2 requests, 220 tokens, cost $1.00"],
    ["estimated in part", [REPORTED, ESTIMATED], "2 requests, 220 tokens, cost ~$1.00"],
    ["unknown in part", [REPORTED, UNKNOWN], "2 requests, 220 tokens, cost at least $0.5000"],
    ["unknown", [UNKNOWN], "1 request, 110 tokens, cost –"],
    [
      "read from a cache in part",
      [known({ cacheRead: 60 })],
      "1 request, 110 tokens (60 of them read from a cache), cost $0.5000",
    ],
  ] as const
) {
  Deno.test(`usedText() of a session, also in its next epoch and read again: ${what}`, () =>
    withTemporaryFolder(async (root) => {
      const session = await Session.create(root, sampleBaseline(), null, { clock: stoppedClock });
      session.append(records);
      await session.beginEpoch("summary", null);
      assert.equal(usedText(session.totals), said);
      session.close();
      const { totals } = await readSession(root, ID, () => {});
      assert.equal(usedText(totals), said);
    }));
}

Deno.test("tokens_per_session counts new tokens, and tells those that were read from a cache apart", () => {
  const budget = new TurnBudget({ ...NO_LIMITS, tokensPerSession: 1_000 });
  const totals = { turns: 1, calls: 0, requests: 9, cost: 0, unpriced: 9, estimated: 0 };
  budget.countRequest({ ...totals, tokens: 50_000, cacheRead: 49_500 });
  assert.throws(
    () => budget.countRequest({ ...totals, tokens: 50_000, cacheRead: 49_000 }),
    (error) =>
      error instanceof LimitReached &&
      /1000 tokens a session \(1000 used, and 49000 read from a cache\)/.test(error.message),
  );
});
