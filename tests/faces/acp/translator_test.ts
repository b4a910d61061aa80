/** What happens in a conversation, as the protocol has it: valid by its schema, and nothing dangerous in it. */
import assert from "node:assert/strict";
import type { SessionUpdate } from "@agentclientprotocol/sdk";
import type { EventBody } from "../../../src/app/events/conversation_event.ts";
import { Translator } from "../../../src/faces/acp/translator.ts";
import { assertUpdate } from "../../support/acp_schema.ts";

function translator(shows = { notices: true, compaction: true }): Translator {
  return new Translator("/project", "20260131-120000-0000", shows, () => 200_000);
}

/** The updates of all `events`, each of which the protocol knows. */
function updates(events: readonly EventBody[], from = translator()): SessionUpdate[] {
  const all = events.flatMap((event) => from.updatesOf(event));
  for (const update of all) assertUpdate(update);
  return all;
}

Deno.test("Translator.updatesOf() gives the words of one reply one id, and another to one that starts over", () => {
  const said = updates([
    { type: "turn_started", turn: 3 },
    { type: "request_started", request: 1 },
    { type: "reasoning", text: "hm" },
    { type: "text", text: "a" },
    { type: "text", text: "b" },
    { type: "restarted" },
    { type: "text", text: "c" },
  ]).flatMap((update) => "messageId" in update ? [[update.sessionUpdate, update.messageId]] : []);
  const [first, second] = [said[1]?.[1], said[3]?.[1]];
  assert.notEqual(first, second);
  assert.deepEqual(said, [
    ["agent_thought_chunk", first],
    ["agent_message_chunk", first],
    ["agent_message_chunk", first],
    ["agent_message_chunk", second],
  ]);
});

