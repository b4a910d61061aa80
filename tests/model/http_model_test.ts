/** A model over real HTTP on loopback, in both protocols: what it gives and what it refuses. */
import assert from "node:assert/strict";
import { sha256Hex } from "../../src/platform/canonical_json.ts";
import { ContextOverflow, ModelError } from "../../src/model/errors.ts";
import { assistantMessage } from "../../src/model/prompt.ts";
import { ModelServer, strictly } from "../support/servers/mod.ts";
import { callWith, KEY, openAt, PROTOCOLS, shownText, watcher } from "./calls.ts";

for (const protocol of PROTOCOLS) {
  const { provider } = protocol;
  const test = (name: string, run: () => Promise<void>) =>
    Deno.test(`stream() ${name} (${provider})`, run);

  test("gives the whole answer, its usage and the request that was sent", async () => {
    await using server = ModelServer.start([{
      reasoning: "Let me look.",
      text: "Ünïcode 😀 text that is cut into pieces.",
      calls: [
        { tool: "read_file", input: { path: "a" }, id: "c1" },
        { tool: "list_files", raw: '{"path": ', id: "c2" },
        { tool: "git_diff", raw: "", id: "c3" },
      ],
      usage: { input: 1000, output: 20, cacheRead: 600 },
    }]);
    const model = await openAt(server.baseUrl, protocol);
    const watch = watcher();
    const completion = await model.stream(callWith("hello"), watch);
    const [reasoning, ...rest] = completion.content;
    assert.ok(reasoning?.type === "reasoning");
    assert.equal(reasoning.text, "Let me look.");
    assert.deepEqual(
      reasoning.providerMetadata,
      provider === "anthropic" ? { anthropic: { signature: "signature-0" } } : undefined,
    );
    assert.deepEqual(rest, [
      { type: "text", text: "Ünïcode 😀 text that is cut into pieces." },
      { type: "tool-call", name: "read_file", id: "c1", input: { path: "a" } },
      { type: "tool-call", name: "list_files", id: "c2", input: {}, malformed: '{"path": ' },
      { type: "tool-call", name: "git_diff", id: "c3", input: {} },
    ]);
    assert.equal(completion.finish, "tool-calls");
    const { cost, ...usage } = completion.usage;
    assert.deepEqual(usage, {
      input: 1000,
      output: 20,
      cacheRead: 600,
      cacheWrite: 0,
      isReported: true,
      costSource: "estimated",
    });
    assert.ok(cost !== undefined && cost > 0 && cost < 0.01);
    const body = server.requests[0]?.body ?? new Uint8Array();
    assert.deepEqual(completion.request, {
      sizeBytes: body.byteLength,
      sha256: sha256Hex(body),
    });
    assert.deepEqual(await model.encode(callWith("hello")), body);
    assert.equal(completion.retries, 0);
    assert.equal(shownText(watch.events), "Ünïcode 😀 text that is cut into pieces.");
    const started = watch.events.flatMap((event) =>
      event.type === "tool-call-started" ? event.name : []
    );
    assert.deepEqual(started, ["read_file", "list_files", "git_diff"]);
  });

  test("goes on after an answer of reasoning alone, as the strictest server wants it", async () => {
    await using server = ModelServer.start(strictly([{ reasoning: "Hm." }, { text: "Yes." }]));
    const model = await openAt(server.baseUrl, protocol);
    const call = callWith("hello");
    const { content } = await model.stream(call, watcher());
    call.prompt.push(assistantMessage(content), {
      role: "user",
      content: [{ type: "text", text: "Well?" }],
    });
    const next = await model.stream(call, watcher());
    assert.deepEqual(next.content, [{ type: "text", text: "Yes." }]);
  });

  test("estimates the tokens of an answer without usage, and says so", async () => {
    await using server = ModelServer.start([{ text: "x".repeat(400), usage: false }]);
    const model = await openAt(server.baseUrl, protocol);
    const { usage, request } = await model.stream(callWith("hello"), watcher());
    assert.equal(usage.isReported, false);
    assert.equal(usage.input, Math.ceil(request.sizeBytes / 4));
    assert.ok(usage.output >= 100 && usage.output < 120);
  });

  test("names what is not in the protocol in a message that can be read", async () => {
    const long = JSON.stringify("x".repeat(1_000_000));
    await using server = ModelServer.start([{
      status: 200,
      headers: { "content-type": "text/event-stream" },
      body: `data: {"choices":${long}}\n\n`,
    }]);
    const model = await openAt(server.baseUrl, protocol);
    await assert.rejects(model.stream(callWith("hello"), watcher()), (error) => {
      assert.ok(error instanceof ModelError);
      assert.equal(error.kind, "protocol", error.message.slice(0, 300));
      assert.ok(error.message.length < 1000, `${error.message.length} characters`);
      return true;
    });
  });

  test("ends an endless answer", async () => {
    await using server = ModelServer.start([{ isEndless: true }]);
    const model = await openAt(server.baseUrl, protocol, { maxAnswerLength: 20_000 });
    await assert.rejects(
      model.stream(callWith("hello"), watcher()),
      (error) => error instanceof ModelError && error.kind === "too-large",
    );
    await using wire = ModelServer.start([{ isEndless: true }]);
    await assert.rejects(
      (await openAt(wire.baseUrl, protocol, { maxWireBytes: 50_000 })).stream(
        callWith("x"),
        watcher(),
      ),
      (error) => error instanceof ModelError && error.kind === "too-large",
    );
  });

  test("ends when its signal is aborted, with the signal's reason", async () => {
    await using server = ModelServer.start([{ isEndless: true }]);
    const model = await openAt(server.baseUrl, protocol);
    const controller = new AbortController();
    const reason = new Error("the user has had enough");
    const stream = model.stream(callWith("hello"), {
      signal: controller.signal,
      onEvent: () => controller.abort(reason),
    });
    await assert.rejects(stream, (error) => error === reason);
  });

  test("refuses at once, with the provider, the host and the next step, and without the key", async () => {
    const cases = [
      { status: 401, kind: "authentication", step: `${provider.toUpperCase()}_API_KEY` },
      { status: 403, kind: "authentication", step: "Check" },
      { status: 404, kind: "not-found", step: protocol.name },
      { status: 400, kind: "bad-request", step: "parameters" },
      { status: 402, kind: "payment", step: "billing" },
    ];
    await using server = ModelServer.start((_, number) => ({
      status: cases[number]?.status ?? 500,
      body: { error: { message: `no: ${KEY}` } },
    }));
    const model = await openAt(server.baseUrl, protocol);
    for (const { kind, step } of cases) {
      await assert.rejects(model.stream(callWith("hello"), watcher()), (error) => {
        assert.ok(error instanceof ModelError);
        assert.equal(error.kind, kind);
        assert.ok(error.message.includes(new URL(server.url).host), error.message);
        assert.ok(error.message.includes(step), error.message);
        assert.ok(!error.message.includes(KEY), error.message);
        return true;
      });
    }
    assert.equal(server.requests.length, cases.length);
  });

  test("knows a context overflow", async () => {
    await using server = ModelServer.start([
      {
        status: 400,
        body: { error: { message: "prompt is too long: 210000 tokens > 200000 maximum" } },
      },
      { status: 400, body: { error: { type: "exceed_context_size_error", message: "too big" } } },
      {
        errorEvent: {
          error: { type: "invalid_request_error", code: "context_length_exceeded", message: "no" },
          type: "error",
        },
      },
    ]);
    const model = await openAt(server.baseUrl, protocol);
    for (let round = 0; round < 3; round++) {
      await assert.rejects(model.stream(callWith("hello"), watcher()), ContextOverflow);
    }
    assert.equal(server.requests.length, 3);
  });

  test("reports an answer that hit its length", async () => {
    const finish = provider === "anthropic" ? "max_tokens" : "length";
    await using server = ModelServer.start([
      { text: "Half a", finish },
      { calls: [{ tool: "read_file", raw: '{"path": "ha' }], finish },
    ]);
    const model = await openAt(server.baseUrl, protocol);
    assert.equal((await model.stream(callWith("hello"), watcher())).finish, "length");
    const completion = await model.stream(callWith("hello"), watcher());
    assert.equal(completion.finish, "length");
    const [call] = completion.content;
    assert.ok(call?.type === "tool-call" && call.malformed === '{"path": "ha');
  });

  test("passes on what the caller's own function throws", async () => {
    await using server = ModelServer.start([{ text: "Hi." }]);
    const model = await openAt(server.baseUrl, protocol);
    const error = new Error("a defect of the caller's");
    const onEvent = () => {
      throw error;
    };
    await assert.rejects(
      model.stream(callWith("hello"), { ...watcher(), onEvent }),
      (thrown) => thrown === error,
    );
  });
}
