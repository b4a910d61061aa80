/** A model over real HTTP on loopback, in both protocols. */
import assert from "node:assert/strict";
import { sha256Hex } from "../../src/platform/canonical_json.ts";
import { ContextOverflow, ModelError } from "../../src/model/errors.ts";
import { ModelServer } from "../support/servers/mod.ts";
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

  test("repeats after 429 with retry-after and after 500, and says so", async () => {
    await using server = ModelServer.start([
      { status: 429, headers: { "retry-after": "2" }, body: { error: { message: "slow down" } } },
      { status: 529, body: "overloaded" },
      { text: "At last." },
    ]);
    const model = await openAt(server.baseUrl, protocol);
    const watch = watcher();
    const completion = await model.stream(callWith("hello"), watch);
    assert.equal(completion.retries, 2);
    assert.deepEqual(watch.events.filter((event) => event.type === "retry"), [
      { type: "retry", attempt: 1, reason: "429: slow down", waitMs: 2000 },
      { type: "retry", attempt: 2, reason: "529: overloaded", waitMs: 1000 },
    ]);
    assert.equal(server.bodies[2], server.bodies[0]);
  });

  test("gives up after the allowed tries, and at once when the wait is too long", async () => {
    await using server = ModelServer.start((_, number) =>
      number < 3
        ? { status: 503, body: "down" }
        : { status: 429, headers: { "retry-after": "7200" } }
    );
    const model = await openAt(server.baseUrl, protocol, { maxTries: 3 });
    await assert.rejects(
      model.stream(callWith("hello"), watcher()),
      (error) =>
        error instanceof ModelError && error.kind === "server" && /3 tries/.test(error.message),
    );
    await assert.rejects(
      model.stream(callWith("hello"), watcher()),
      (error) =>
        error instanceof ModelError && error.kind === "rate-limit" && /7200 s/.test(error.message),
    );
    assert.equal(server.requests.length, 4);
  });

  test("repeats whole what was cut at any byte, and nothing of the half is left", async () => {
    const reply = {
      reasoning: "Thinking.",
      text: "The text.",
      calls: [{ tool: "read_file", input: { path: "a/b" } }],
    };
    for (let cutAfterBytes = 0; cutAfterBytes < 1500; cutAfterBytes += 111) {
      await using server = ModelServer.start([{ ...reply, cutAfterBytes }, reply]);
      const model = await openAt(server.baseUrl, protocol);
      const watch = watcher();
      const completion = await model.stream(callWith("hello"), watch);
      assert.equal(completion.content.length, 3, `cut after ${cutAfterBytes}`);
      assert.equal(shownText(watch.events), "The text.");
      const isWhole = server.requests.length === 1;
      assert.equal(completion.retries, isWhole ? 0 : 1);
    }
  });

  test("takes a stream that ends before its end for a cut one", async () => {
    await using server = ModelServer.start([{ text: "The text.", endBeforeEvent: 3 }, {
      text: "Whole.",
    }]);
    const model = await openAt(server.baseUrl, protocol);
    const watch = watcher();
    const completion = await model.stream(callWith("hello"), watch);
    assert.deepEqual(completion.content, [{ type: "text", text: "Whole." }]);
    assert.equal(shownText(watch.events), "Whole.");
    assert.equal(completion.retries, 1);
  });

  test("replaces a connection that the server had closed without counting it", async () => {
    await using server = ModelServer.start([
      { text: "One." },
      { isDropped: true },
      { isDropped: true },
      { text: "Two." },
    ]);
    const model = await openAt(server.baseUrl, protocol);
    await model.stream(callWith("hello"), watcher());
    const watch = watcher();
    const completion = await model.stream(callWith("hello"), watch);
    assert.deepEqual(completion.content, [{ type: "text", text: "Two." }]);
    assert.equal(completion.retries, 0);
    assert.deepEqual(watch.events.filter((event) => event.type === "retry"), []);
  });

  test("survives a server that closes after each answer, a hundred times", async () => {
    await using server = ModelServer.start(() => ({ text: "Yes.", closesAfterwards: true }));
    const model = await openAt(server.baseUrl, protocol);
    for (let round = 0; round < 100; round++) {
      const { retries } = await model.stream(callWith(`round ${round}`), watcher());
      assert.equal(retries, 0);
    }
  });

  test("estimates the tokens of an answer without usage, and says so", async () => {
    await using server = ModelServer.start([{ text: "x".repeat(400), usage: false }]);
    const model = await openAt(server.baseUrl, protocol);
    const { usage, request } = await model.stream(callWith("hello"), watcher());
    assert.equal(usage.isReported, false);
    assert.equal(usage.input, Math.ceil(request.sizeBytes / 4));
    assert.ok(usage.output >= 100 && usage.output < 120);
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

  test("ends when nothing comes, before the answer and within it", async () => {
    await using server = ModelServer.start([{ isSilent: true }, { isStalled: true }]);
    // The clock makes a wait of 40 s pass at once.
    const model = await openAt(server.baseUrl, protocol, { idleTimeoutMs: 40_000 }, {
      now: () => new Date(),
      monotonicMs: () => 0,
      sleep: async (_, signal) => {
        const { promise, reject } = Promise.withResolvers<never>();
        signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
        const soon = server.requests.length === 0 ? 100 : 50;
        await Promise.race([new Promise((resolve) => setTimeout(resolve, soon)), promise]);
      },
    });
    for (let round = 0; round < 2; round++) {
      await assert.rejects(
        model.stream(callWith("hello"), watcher()),
        (error) =>
          error instanceof ModelError && error.kind === "timeout" && /40 s/.test(error.message),
      );
    }
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

  test("repeats when the stream carries an error of the server's", async () => {
    const errorEvent = {
      type: "error",
      error: { type: "overloaded_error", message: "Overloaded" },
    };
    await using server = ModelServer.start([{ errorEvent }, { text: "Fine." }]);
    const model = await openAt(server.baseUrl, protocol);
    const completion = await model.stream(callWith("hello"), watcher());
    assert.equal(completion.retries, 1);
    assert.deepEqual(completion.content, [{ type: "text", text: "Fine." }]);
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

  test("says what is wrong when no server is there or it is no model server", async () => {
    const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const { port } = listener.addr;
    listener.close();
    const absent = await openAt(`http://127.0.0.1:${port}/v1`, protocol, { maxTries: 2 });
    await assert.rejects(
      absent.stream(callWith("hello"), watcher()),
      (error) =>
        error instanceof ModelError && error.kind === "connection" && /2 tries/.test(error.message),
    );
    await using server = ModelServer.start([
      { status: 200, headers: { "content-type": "text/html" }, body: "<html>welcome</html>" },
      { status: 301, headers: { location: "https://elsewhere.invalid/" } },
    ]);
    const model = await openAt(server.baseUrl, protocol);
    await assert.rejects(
      model.stream(callWith("hello"), watcher()),
      (error) => error instanceof ModelError && error.kind === "protocol",
    );
    await assert.rejects(
      model.stream(callWith("hello"), watcher()),
      /moved to https:\/\/elsewhere/,
    );
  });
}
