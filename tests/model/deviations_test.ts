/**
 * What servers write that is not in their protocol, or not yet: a row each, over HTTP.
 * Rule: each row names who or what does it, and what is to be read all the same.
 */
import assert from "node:assert/strict";
import { ModelError } from "../../src/model/errors.ts";
import { fieldsOf } from "../../src/model/observation.ts";
import type { CompletionPart } from "../../src/model/port.ts";
import { ModelServer, type Reply } from "../support/servers/mod.ts";
import { callWith, openAt, watcher } from "./calls.ts";

interface Deviation {
  what: string;
  /** Frames of the stream, as JSON where they are no text. */
  frames?: readonly unknown[];
  /** Another answer than a stream. */
  reply?: Reply;
  content: CompletionPart[];
  finish?: string;
}

const text = (said: string): CompletionPart => ({ type: "text", text: said });
const call = (name: string, input: Record<string, string>, id = "c1"): CompletionPart => ({
  type: "tool-call",
  name,
  id,
  input,
});
const delta = (fields: object, finish: string | null = null) => ({
  id: "x",
  choices: [{ index: 0, delta: fields, finish_reason: finish }],
});
const hi = delta({ content: "Hi." });
const end = delta({}, "stop");
const read = (path: string, fields: object = {}) => ({
  id: "c1",
  function: { name: "read", arguments: JSON.stringify({ path }) },
  ...fields,
});

