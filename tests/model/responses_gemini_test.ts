/** OpenAI's Responses and Gemini: recorded shapes over HTTP, and aimock, which nobody here wrote. */
import assert from "node:assert/strict";
import { ContextOverflow, ModelError } from "../../src/model/errors.ts";
import { assistantMessage } from "../../src/model/prompt.ts";
import { ModelServer, startAimock } from "../support/servers/mod.ts";
import { assertEachBeginsWithTheOneBefore } from "../support/prefixes.ts";
import { callWith, KEY, openAt, shownText, watcher } from "./calls.ts";

const wireOf = (events: readonly object[]) =>
  events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");

const RESPONSES = wireOf([
  { type: "response.created", response: { id: "resp_1", created_at: 1, model: "gpt-5.2" } },
  { type: "response.something_new", of: 1 },
  {
    type: "response.output_item.added",
    output_index: 0,
    item: { type: "reasoning", id: "rs_1", encrypted_content: null },
  },
  { type: "response.reasoning_summary_part.added", item_id: "rs_1", summary_index: 0 },
  {
    type: "response.reasoning_summary_text.delta",
    item_id: "rs_1",
    summary_index: 0,
    delta: "Hm.",
  },
  {
    type: "response.output_item.done",
    output_index: 0,
    item: { type: "reasoning", id: "rs_1", encrypted_content: "ENCRYPTED" },
  },
  { type: "response.output_item.added", output_index: 1, item: { type: "message", id: "msg_1" } },
  { type: "response.output_text.delta", item_id: "msg_1", output_index: 1, delta: "I look." },
  { type: "response.output_item.done", output_index: 1, item: { type: "message", id: "msg_1" } },
  {
    type: "response.output_item.added",
    output_index: 2,
    item: { type: "function_call", id: "fc_1", call_id: "c1", name: "read", arguments: "" },
  },
  {
    type: "response.function_call_arguments.delta",
    item_id: "fc_1",
    output_index: 2,
    delta: '{"path":"a"}',
  },
  {
    type: "response.output_item.done",
    output_index: 2,
    item: {
      type: "function_call",
      id: "fc_1",
      call_id: "c1",
      name: "read",
      arguments: '{"path":"a"}',
      status: "completed",
    },
  },
  {
    type: "response.completed",
    response: {
      usage: {
        input_tokens: 100.5,
        input_tokens_details: { cached_tokens: 40 },
        output_tokens: 30,
        output_tokens_details: { reasoning_tokens: 20 },
      },
    },
  },
]);

const GEMINI = wireOf([
  {
    candidates: [{ content: { role: "model", parts: [{ text: "Hm.", thought: true }] }, index: 0 }],
    responseId: "g1",
  },
  { candidates: [{ content: { role: "model", parts: [{ text: "I look." }] } }] },
  {
    candidates: [{
      content: {
        role: "model",
        parts: [{
          functionCall: { name: "read", args: { path: "a" } },
          thoughtSignature: "SIGNED",
        }],
      },
      finishReason: "STOP",
    }],
    usageMetadata: {
      promptTokenCount: 100.5,
      cachedContentTokenCount: 40,
      candidatesTokenCount: 10,
      thoughtsTokenCount: 20,
    },
  },
]);

/** Each protocol: its row, a recorded answer, and what of it must come back with the next request. */
const PROTOCOLS = [
  {
    provider: "openai-responses",
    name: "gpt-5.2",
    path: "/v1/responses",
    wire: RESPONSES,
    kept: ["ENCRYPTED", '"rs_1"'],
  },
  {
    provider: "gemini",
    name: "gemini-2.5-pro",
    path: "/v1/models/gemini-2.5-pro:streamGenerateContent?alt=sse",
    wire: GEMINI,
    kept: ['"thoughtSignature":"SIGNED"'],
  },
] as const;

