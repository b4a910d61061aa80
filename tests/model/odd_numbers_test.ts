/** Numbers that cannot be: an answer is never lost to one, and what was made of it is said. */
import assert from "node:assert/strict";
import { ModelError } from "../../src/model/errors.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { ModelServer } from "../support/servers/mod.ts";
import { callWith, openAt, PROTOCOLS, watcher } from "./calls.ts";

/** What a provider may report, in the words of both protocols, and what is then counted. */
const NUMBERS: { value: unknown; counted: number | "estimated"; said: RegExp }[] = [
  { value: -100, counted: "estimated", said: /-100 \(estimated instead\)/ },
  { value: 1e308, counted: "estimated", said: /1e\+308 \(estimated instead\)/ },
  { value: "many", counted: "estimated", said: /"many" \(estimated instead\)/ },
  { value: { n: 1 }, counted: "estimated", said: /\{"n":1\} \(estimated instead\)/ },
  { value: 1_000_000_001, counted: "estimated", said: /1000000001 \(estimated instead\)/ },
  { value: 10.5, counted: 11, said: /10\.5 \(rounded\)/ },
];

for (const protocol of PROTOCOLS) {
  const isAnthropic = protocol.provider === "anthropic";
  for (const { value, counted, said } of NUMBERS) {
    Deno.test(`stream() keeps an answer with a usage of ${JSON.stringify(value)} tokens (${protocol.provider})`, async () => {
      await using server = ModelServer.start([{
        text: "Hi.",
        rawUsage: isAnthropic
          ? { output_tokens: value }
          : { prompt_tokens: 10, completion_tokens: value },
      }]);
      const model = await openAt(server.baseUrl, protocol);
      const watch = watcher();
      const { content, usage } = await model.stream(callWith("hello"), watch);
      assert.deepEqual(content, [{ type: "text", text: "Hi." }]);
      assert.equal(usage.isReported, counted !== "estimated");
      if (counted !== "estimated") assert.equal(usage.output, counted);
      for (const number of [usage.input, usage.output, usage.cacheRead, usage.cacheWrite]) {
        assert.ok(Number.isSafeInteger(number) && number >= 0, String(number));
      }
      assert.ok(usage.cost !== undefined && usage.cost >= 0 && usage.cost < 1);
      const notices = watch.events.flatMap((event) => event.type === "notice" ? event.text : []);
      assert.equal(notices.length, 1);
      assert.match(notices[0] ?? "", said);
    });
  }
}

Deno.test("stream() counts no more cached tokens than there are, and leaves a cost out that cannot be", async () => {
  await using server = ModelServer.start(["-1", 1e300].map((cost) => ({
    text: "Hi.",
    rawUsage: {
      prompt_tokens: 10,
      completion_tokens: 2,
      prompt_tokens_details: { cached_tokens: 30, cache_write_tokens: 5 },
      cost,
    },
  })));
  const model = await openAt(server.baseUrl, { provider: "openai", name: "gpt-5.2" });
  for (let round = 0; round < 2; round++) {
    const watch = watcher();
    const { usage } = await model.stream(callWith("hello"), watch);
    assert.deepEqual([usage.input, usage.cacheRead, usage.cacheWrite], [10, 10, 0]);
    assert.equal(usage.costSource, "estimated");
    const text = watch.events.flatMap((event) => event.type === "notice" ? event.text : []).join();
    assert.match(text, /35 cached of 10 input tokens/);
    assert.match(text, /cost .* \(left out\)/);
  }
});

Deno.test("stream() does not wait for the end of an error's text", async () => {
  const refusal = { error: { message: "no such model" } };
  await using server = ModelServer.start(() => ({ status: 404, body: refusal, isStalled: true }));
  for (const protocol of PROTOCOLS) {
    const model = await openAt(server.baseUrl, protocol, { wholeBodyMs: 300 }, systemClock);
    await assert.rejects(
      model.stream(callWith("hello"), watcher()),
      (error) => error instanceof ModelError && error.kind === "not-found",
    );
  }
});

Deno.test("stream() reads no more of an error's text than can be shown", async () => {
  await using server = ModelServer.start([{ status: 400, body: "x".repeat(300_000) }]);
  const model = await openAt(server.baseUrl, {});
  await assert.rejects(
    model.stream(callWith("hello"), watcher()),
    (error) => error instanceof ModelError && error.message.length < 600,
  );
});