const CHAT: readonly Deviation[] = [
  ...["", " ", "null", "{}", "ping", ": keep-alive", { type: "ping" }, [], 7].map((frame) => ({
    what: `a frame of ${JSON.stringify(frame)}`,
    frames: [frame, hi, frame, end],
    content: [text("Hi.")],
  })),
  { what: "choices: null", frames: [{ choices: null }, hi, end], content: [text("Hi.")] },
  {
    what: "a frame of usage alone",
    frames: [hi, end, { usage: { prompt_tokens: 1, completion_tokens: 1 } }],
    content: [text("Hi.")],
  },
  {
    what: "findings of a filter before the answer (Azure)",
    frames: [{ choices: [], prompt_filter_results: [{}] }, hi, end],
    content: [text("Hi.")],
  },
  {
    what: "fields that are null, and numbers for texts",
    frames: [
      {
        id: 5,
        created: "now",
        model: null,
        choices: [{
          delta: { role: "assistant", content: null, tool_calls: null, function_call: null },
          finish_reason: "",
        }],
      },
      hi,
      end,
    ],
    content: [text("Hi.")],
  },
  {
    what: "a role that is not known",
    frames: [delta({ role: "model", content: "Hi." }), end],
    content: [text("Hi.")],
  },
  {
    what: "choices that are one",
    frames: [{ choices: hi.choices[0] }, end],
    content: [text("Hi.")],
  },
  {
    what: "another choice first",
    frames: [{ choices: [{ index: 1, delta: { content: "No." } }, hi.choices[0]] }, end],
    content: [text("Hi.")],
  },
  {
    what: "message in place of delta",
    frames: [{ choices: [{ message: { content: "Hi." }, finish_reason: "stop" }] }],
    content: [text("Hi.")],
  },
  {
    what: "content in parts (Mistral)",
    frames: [
      delta({ content: [{ type: "thinking", thinking: [{ type: "text", text: "Hm." }] }] }),
      delta({ content: [{ type: "text", text: "Hi." }] }),
      end,
    ],
    content: [{ type: "reasoning", text: "Hm." }, text("Hi.")],
  },
  {
    what: "reasoning under its other names",
    frames: [
      delta({ reasoning: "H" }),
      delta({ reasoning_content: "m" }),
      delta({ thinking: "." }),
      hi,
      end,
    ],
    content: [{ type: "reasoning", text: "Hm." }, text("Hi.")],
  },
  {
    what: "arguments as an object",
    frames: [
      delta({ tool_calls: [{ id: "c1", function: { name: "read", arguments: { path: "a" } } }] }),
      end,
    ],
    content: [call("read", { path: "a" })],
    finish: "tool-calls",
  },
  {
    what: "arguments: null until they come",
    frames: [
      delta({ tool_calls: [{ index: 0, id: "c1", function: { name: "read", arguments: null } }] }),
      delta({
        tool_calls: [{ index: 0, id: null, function: { name: null, arguments: '{"path":"a"}' } }],
      }),
      end,
    ],
    content: [call("read", { path: "a" })],
    finish: "tool-calls",
  },
  {
    what: "two calls with the index 0",
    frames: [
      delta({ tool_calls: [read("a", { index: 0 }), read("b", { index: 0, id: "c2" })] }),
      end,
    ],
    content: [call("read", { path: "a" }), call("read", { path: "b" }, "c2")],
    finish: "tool-calls",
  },
  {
    what: "calls without index and id",
    frames: [
      delta({ tool_calls: [{ function: { name: "read", arguments: "{}" } }] }),
      delta({ tool_calls: [{ function: { name: "list", arguments: "{}" } }] }),
      end,
    ],
    content: [call("read", {}, "call-1"), call("list", {}, "call-2")],
    finish: "tool-calls",
  },
  {
    what: "the id again in each piece of a call",
    frames: [
      delta({
        tool_calls: [{ index: 0, id: "c1", function: { name: "read", arguments: '{"pa' } }],
      }),
      delta({ tool_calls: [{ index: 0, id: "c1", function: { arguments: 'th":"a"}' } }] }),
      end,
    ],
    content: [call("read", { path: "a" })],
    finish: "tool-calls",
  },
  {
    what: "a call that is not in a list, without function around it",
    frames: [delta({ tool_calls: { id: "c1", name: "read", arguments: { path: "a" } } }), end],
    content: [call("read", { path: "a" })],
    finish: "tool-calls",
  },
  {
    what: "an index beyond any list",
    frames: [delta({ tool_calls: [read("a", { index: 4e9 })] }), end],
    content: [call("read", { path: "a" })],
    finish: "tool-calls",
  },
  {
    what: "a whole completion in spite of stream: true",
    reply: {
      status: 200,
      body: {
        object: "chat.completion",
        choices: [{
          index: 0,
          message: { role: "assistant", content: "Hi.", tool_calls: [read("a")] },
          finish_reason: "tool_calls",
        }],
        usage: { prompt_tokens: 3, completion_tokens: 2 },
      },
    },
    content: [text("Hi."), call("read", { path: "a" })],
    finish: "tool-calls",
  },
  {
    what: "events one a line, without blank lines",
    reply: { wire: [hi, end].map((frame) => `data: ${JSON.stringify(frame)}\n`).join("") },
    content: [text("Hi.")],
  },
  {
    what: "lines of JSON in place of events",
    reply: { wire: [hi, end].map((frame) => `${JSON.stringify(frame)}\n`).join("") },
    content: [text("Hi.")],
  },
  {
    what: "an event over several lines",
    reply: {
      wire: [hi, end].map((frame) =>
        `${
          JSON.stringify(frame, null, 1).split("\n").map((line) => `data: ${line}\r\n`).join("")
        }\r\n`
      ).join(""),
    },
    content: [text("Hi.")],
  },
];

const start = { type: "message_start", message: { id: "m", usage: { input_tokens: 1 } } };
const block = (index: number, said: string): object[] => [
  { type: "content_block_start", index, content_block: { type: "text", text: "" } },
  { type: "content_block_delta", index, delta: { type: "text_delta", text: said } },
  { type: "content_block_stop", index },
];
const stop = [
  { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 1 } },
  { type: "message_stop" },
];

