/** The request as a fold over the log: it only ever grows at its end, whatever happens around it. */
import assert from "node:assert/strict";
import { join } from "@std/path";
import fc from "fast-check";
import type { JsonValue } from "../../src/platform/canonical_json.ts";
import type { Baseline } from "../../src/session/baseline.ts";
import { encodeRecord } from "../../src/session/line.ts";
import type { RecordDraft, SessionRecord } from "../../src/session/records.ts";
import { encodeRequest, Replay, replay, RequestTooLarge } from "../../src/session/replay.ts";
import { Session } from "../../src/session/session.ts";
import { readSession } from "../../src/session/session_reader.ts";
import { withTemporaryFolder } from "../support/temporary.ts";
import { ID, NOW, reply, result, sampleBaseline, stoppedClock, usage, user } from "./samples.ts";

/** What happens next in a random conversation. `restart` is a process that was killed and another that goes on. */
type Step =
  | { kind: "turn"; text: string }
  | { kind: "reply"; texts: string[]; inputs: JsonValue[]; signature: JsonValue | undefined }
  | { kind: "result"; output: string; isError: boolean }
  | { kind: "aborted" }
  | { kind: "other" }
  | { kind: "restart"; change: number };

const text = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 30 }),
  fc.constantFrom("a\u2028b\u0085\r\n\0", "", "\u001b[31m", '"]}', "\ufeff", "\ufffd"),
);
const json = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }).map((value): JsonValue => JSON.parse(JSON.stringify(value))),
  fc.constantFrom('{"__proto__":{"a":1},"10":1,"9":2}', '{"n":-0}', "1e300").map((t): JsonValue =>
    JSON.parse(t)
  ),
).filter((value) => JSON.stringify(value) === JSON.stringify(value).toWellFormed());

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant("turn" as const), text }),
  fc.record({
    kind: fc.constant("reply" as const),
    texts: fc.array(text, { maxLength: 2 }),
    inputs: fc.array(json, { maxLength: 3 }),
    signature: fc.option(json, { nil: undefined }),
  }),
  fc.record({ kind: fc.constant("result" as const), output: text, isError: fc.boolean() }),
  fc.record({ kind: fc.constant("aborted" as const) }),
  fc.record({ kind: fc.constant("other" as const) }),
  fc.record({ kind: fc.constant("restart" as const), change: fc.nat(3) }),
);

/** The records of a step, made to fit: open calls get their results before anything for the model. */
function draftsOf(session: Session, step: Exclude<Step, { kind: "restart" }>): RecordDraft[] {
  const open = session.openCalls.slice(session.interruptedCalls.length);
  const results = open.map(({ call }) => result(call));
  switch (step.kind) {
    case "turn":
      return [...results, user(step.text)];
    case "result": {
      const [first] = open;
      if (first === undefined) return [];
      return [{ ...result(first.call, step.output), isError: step.isError } as RecordDraft];
    }
    case "aborted":
      return [...results, { type: "aborted", reason: "interrupted", detail: "" }];
    case "other":
      return [usage(3, 2), { type: "phase", phase: "plan", status: "entered", detail: "" }];
    case "reply":
      return [...results, replyOf(session.totals.calls, step)];
  }
}

function replyOf(callsSoFar: number, step: Extract<Step, { kind: "reply" }>): RecordDraft {
  const provider = step.signature === undefined ? {} : { provider: { signature: step.signature } };
  return {
    type: "assistant",
    parts: [
      ...step.texts.map((text) => ({ kind: "reasoning" as const, text, ...provider })),
      ...step.inputs.map((input, index) => ({
        kind: "call" as const,
        call: callsSoFar + index + 1,
        tool: "read_file",
        input,
      })),
    ],
    finish: "stop",
    request: { sizeBytes: 1, sha256: "0".repeat(64) },
  };
}

/** What a person may do to the project between two starts. */
const SURROUNDINGS: ((root: string) => void)[] = [
  (root) => Deno.writeTextFileSync(join(root, "AGENTS.md"), crypto.randomUUID()),
  (root) =>
    void new Deno.Command("git", { args: ["init", "-q", root], stdout: "null" }).outputSync(),
  () => Deno.env.set("TZ", Deno.env.get("TZ") === "Asia/Tokyo" ? "UTC" : "Asia/Tokyo"),
  (root) => Deno.mkdirSync(join(root, "planning"), { recursive: true }),
];

/** A request without the brackets that close its list of messages. */
function openEnded(request: string): string {
  assert.ok(request.endsWith("]}"));
  return request.slice(0, -2);
}

Deno.test("every request begins with the one before it, at every record, across restarts and changed surroundings", async () => {
  const timeZone = Deno.env.get("TZ");
  try {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 5, maxLength: 40 }),
        (steps) => withTemporaryFolder((root) => playAndCheck(root, steps)),
      ),
      { numRuns: 60 },
    );
  } finally {
    if (timeZone === undefined) Deno.env.delete("TZ");
    if (timeZone !== undefined) Deno.env.set("TZ", timeZone);
  }
});