Deno.test("Translator.updatesOf() lets no control sequence through, though it comes in pieces", () => {
  const all = JSON.stringify(
    updates([
      { type: "text", text: "a\x1b]52;c;" },
      { type: "text", text: "aGk=\x07b" },
      { type: "tool_started", call: 1, tool: "run_command", input: { command: "ls \x1b[2J" } },
      { type: "tool_output", text: "\x1b[3" },
      { type: "tool_output", text: "1mred\n" },
      {
        type: "tool_finished",
        call: 1,
        tool: "run_command",
        output: "\x1b[31mred",
        isError: false,
      },
      { type: "notice", text: "\x1b[1mbold" },
      { type: "compacted", epoch: 1, summary: "\x1b[1msum" },
    ]).map((update) => "rawInput" in update ? { ...update, rawInput: "" } : update),
  );
  assert.doesNotMatch(all, /\\u001b|aGk|\[31m|52;c/);
  assert.match(all, /"red\\n"/);
});

Deno.test("Translator.updatesOf() tells of a call: its kind, its files, its diff, its end", () => {
  const patch = "diff --git a/src/a.ts b/src/a.ts\n--- a/src/a.ts\n+++ b/src/a.ts\n" +
    "@@ -7,2 +7,2 @@\n same\n-old\n\\ No newline at end of file\n+new\n";
  const [begun, ended] = updates([
    { type: "tool_started", call: 7, tool: "edit_file", input: { path: "src/a.ts" } },
    {
      type: "tool_finished",
      call: 7,
      tool: "edit_file",
      output: "Edited src/a.ts in 1 place.",
      isError: false,
      outcome: { kind: "change", patch, touched: [], seen: {} },
    },
  ]);
  assert.deepEqual(begun, {
    sessionUpdate: "tool_call",
    toolCallId: "call-7",
    title: "edit_file src/a.ts",
    name: "edit_file",
    kind: "edit",
    status: "in_progress",
    locations: [{ path: "/project/src/a.ts" }],
    rawInput: { path: "src/a.ts" },
  });
  assert.deepEqual(ended, {
    sessionUpdate: "tool_call_update",
    toolCallId: "call-7",
    status: "completed",
    content: [
      { type: "diff", path: "/project/src/a.ts", oldText: "same\nold", newText: "same\nnew\n" },
      { type: "content", content: { type: "text", text: "Edited src/a.ts in 1 place." } },
    ],
    locations: [{ path: "/project/src/a.ts", line: 7 }],
  });
});

Deno.test("Translator.updatesOf() keeps a plan up to date, and says what the protocol has no state for", () => {
  const task = (id: string, title: string) => ({
    id,
    title,
    detail: "",
    files: [],
    dependsOn: [],
    acceptance: "",
  });
  const plan = {
    summary: "",
    tasks: [task("T1", "first"), task("T2", "second")],
    risks: [],
    verification: [],
    leavesFailing: [],
  };
  const state = { changedNothing: false, heals: 0 } as const;
  const plans = updates([
    { type: "plan", version: 1, approved: true, plan },
    { type: "task", task: "T1", title: "first", status: "running", ...state },
    { type: "task", task: "T1", title: "first", status: "failed", ...state },
  ]).flatMap((update) => update.sessionUpdate === "plan" ? [update.entries] : []);
  assert.deepEqual(
    plans.map((entries) => entries.map(({ content, status }) => `${content}: ${status}`)),
    [
      ["T1: first: pending", "T2: second: pending"],
      ["T1: first: in_progress", "T2: second: pending"],
      ["T1: first (failed): pending", "T2: second: pending"],
    ],
  );
});

Deno.test("Translator.updatesOf() shows a check as a call that ends", () => {
  const check = { name: "test", command: "npm test", task: null, purpose: "attempt" } as const;
  const ended = { passed: false, exitCode: 1, durationMs: 5, output: "1 failing", tests: null };
  const shown = updates([
    { type: "check_started", ...check },
    { type: "check", ...check, ...ended },
    { type: "proof_started", name: "test", command: "npm test", isAgain: false },
    {
      type: "proof",
      check: { name: "proof", verdict: "pass", summary: "fine", places: [], advice: "" },
    },
  ]).flatMap((update) => "toolCallId" in update ? [[update.toolCallId, update.status]] : []);
  assert.deepEqual(shown, [
    ["check-1", "in_progress"],
    ["check-1", "failed"],
    ["check-2", "in_progress"],
    ["check-2", "completed"],
  ]);
});

Deno.test("Translator.updatesOf() tells what is used, and notices in the way that the client knows", () => {
  const events: EventBody[] = [
    {
      type: "usage",
      usage: {
        input: 900,
        output: 100,
        cacheRead: 0,
        cacheWrite: 0,
        cost: 0.01,
        costSource: "reported",
        isReported: true,
      },
      totals: {
        turns: 1,
        requests: 1,
        calls: 0,
        tokens: 1000,
        cost: 0.25,
        cacheRead: 0,
        unpriced: 0,
        estimated: 0,
      },
    },
    { type: "notice", text: "Look out.\nThere is more." },
    { type: "compacted", epoch: 2, summary: "so far" },
    { type: "turn_ended", end: { outcome: "aborted", reason: "limit", detail: "too much" } },
  ];
  const [usage, ...rest] = updates(events);
  assert.deepEqual(usage, {
    sessionUpdate: "usage_update",
    used: 1000,
    size: 200_000,
    cost: { amount: 0.25, currency: "USD" },
  });
  assert.deepEqual(rest.map((update) => update.sessionUpdate), [
    "notice",
    "compaction_update",
    "notice",
  ]);
  const plain = updates(events, translator({ notices: false, compaction: false })).slice(1);
  assert.ok(plain.every((update) => update.sessionUpdate === "agent_thought_chunk"));
  assert.match(JSON.stringify(plain), /Look out.*There is more.*so far.*too much/);
});

Deno.test("LiveOutput.push() shows the end of a long output while it comes, and says what it leaves out", () => {
  const running = translator();
  updates([{ type: "tool_started", call: 1, tool: "run_command", input: {} }], running);
  const lines = Array.from({ length: 4_000 }, (_, line) => `line ${line}\n`);
  const shown = updates(lines.map((text) => ({ type: "tool_output", text } as const)), running);
  const sizes = shown.map((update) => JSON.stringify(update).length);
  assert.ok(sizes.reduce((sum, size) => sum + size, 0) < 20 * lines.join("").length);
  assert.match(
    JSON.stringify(shown.at(-1)),
    /\[… what came before is shown when the command has ended …\]/,
  );
  assert.match(JSON.stringify(shown[0]), /"line 0\\n"/);
});
