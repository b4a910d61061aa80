/** Sessions of other agents: a request counts once, tokens as their programs mean them. */
import assert from "node:assert/strict";
import { encodeEntry } from "../../../src/ledger/entry.ts";
import { foreignEntry } from "../../../src/ledger/other_agents/foreign_session.ts";
import { readTranscripts } from "../../../src/ledger/other_agents/transcripts.ts";

const json = (...values: unknown[]) => values.map((value) => JSON.stringify(value));

const claude = (second: number, message: object, more: object = {}) => ({
  type: "assistant",
  sessionId: "s1",
  uuid: `u${second}`,
  timestamp: `2026-11-29T10:00:${String(second).padStart(2, "0")}.000Z`,
  message,
  ...more,
});

const usage = {
  input_tokens: 10,
  cache_creation_input_tokens: 200,
  cache_read_input_tokens: 3_000,
  output_tokens: 5,
};

Deno.test("readTranscripts() of Claude Code counts an answer once that is written for each of its parts", () => {
  const edit = {
    type: "tool_use",
    name: "Edit",
    input: { file_path: "/home/ada/shop/src/cart.ts" },
  };
  const read = { type: "tool_use", name: "Read", input: { file_path: "/home/ada/shop/README.md" } };
  const model = "claude-sonnet-5";
  const { sessions, unreadable } = readTranscripts(
    "claude-code",
    [
      ...json(
        { type: "summary", summary: "x" },
        claude(0, { role: "user", content: "Round the cart" }, { type: "user" }),
        claude(4, { id: "m1", model, usage: { ...usage, output_tokens: 1 }, content: [read] }),
        claude(5, { id: "m1", model, usage, content: [edit] }),
        claude(6, { role: "user", content: [{ type: "tool_result" }] }, { type: "user" }),
        claude(9, { id: "m2", model, usage, content: [{ type: "text", text: "Done." }] }),
        claude(40, { role: "user", content: "Thanks" }, { type: "user" }),
        claude(41, { id: "e1", model: "<synthetic>", usage, content: [] }),
      ),
      "{half a line",
    ],
    "/home/ada/shop",
  );
  assert.equal(unreadable, 1);
  const [session, ...others] = sessions;
  assert.equal(others.length, 0);
  const { startedMs: _, endedMs: __, ...told } = session ?? { startedMs: 0, endedMs: 0 };
  assert.deepEqual(told, {
    agent: "claude-code",
    id: "s1",
    goal: "Round the cart",
    model: "anthropic:claude-sonnet-5",
    // Nine seconds up to the last answer, none of those that the user took, one after that.
    workingMs: 10_000,
    requests: 2,
    input: 2 * 3_210,
    output: 10,
    cacheRead: 6_000,
    cacheWrite: 400,
    cost: undefined,
    outcome: "unknown",
    files: ["src/cart.ts"],
    commit: null,
  });
});

Deno.test("readTranscripts() of Codex takes the differences of its sums, and a sum told twice once", () => {
  const line = (second: number, type: string, payload: object) => ({
    timestamp: `2026-11-29T10:00:${String(second).padStart(2, "0")}.000Z`,
    type,
    payload,
  });
  const counted = (second: number, input: number, cached: number, output: number) =>
    line(second, "event_msg", {
      type: "token_count",
      info: {
        total_token_usage: {
          input_tokens: input,
          cached_input_tokens: cached,
          output_tokens: output,
        },
      },
    });
  const { sessions } = readTranscripts(
    "codex",
    json(
      line(0, "session_meta", { id: "c1", cwd: "/home/ada/shop", model_provider: "openai" }),
      line(1, "turn_context", { model: "gpt-5" }),
      line(2, "event_msg", { type: "user_message", message: "Round the cart" }),
      counted(3, 0, 0, 0),
      counted(5, 100, 0, 10),
      counted(5, 100, 0, 10),
      line(6, "response_item", {
        type: "custom_tool_call",
        name: "apply_patch",
        input: "*** Begin Patch\n*** Update File: src/cart.ts\n@@\n-1\n+2\n*** End Patch",
      }),
      counted(8, 250, 90, 25),
    ),
    "/home/ada/shop",
  );
  const [session] = sessions;
  assert.deepEqual(
    [session?.requests, session?.input, session?.cacheRead, session?.output, session?.files],
    [2, 250, 90, 25, ["src/cart.ts"]],
  );
  assert.deepEqual([session?.model, session?.goal], ["openai:gpt-5", "Round the cart"]);
});

Deno.test("readTranscripts() of Codex finds the user's words where newer versions have them", () => {
  const message = (type: string, text: string) => ({
    timestamp: "2026-11-30T19:32:27.352Z",
    type: "event_msg",
    payload: { type: "item_completed", item: { type, content: [{ type: "text", text }] } },
  });
  const start = {
    type: "session_meta",
    timestamp: "2026-11-30T19:32:27.061Z",
    payload: { id: "c" },
  };
  const lines = json(start, message("AgentMessage", "Hello"), message("UserMessage", "Say done"));
  assert.equal(readTranscripts("codex", lines, "/").sessions[0]?.goal, "Say done");
});

Deno.test("foreignEntry() gives the same entry for the same session, and one that can be written", () => {
  const [session] = readTranscripts(
    "claude-code",
    json(claude(1, { id: "m", model: "m", usage, content: [] })),
    "/",
  ).sessions;
  assert.ok(session !== undefined);
  const line = encodeEntry(foreignEntry(session, "shop", null));
  assert.equal(encodeEntry(foreignEntry(session, "shop", null)), line);
  assert.match(line, /"agent":"claude-code","outcome":"unknown"/);
  assert.notEqual(encodeEntry(foreignEntry({ ...session, id: "other" }, "shop", null)), line);
});