async function playAndCheck(root: string, steps: readonly Step[]): Promise<void> {
  let before = "";
  let fold = new Replay(sampleBaseline());
  let isFilled = true;
  const options = {
    clock: stoppedClock,
    folds(baseline: Baseline) {
      fold = new Replay(baseline);
      return [{
        apply(record: SessionRecord) {
          fold.apply(record);
          // While a session is being opened the fold has not yet caught up.
          if (!isFilled) return;
          const now = encodeRequest(fold.request());
          assert.ok(now.startsWith(before), `${before}\n${now}`);
          before = openEnded(now);
        },
      }];
    },
  };
  let session = await Session.create(root, sampleBaseline(), null, options);
  try {
    for (const step of steps) {
      if (step.kind !== "restart") {
        session.append(draftsOf(session, step));
        continue;
      }
      session.close();
      SURROUNDINGS[step.change]?.(root);
      const remembered = encodeRequest(fold.request());
      isFilled = false;
      session = await Session.open(root, ID, options);
      isFilled = true;
      assert.equal(encodeRequest(fold.request()), remembered);
    }
    session.recordInterruptions();
    session.append(session.openCalls.map(({ call }) => result(call)));
  } finally {
    session.close();
  }
  const records: SessionRecord[] = [];
  const { baseline } = await readSession(root, ID, (record) => void records.push(record));
  assert.equal(encodeRequest(replay(baseline, records)), encodeRequest(fold.request()));
  assertProviderAccepts(encodeRequest(fold.request()));
}

/** As providers want it: user and assistant take turns, each call has its result right behind it. */
function assertProviderAccepts(request: string): void {
  let open: number[] = [];
  for (const message of JSON.parse(request).messages) {
    if (message.role === "tool") {
      assert.equal(open.shift(), message.call);
      continue;
    }
    assert.deepEqual(open, []);
    if (message.role === "assistant") {
      open = message.parts.filter((part: { kind: string }) => part.kind === "call")
        .map((part: { call: number }) => part.call);
    }
  }
}

function recordsOf(...drafts: RecordDraft[]): SessionRecord[] {
  return drafts.map((draft) => encodeRecord(draft, { seq: 1, prev: "0".repeat(16) }, NOW).record);
}

Deno.test("replay() puts a note between two user messages in a row, so that the roles take turns", () => {
  const { messages } = replay(sampleBaseline(), recordsOf(user("one"), user("two")));
  assert.deepEqual(messages.map(({ role }) => role), ["user", "assistant", "user"]);
});

Deno.test("replay() ends an aborted turn once, however often it is said", () => {
  const aborted: RecordDraft = { type: "aborted", reason: "error", detail: "x" };
  const { messages } = replay(
    sampleBaseline(),
    recordsOf(user("one"), aborted, aborted, user("two")),
  );
  assert.deepEqual(messages.map(({ role }) => role), ["user", "assistant", "user"]);
});

Deno.test("Replay.lastRequest() is the request that the last reply answered", () => {
  const fold = new Replay(sampleBaseline());
  assert.equal(fold.lastRequest(), undefined);
  const records = recordsOf(user("one"), reply("a", 1), result(1), reply("b"), user("two"));
  for (const record of records) fold.apply(record);
  const last = fold.lastRequest();
  assert.ok(last);
  assert.equal(
    encodeRequest(last.request),
    encodeRequest(replay(sampleBaseline(), records.slice(0, 3))),
  );
  assert.equal(last.sizeBytes, 100);
  assert.equal(fold.completions, 2);
});

Deno.test("Replay.asideRequest() asks at the end of what was answered, and leaves a waiting message out", () => {
  const fold = new Replay(sampleBaseline());
  for (const record of recordsOf(user("one"), reply("1"), user("two"))) fold.apply(record);
  assert.deepEqual(fold.asideRequest("aside").messages, [
    { role: "user", text: "one" },
    { role: "assistant", parts: [{ kind: "text", text: "1" }] },
    { role: "user", text: "aside" },
  ]);
});

Deno.test("Replay refuses a conversation over 64 million characters and keeps none of it in memory", () => {
  const fold = new Replay(sampleBaseline());
  const [record] = recordsOf(user("x".repeat(1 << 20)));
  assert.ok(record);
  for (let count = 0; count < 64; count++) fold.apply(record);
  assert.equal(fold.request().messages.length, 127);
  fold.apply(record);
  assert.throws(() => fold.request(), RequestTooLarge);
  assert.throws(
    () => fold.request(),
    /more than any model reads; go on from an earlier turn: m31a session fork/,
  );
});

Deno.test("replay() tells the model everything that the baseline has frozen", () => {
  const { system } = replay(
    sampleBaseline({
      agents: "AGENTS TEXT",
      userAgents: "USER TEXT",
      memory: { text: "MEMORY TEXT", blocks: ["a"] },
      summary: "SUMMARY TEXT",
    }),
    [],
  );
  for (
    const part of [
      "You are m31a.",
      "2026-01-02",
      "branch main",
      "USER TEXT",
      "AGENTS TEXT",
      "MEMORY TEXT",
      "SUMMARY TEXT",
    ]
  ) {
    assert.ok(system.includes(part), part);
  }
});

Deno.test("replay() tells the model of a result whether the call failed", () => {
  const [position, failed] = [{ seq: 1, prev: "0".repeat(16) }, { ...result(2), isError: true }];
  const drafts = [user("q"), reply("r", 1, 2), result(1), failed as RecordDraft];
  const records = drafts.map((draft) => encodeRecord(draft, position, NOW).record);
  assert.deepEqual(
    replay(sampleBaseline(), records).messages.slice(2),
    [1, 2].map((call) => ({
      role: "tool",
      call,
      tool: "read_file",
      output: `output ${call}`,
      isError: call === 2,
    })),
  );
});
