/** What servers of the chat completions protocol do differently, and what each of them is sent. */
import assert from "node:assert/strict";
import { ModelServer, startAimock } from "../support/servers/mod.ts";
import { callWith, openAt, watcher } from "./calls.ts";

Deno.test("stream() takes tool calls without index that end with stop, and a second [DONE]", async () => {
  await using server = ModelServer.start([{
    calls: [{ tool: "a", input: { n: 1 } }, { tool: "b", input: { n: 2 } }],
    hasNoIndex: true,
    finish: "stop",
    doneCount: 2,
  }]);
  const model = await openAt(server.baseUrl, {});
  const completion = await model.stream(callWith("hello"), watcher());
  assert.equal(completion.finish, "tool-calls");
  assert.deepEqual(
    completion.content.map((part) => part.type === "tool-call" && [part.name, part.input]),
    [["a", { n: 1 }], ["b", { n: 2 }]],
  );
});

Deno.test("stream() takes [DONE] for the end when no event names a reason to stop", async () => {
  await using server = ModelServer.start([{ text: "Done.", hasNoFinish: true }]);
  const model = await openAt(server.baseUrl, {});
  const completion = await model.stream(callWith("hello"), watcher());
  assert.equal(completion.finish, "stop");
  assert.equal(completion.retries, 0);
});

Deno.test("stream() takes the end for the end when [DONE] is missing", async () => {
  await using server = ModelServer.start([{ text: "Done.", doneCount: 0 }]);
  const model = await openAt(server.baseUrl, {});
  const completion = await model.stream(callWith("hello"), watcher());
  assert.deepEqual([completion.finish, completion.retries], ["stop", 0]);
});

Deno.test("stream() takes the cost that OpenRouter reports", async () => {
  await using server = ModelServer.start([
    { text: "Hi.", usage: { input: 10, output: 2, cost: 0.00125, reasoning: 1 } },
  ]);
  const model = await openAt(server.baseUrl, { provider: "openrouter", name: "vendor/unknown" });
  const { usage } = await model.stream(callWith("hello"), watcher());
  assert.deepEqual(usage, {
    input: 10,
    output: 2,
    cacheRead: 0,
    cacheWrite: 0,
    reasoning: 1,
    isReported: true,
    cost: 0.00125,
    costSource: "reported",
  });
});

Deno.test("stream() estimates at the configured price, and knows when it knows nothing", async () => {
  await using server = ModelServer.start(() => ({
    text: "Hi.",
    usage: { input: 1000, output: 10, cacheRead: 400 },
  }));
  const priced = await openAt(server.baseUrl, { price: { input: 1, output: 10, cacheRead: 0.1 } });
  const { usage } = await priced.stream(callWith("hello"), watcher());
  assert.equal(usage.costSource, "estimated");
  assert.ok(Math.abs((usage.cost ?? 0) - 0.00074) < 1e-9);
  const unknown = await openAt(server.baseUrl, {});
  const other = (await unknown.stream(callWith("hello"), watcher())).usage;
  assert.equal(other.costSource, "unknown");
  assert.equal(other.cost, undefined);
});

Deno.test("encode() sends each provider the fields that it knows, and no others", async () => {
  const call = callWith("hello", { slot: 1, parameters: { maxOutputTokens: 50, min_p: 0.1 } });
  const bodyOf = async (provider: "openai" | "openrouter" | "llamacpp" | "ollama") => {
    const model = await openAt("http://127.0.0.1:9/v1", { provider });
    const { messages: _messages, ...body } = JSON.parse(
      new TextDecoder().decode(await model.encode(call)),
    );
    return body;
  };
  const common = {
    model: "test",
    min_p: 0.1,
    stream: true,
    stream_options: { include_usage: true },
  };
  assert.deepEqual(await bodyOf("openai"), {
    ...common,
    max_completion_tokens: 50,
    prompt_cache_key: "session-1",
  });
  assert.deepEqual(await bodyOf("openrouter"), {
    ...common,
    max_tokens: 50,
    prompt_cache_key: "session-1",
    usage: { include: true },
  });
  assert.deepEqual(await bodyOf("llamacpp"), {
    ...common,
    max_tokens: 50,
    cache_prompt: true,
    id_slot: 1,
  });
  assert.deepEqual(await bodyOf("ollama"), { ...common, max_tokens: 50 });
});

// aimock leaves an interval of its own running when it is stopped.
const withAimock = { sanitizeOps: false, sanitizeResources: false };

Deno.test("stream() talks to aimock in both protocols", withAimock, async () => {
  await using aimock = await startAimock((mock) => {
    mock.onMessage("hello", { content: "Hi there!" });
    mock.onMessage("look", {
      toolCalls: [
        { name: "read_file", arguments: '{"path":"a"}' },
        { name: "read_file", arguments: '{"path":"b"}' },
      ],
    });
  });
  for (const provider of ["openai", "anthropic"] as const) {
    const model = await openAt(aimock.baseUrl, { provider });
    const hello = await model.stream(callWith("hello"), watcher());
    assert.deepEqual(hello.content, [{ type: "text", text: "Hi there!" }]);
    const tool = { name: "read_file", description: "Reads.", inputSchema: { type: "object" } };
    const look = await model.stream(callWith("look", { tools: [tool] }), watcher());
    assert.equal(look.finish, "tool-calls");
    const inputs = look.content.flatMap((part) => part.type === "tool-call" ? [part.input] : []);
    assert.deepEqual(inputs, [{ path: "a" }, { path: "b" }]);
    assert.equal(new Set(look.content.map((part) => part.type === "tool-call" && part.id)).size, 2);
  }
});