for (const { provider, name, path, wire, kept } of PROTOCOLS) {
  Deno.test(`stream() reads an answer with thoughts, words and a call, and sends them back as they came (${provider})`, async () => {
    await using server = ModelServer.start(() => ({ wire }));
    const model = await openAt(server.baseUrl, { provider, name });
    const tools = [{ name: "read", description: "Reads.", inputSchema: { type: "object" } }];
    const call = callWith("hello", { tools });
    const watch = watcher();
    const { content, finish, usage, requestId } = await model.stream(call, watch);
    assert.equal(shownText(watch.events), "I look.");
    assert.equal(finish, "tool-calls");
    const [thought, words, asked] = content;
    assert.ok(thought?.type === "reasoning" && thought.text === "Hm.");
    assert.ok(words?.type === "text" && words.text === "I look.");
    assert.ok(asked?.type === "tool-call" && asked.name === "read");
    assert.deepEqual(asked.input, { path: "a" });
    const { cost, ...tokens } = usage;
    assert.deepEqual(tokens, {
      input: 101,
      output: 30,
      cacheRead: 40,
      cacheWrite: 0,
      reasoning: 20,
      isReported: true,
      costSource: "estimated",
    });
    assert.ok(cost !== undefined && cost > 0);
    assert.ok(["resp_1", "g1"].includes(requestId));
    assert.match(
      watch.events.flatMap((event) => event.type === "notice" ? event.text : []).join(),
      /100\.5 \(rounded\)/,
    );

    call.prompt.push(assistantMessage(content), {
      role: "tool",
      content: [{
        type: "tool-result",
        toolCallId: asked.id,
        toolName: "read",
        output: { type: "text", value: "data" },
      }],
    });
    await model.stream(call, watcher());
    assert.equal(server.requests[1]?.path, path);
    for (const text of kept) {
      assert.ok(server.bodies[1]?.includes(text), `${text} in ${server.bodies[1]}`);
    }
    assertEachBeginsWithTheOneBefore(server.requests);
  });

  Deno.test(`stream() ends an answer that is cut off, filtered or refused as such (${provider})`, async () => {
    const isGemini = provider === "gemini";
    const cut = isGemini
      ? [{ candidates: [{ content: { parts: [{ text: "Half" }] }, finishReason: "MAX_TOKENS" }] }]
      : [
        { type: "response.created", response: { id: "r", created_at: 1, model: "m" } },
        { type: "response.output_item.added", output_index: 0, item: { type: "message", id: "m" } },
        { type: "response.output_text.delta", item_id: "m", output_index: 0, delta: "Half" },
        { type: "response.output_item.done", output_index: 0, item: { type: "message", id: "m" } },
        {
          type: "response.incomplete",
          response: { incomplete_details: { reason: "max_output_tokens" } },
        },
      ];
    const overflow = isGemini
      ? [{
        error: {
          code: 400,
          message:
            "The input token count (1196265) exceeds the maximum number of tokens allowed (1048575).",
          status: "INVALID_ARGUMENT",
        },
      }]
      : [{
        type: "response.failed",
        response: {
          error: {
            code: "context_length_exceeded",
            message: "Your input exceeds the context window of this model.",
          },
        },
      }];
    const blocked = isGemini
      ? [{ promptFeedback: { blockReason: "PROHIBITED_CONTENT" } }]
      : [{ type: "error", code: "invalid_prompt", message: "blocked (PROHIBITED_CONTENT)" }];
    const replies = [cut, overflow, blocked].map((events) => ({ wire: wireOf(events) }));
    await using server = ModelServer.start([...replies, {
      wire: wireOf(cut).slice(0, isGemini ? 0 : 90),
    }]);
    const model = await openAt(server.baseUrl, { provider, name }, { maxTries: 1 });
    assert.equal((await model.stream(callWith("x"), watcher())).finish, "length");
    await assert.rejects(model.stream(callWith("x"), watcher()), ContextOverflow);
    await assert.rejects(model.stream(callWith("x"), watcher()), /PROHIBITED_CONTENT/);
    await assert.rejects(
      model.stream(callWith("x"), watcher()),
      (error) => error instanceof ModelError && error.kind === "connection",
    );
  });

  Deno.test(`stream() keeps the key out of the address and in its header (${provider})`, async () => {
    await using server = ModelServer.start(() => ({
      status: 400,
      body: { error: { message: `API key not valid: ${KEY}` } },
    }));
    const model = await openAt(server.baseUrl, { provider, name });
    await assert.rejects(model.stream(callWith("x"), watcher()), (error) => {
      assert.ok(error instanceof ModelError && error.kind === "authentication");
      assert.ok(!error.message.includes(KEY));
      return true;
    });
    const [request] = server.requests;
    assert.ok(!request?.path.includes(KEY));
    const header = provider === "gemini" ? "x-goog-api-key" : "authorization";
    assert.ok(request?.headers.get(header)?.endsWith(KEY));
  });
}

Deno.test("azure and vertex are rows with another header for the key", async () => {
  await using server = ModelServer.start(() => ({ status: 404 }));
  for (const [provider, header] of [["azure", "api-key"], ["vertex", "authorization"]] as const) {
    const model = await openAt(server.baseUrl, { provider, name: "m" });
    await assert.rejects(model.stream(callWith("x"), watcher()));
    const headers = server.requests.at(-1)?.headers;
    assert.ok(headers?.get(header)?.endsWith(KEY), provider);
    const others = ["api-key", "authorization", "x-goog-api-key"].filter((name) => name !== header);
    for (const name of others) assert.equal(headers?.get(name), null, `${provider}: ${name}`);
  }
});

// aimock leaves an interval of its own running when it is stopped.
const withAimock = { sanitizeOps: false, sanitizeResources: false };

Deno.test("stream() talks to aimock in Responses and Gemini", withAimock, async () => {
  await using aimock = await startAimock((mock) => {
    mock.onMessage("hello", { content: "Hi there!" });
    mock.onMessage("look", {
      toolCalls: [
        { name: "read_file", arguments: '{"path":"a"}' },
        { name: "read_file", arguments: '{"path":"b"}' },
      ],
    });
  });
  for (const { provider, name } of PROTOCOLS) {
    const base = provider === "gemini" ? `${aimock.url}/v1beta` : aimock.baseUrl;
    const model = await openAt(base, { provider, name });
    const hello = await model.stream(callWith("hello"), watcher());
    const said = hello.content.flatMap((part) => part.type === "text" ? part.text : []);
    assert.deepEqual(said, ["Hi there!"]);
    const tool = { name: "read_file", description: "Reads.", inputSchema: { type: "object" } };
    const look = await model.stream(callWith("look", { tools: [tool] }), watcher());
    assert.equal(look.finish, "tool-calls");
    const inputs = look.content.flatMap((part) => part.type === "tool-call" ? [part.input] : []);
    assert.deepEqual(inputs, [{ path: "a" }, { path: "b" }]);
  }
});