const ANTHROPIC: readonly Deviation[] = [
  ...["", "null", "{}", { type: "ping" }, { type: "something_new", index: 0 }].map((frame) => ({
    what: `a frame of ${JSON.stringify(frame)}`,
    frames: [frame, start, frame, ...block(0, "Hi."), frame, ...stop],
    content: [text("Hi.")],
  })),
  {
    what: "a kind of block that is not known",
    frames: [
      start,
      { type: "content_block_start", index: 0, content_block: { type: "hologram", of: "x" } },
      { type: "content_block_delta", index: 0, delta: { type: "hologram_delta", light: 1 } },
      { type: "content_block_stop", index: 0 },
      ...block(1, "Hi."),
      ...stop,
    ],
    content: [text("Hi.")],
  },
  {
    what: "a kind of delta that is not known",
    frames: [
      start,
      ...block(0, "Hi.").toSpliced(1, 0, {
        type: "content_block_delta",
        index: 0,
        delta: { type: "mood_delta" },
      }),
      ...stop,
    ],
    content: [text("Hi.")],
  },
  {
    what: "no usage, no id, no model",
    frames: [{ type: "message_start", message: {} }, ...block(0, "Hi."), {
      ...stop[0],
      usage: null,
    }, stop[1]],
    content: [text("Hi.")],
  },
  {
    what: "a whole message in spite of stream: true",
    reply: {
      status: 200,
      body: {
        id: "m",
        type: "message",
        content: [
          { type: "thinking", thinking: "Hm.", signature: "s" },
          { type: "text", text: "Hi." },
          { type: "tool_use", id: "c1", name: "read", input: { path: "a" } },
        ],
        stop_reason: "tool_use",
        usage: { input_tokens: 3, output_tokens: 2 },
      },
    },
    content: [
      { type: "reasoning", text: "Hm.", providerMetadata: { anthropic: { signature: "s" } } },
      text("Hi."),
      call("read", { path: "a" }),
    ],
    finish: "tool-calls",
  },
];

const PROVIDERS = { "openai-compatible": CHAT, anthropic: ANTHROPIC } as const;

for (const provider of ["openai-compatible", "anthropic"] as const) {
  for (const { what, frames = [], reply, content, finish = "stop" } of PROVIDERS[provider]) {
    Deno.test(`stream() reads ${what} (${provider})`, async () => {
      const wire = frames.map((frame) =>
        `data: ${typeof frame === "string" ? frame : JSON.stringify(frame)}\n\n`
      ).join("");
      await using server = ModelServer.start([reply ?? { wire }]);
      const model = await openAt(server.baseUrl, { provider });
      const completion = await model.stream(callWith("hello"), watcher());
      assert.deepEqual(completion.content, content);
      assert.equal(completion.finish, finish);
      assert.equal(completion.retries, 0);
    });
  }

  Deno.test(`stream() takes an error in any form for one (${provider})`, async () => {
    const errors = [
      { error: { message: "out of order" } },
      { type: "error", error: { type: "invalid_request_error", message: "out of order" } },
      { object: "error", message: "out of order", code: 400 },
      { error: "out of order" },
    ].slice(0, provider === "anthropic" ? 2 : 4);
    for (const error of errors) {
      await using server = ModelServer.start([{ wire: `data: ${JSON.stringify(error)}\n\n` }]);
      const model = await openAt(server.baseUrl, { provider }, { maxTries: 1 });
      await assert.rejects(model.stream(callWith("hello"), watcher()), /out of order/);
    }
  });

  Deno.test(`stream() names a stream of something else, and an endless one of nothing (${provider})`, async () => {
    const wires = ['data: {"weather":"fine"}\n\n', "data: hello\n\n", "data: {}\n\n".repeat(6_001)];
    await using server = ModelServer.start((_, number) => ({ wire: wires[number] ?? "" }));
    const model = await openAt(server.baseUrl, { provider });
    for (
      const said of [
        /\{"weather":"fine"\}/,
        /not in the protocol: hello/,
        /6001 events in a row that say nothing/,
      ]
    ) {
      await assert.rejects(model.stream(callWith("hello"), watcher()), (error) => {
        assert.ok(error instanceof ModelError && error.kind === "protocol", String(error));
        assert.match(error.message, said);
        return true;
      });
    }
    assert.equal(server.requests.length, 3);
  });
}

Deno.test("stream() says what an answer begins with that is JSON and no answer", async () => {
  await using server = ModelServer.start([{ status: 200, body: { weather: "fine" } }]);
  const model = await openAt(server.baseUrl, {});
  await assert.rejects(
    model.stream(callWith("hello"), watcher()),
    /application\/json instead of an event stream: \{"weather":"fine"\}/,
  );
  assert.deepEqual(fieldsOf(JSON.parse(server.bodies[0] ?? "")).stream, true);
});
