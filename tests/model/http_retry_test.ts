/** A model over real HTTP on loopback, in both protocols: what is sent again, and when it is given up. */
import assert from "node:assert/strict";
import { ModelError } from "../../src/model/errors.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { ModelServer } from "../support/servers/mod.ts";
import { callWith, openAt, PROTOCOLS, shownText, watcher } from "./calls.ts";

for (const protocol of PROTOCOLS) {
  const { provider } = protocol;
  const test = (name: string, run: () => Promise<void>) =>
    Deno.test(`stream() ${name} (${provider})`, run);

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

  test("ends when nothing more comes, and waits for a server on this machine to begin", async () => {
    const arrived = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    await using server = ModelServer.start(async (_, number) => {
      if (number === 1) {
        arrived.resolve();
        await begun.promise;
      }
      return number === 0
        ? { text: "Half of what was to be said.", isStalled: true, endBeforeEvent: 3 }
        : { text: "At last." };
    });
    // The clock makes a wait of 40 s pass at once.
    const sleeps: number[] = [];
    const model = await openAt(server.baseUrl, protocol, { idleTimeoutMs: 40_000 }, {
      now: () => new Date(),
      monotonicMs: () => 0,
      sleep: (durationMs, signal) => {
        sleeps.push(durationMs);
        return systemClock.sleep(50, signal);
      },
    });
    await assert.rejects(
      model.stream(callWith("hello"), watcher()),
      (error) =>
        error instanceof ModelError && error.kind === "timeout" &&
        /40 s.*silence_seconds/.test(error.message),
    );
    sleeps.length = 0;
    const late = model.stream(callWith("hello"), watcher());
    await arrived.promise;
    assert.deepEqual(sleeps, [], "no clock runs before it begins");
    begun.resolve();
    assert.deepEqual((await late).content, [{ type: "text", text: "At last." }]);
  });

  test("waits for a server on this machine that is loading its model, and says so once", async () => {
    await using server = ModelServer.start((_, number) =>
      number < 20
        ? { status: 503, body: { error: { message: "Loading model", code: 503 } } }
        : { text: "Loaded." }
    );
    const model = await openAt(server.baseUrl, protocol);
    const watch = watcher();
    const { content, retries } = await model.stream(callWith("hello"), watch);
    assert.deepEqual([content, retries], [[{ type: "text", text: "Loaded." }], 0]);
    const notices = watch.events.flatMap((event) => event.type === "notice" ? event.text : []);
    assert.equal(notices.length, 1);
    assert.match(notices[0] ?? "", /is loading the model/);
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
  test("counts a connection that breaks when none can have been an old one", async () => {
    await using server = ModelServer.start([{ isDropped: true }, { text: "Hi." }]);
    const model = await openAt(server.baseUrl, protocol);
    const { retries } = await model.stream(callWith("hello"), watcher());
    assert.equal(retries, 1);
  });
}
