/** The property that keeps a provider's cache warm: a longer conversation begins with the shorter one's bytes. */
import assert from "node:assert/strict";
import fc from "fast-check";
import type { JsonValue } from "../../src/platform/canonical_json.ts";
import type { CompletionPart, Prompt, PromptMessage } from "../../src/model/port.ts";
import { assistantMessage } from "../../src/model/prompt.ts";
import { replayModel } from "../../src/model/replay.ts";
import { callWith, openAt } from "./calls.ts";

const text = fc.oneof(
  fc.constantFrom("", " ", "\n", "]}", '"}]}', "\u2028", "😀 ünï", '{"messages":[]}'),
  fc.string({ unit: "binary" }),
);

const json = fc.json({ maxDepth: 2 }).map((written): JsonValue => JSON.parse(written));
const input = fc.dictionary(fc.oneof(fc.string(), fc.constantFrom("1", "10", "__proto__")), json);

const part: fc.Arbitrary<CompletionPart> = fc.oneof(
  fc.record({ type: fc.constant("text" as const), text }),
  fc.record({ type: fc.constant("reasoning" as const), text }),
  fc.record({
    type: fc.constant("reasoning" as const),
    text,
    providerMetadata: fc.record({
      anthropic: fc.record({ signature: fc.string({ minLength: 1 }) }),
    }),
  }),
  fc.record({
    type: fc.constant("reasoning" as const),
    text,
    providerMetadata: fc.record({
      openai: fc.record({ itemId: fc.uuid(), reasoningEncryptedContent: fc.string() }),
      google: fc.record({ thoughtSignature: fc.string({ minLength: 1 }) }),
    }),
  }),
  fc.record({
    type: fc.constant("tool-call" as const),
    name: fc.constantFrom("read_file", "run_command"),
    id: fc.uuid(),
    input,
  }),
);

/** One step: a message of the user, or an answer with the results of its calls. */
const step = fc.oneof(
  fc.record({ user: text, hasImage: fc.boolean() }),
  fc.record({ answer: fc.array(part, { maxLength: 5 }), results: text, isSplit: fc.boolean() }),
);

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const PICTURE = {
  type: "file",
  mediaType: "image/png",
  data: { type: "data", data: "iVBORw0KGgo=" },
} as const;

function messagesOf(taken: Step): PromptMessage[] {
  if ("user" in taken) {
    const said = { type: "text", text: taken.user } as const;
    return [{ role: "user", content: taken.hasImage ? [said, PICTURE] : [said] }];
  }
  const results = taken.answer.flatMap((called) =>
    called.type !== "tool-call" ? [] : [{
      type: "tool-result" as const,
      toolCallId: called.id,
      toolName: called.name,
      output: { type: "text" as const, value: taken.results },
    }]
  );
  const tools: PromptMessage[] = taken.isSplit
    ? results.map((result) => ({ role: "tool", content: [result] }))
    : results.length > 0
    ? [{ role: "tool", content: results }]
    : [];
  return [assistantMessage(taken.answer), ...tools];
}

/** The prompts of the requests of a conversation: one wherever the model is to speak. */
function requestsOf(system: string, steps: Step[]): Prompt[] {
  const prompt: Prompt = [{ role: "system", content: system }];
  const requests: Prompt[] = [];
  for (const taken of [{ user: "begin", hasImage: false }, ...steps]) {
    prompt.push(...messagesOf(taken));
    if (prompt[prompt.length - 1]?.role !== "assistant") requests.push([...prompt]);
  }
  return requests;
}

const MODELS = {
  openai: () => openAt("http://127.0.0.1:9/v1", { provider: "openai", name: "gpt-5.2" }),
  llamacpp: () => openAt("http://127.0.0.1:9/v1", { provider: "llamacpp" }),
  responses: () =>
    openAt("http://127.0.0.1:9/v1", { provider: "openai-responses", name: "gpt-5.2" }),
  gemini: () => openAt("http://127.0.0.1:9/v1beta", { provider: "gemini", name: "gemini-2.5-pro" }),
  anthropic: () =>
    openAt("http://127.0.0.1:9/v1", { provider: "anthropic", name: "claude-sonnet-5" }),
  replay: () => replayModel([], "none"),
};

for (const [name, open] of Object.entries(MODELS)) {
  Deno.test(`encode() of a growing conversation only adds at the end (${name})`, async () => {
    const model = await open();
    const decoder = new TextDecoder();
    await fc.assert(
      fc.asyncProperty(text, fc.array(step, { maxLength: 8 }), async (system, steps) => {
        let before = "";
        for (const prompt of requestsOf(system, steps)) {
          const call = callWith("", { prompt, parameters: { temperature: 0 }, slot: 0 });
          const body = decoder.decode(await model.encode(call));
          assert.ok(body.endsWith("]}"));
          assert.ok(body.startsWith(before.slice(0, -2)), `${before}\n${body}`);
          assert.ok(body.length > before.length);
          before = body;
        }
      }),
      { numRuns: 150 },
    );
  });
}

Deno.test("encode() keeps every user text, tool call and tool result (anthropic)", async () => {
  const model = await MODELS.anthropic();
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
      const prompt = requestsOf("s", steps).at(-1) ?? [];
      const body: unknown = JSON.parse(
        new TextDecoder().decode(await model.encode(callWith("", { prompt }))),
      );
      const sent = JSON.stringify(body);
      for (const message of prompt) {
        if (message.role === "tool") {
          for (const result of message.content) {
            assert.ok(
              result.type === "tool-result" &&
                sent.includes(`"tool_use_id":"${result.toolCallId}"`),
            );
          }
        }
        if (message.role !== "user") continue;
        for (const said of message.content) {
          if (said.type !== "text" || said.text.trim() === "") continue;
          assert.ok(sent.includes(JSON.stringify(said.text)));
        }
      }
      assert.ok(!/"content":\[\]/.test(sent), "no empty message");
      assert.ok(!/"text":"\s*"/.test(sent), "no empty text");
    }),
    { numRuns: 100 },
  );
});

Deno.test("encode() sends interrupted turns as messages of their own (anthropic)", async () => {
  const model = await MODELS.anthropic();
  const user = (said: string): PromptMessage => ({
    role: "user",
    content: [{ type: "text", text: said }],
  });
  const prompt: Prompt = [{ role: "system", content: "s" }, user("one"), user("two")];
  const body = JSON.parse(new TextDecoder().decode(await model.encode(callWith("", { prompt }))));
  assert.deepEqual(body.messages, [
    { role: "user", content: [{ type: "text", text: "one" }] },
    { role: "user", content: [{ type: "text", text: "two" }] },
  ]);
  assert.deepEqual(body.cache_control, { type: "ephemeral" });
  assert.deepEqual(body.system, [{
    type: "text",
    text: "s",
    cache_control: { type: "ephemeral" },
  }]);
});
