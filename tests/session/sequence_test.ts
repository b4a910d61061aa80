import assert from "node:assert/strict";
import { encodeRecord, LineInvalid } from "../../src/session/line.ts";
import type { RecordDraft } from "../../src/session/records.ts";
import { Sequence } from "../../src/session/sequence.ts";
import { NOW, reply, result, sampleBaseline, usage, user } from "./samples.ts";

const HASH = "b".repeat(64);
const START: RecordDraft = { type: "session_start", epoch: 0, slot: null, baseline: HASH };

function sequenceOf(...drafts: RecordDraft[]): Sequence {
  const sequence = new Sequence(sampleBaseline(), HASH);
  for (const draft of drafts) {
    sequence.apply(encodeRecord(draft, { seq: 1, prev: "0".repeat(16) }, NOW).record);
  }
  return sequence;
}

function assertRefused(why: RegExp, ...drafts: RecordDraft[]): void {
  const before = sequenceOf(...drafts.slice(0, -1));
  const [last] = drafts.slice(-1);
  assert.ok(last);
  const record = encodeRecord(last, { seq: 1, prev: "0".repeat(16) }, NOW).record;
  assert.throws(
    () => before.apply(record),
    (error) => error instanceof LineInvalid && why.test(error.message),
  );
}

Deno.test("Sequence wants session_start first and once, with the baseline's hash and epoch", () => {
  assertRefused(/the first record is not session_start/, user("a"));
  assertRefused(/a second session_start/, START, START);
  assertRefused(/checksum mismatch: the baseline/, { ...START, baseline: "c".repeat(64) });
  assertRefused(/epoch 1, but the baseline is of epoch 0/, { ...START, epoch: 1 });
});

Deno.test("Sequence adds up turns, calls, tokens and cost", () => {
  const { totals } = sequenceOf(
    START,
    user("a"),
    reply("b", 1, 2),
    usage(10, 5, 0.25),
    result(1),
    result(2),
    reply("c"),
    usage(20, 6),
  );
  assert.deepEqual(totals, {
    turns: 1,
    calls: 2,
    requests: 2,
    tokens: 41,
    cacheRead: 0,
    cost: 0.25,
    unpriced: 1,
    estimated: 0,
  });
});

Deno.test("Sequence wants calls numbered 1, 2, 3 … and results in call order", () => {
  assertRefused(/call 2 where call 1 comes next/, START, user("a"), reply("b", 2));
  assertRefused(/not the next open call/, START, user("a"), reply("b", 1, 2), result(2));
  assertRefused(/not the next open call/, START, user("a"), result(1));
  const others: RecordDraft = {
    type: "tool_result",
    call: 1,
    tool: "write_file",
    output: "",
    isError: false,
  };
  assertRefused(/not the next open call/, START, user("a"), reply("b", 1), others);
});

Deno.test("Sequence lets nothing for the model stand between a call and its result", () => {
  const open = [START, user("a"), reply("b", 1)];
  assertRefused(/a user message, but call 1 \(read_file\) has no result/, ...open, user("c"));
  assertRefused(/a reply, but call 1/, ...open, reply("c"));
  assertRefused(/aborted, but call 1/, ...open, { type: "aborted", reason: "error", detail: "" });
  assert.deepEqual(sequenceOf(...open, usage(1, 1)).openCalls, [{ call: 1, tool: "read_file" }]);
});

Deno.test("Sequence.clone() goes on by itself", () => {
  const original = sequenceOf(START, user("a"));
  original.clone().apply(encodeRecord(user("b"), { seq: 1, prev: "0".repeat(16) }, NOW).record);
  assert.equal(original.totals.turns, 1);
});
