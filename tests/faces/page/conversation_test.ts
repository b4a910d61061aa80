/** The page's conversation: what updates make of it. */
import assert from "node:assert/strict";
import {
  afterUpdate,
  type ConversationState,
  EMPTY,
} from "../../../src/faces/page/conversation.ts";
import type { SessionUpdate } from "../../../src/faces/page/protocol.ts";

function after(...updates: SessionUpdate[]): ConversationState {
  return updates.reduce(afterUpdate, EMPTY);
}

const said = (who: "user" | "agent", text: string, messageId?: string): SessionUpdate => ({
  sessionUpdate: `${who}_message_chunk`,
  content: { type: "text", text },
  ...(messageId !== undefined && { messageId }),
});

Deno.test("afterUpdate() joins the chunks of one message, and of no two", () => {
  const { entries } = after(
    said("user", "Hi", "1"),
    said("user", "again", "2"),
    said("agent", "a"),
    said("agent", "b"),
  );
  assert.deepEqual(entries.map((entry) => "text" in entry ? entry.text : ""), [
    "Hi",
    "again",
    "ab",
  ]);
});

Deno.test("afterUpdate() follows a call by its id, whatever comes between, and keeps what is not told anew", () => {
  const { entries } = after(
    {
      sessionUpdate: "tool_call",
      toolCallId: "1",
      title: "run sh",
      kind: "execute",
      status: "pending",
    },
    said("agent", "meanwhile"),
    {
      sessionUpdate: "tool_call_update",
      toolCallId: "1",
      status: "completed",
      content: [{ type: "content", content: { type: "text", text: "out" } }],
    },
  );
  assert.equal(entries.length, 2);
  const [call] = entries;
  assert.ok(call?.kind === "call");
  assert.deepEqual([call.title, call.toolKind, call.status], ["run sh", "execute", "completed"]);
  assert.equal(call.content.length, 1);
});

Deno.test("afterUpdate() takes plan, mode, title and window, and leaves the rest alone", () => {
  const state = after(
    { sessionUpdate: "plan", entries: [{ content: "a", priority: "medium", status: "pending" }] },
    { sessionUpdate: "current_mode_update", currentModeId: "goal" },
    { sessionUpdate: "session_info_update", title: "A goal" },
    { sessionUpdate: "usage_update", used: 5, size: 10, cost: { amount: 0.01, currency: "USD" } },
  );
  assert.deepEqual([state.plan.length, state.mode, state.title], [1, "goal", "A goal"]);
  assert.deepEqual(state.usage, { used: 5, size: 10, cost: "0.0100 USD" });
});
