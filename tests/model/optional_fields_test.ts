/** Fields that a server refuses: left out after it has said so, over HTTP. */
import assert from "node:assert/strict";
import { ModelServer } from "../support/servers/mod.ts";
import { callWith, openAt, watcher } from "./calls.ts";

/** A server that refuses the fields `names` in these words, one at a time, as long as they stand in a request. */
function refusing(names: readonly string[], words: (name: string) => unknown): ModelServer {
  return ModelServer.start(({ body }) => {
    const text = new TextDecoder().decode(body);
    const name = names.find((name) => text.includes(`"${name}"`));
    return name === undefined ? { text: "Hi." } : { status: 400, body: words(name) };
  });
}

/** How servers say it. */
const WORDS: readonly ((name: string) => unknown)[] = [
  (name) => ({ error: { message: `Unrecognized request argument supplied: ${name}` } }),
  (name) => ({ detail: [{ loc: ["body", name], msg: "Extra inputs are not permitted" }] }),
  (name) => ({
    error: { message: `${name}: Extra inputs are not permitted`, type: "invalid_request_error" },
  }),
  (name) => ({ error: { message: `property 'messages.1.${name}' is unsupported` } }),
];

const FIELDS: { provider: "openai" | "openrouter" | "llamacpp" | "anthropic"; names: string[] }[] =
  [
    { provider: "openai", names: ["stream_options", "prompt_cache_key"] },
    { provider: "openrouter", names: ["usage", "stream_options", "prompt_cache_key"] },
    { provider: "llamacpp", names: ["cache_prompt", "id_slot", "reasoning_content"] },
    { provider: "anthropic", names: ["cache_control"] },
  ];

for (const { provider, names } of FIELDS) {
  Deno.test(`stream() leaves out what is refused, says so once, and goes on (${provider})`, async () => {
    for (const words of WORDS) {
      // Anthropic's cache_control stands in the system message too, from where it is not taken.
      await using server = provider === "anthropic"
        ? ModelServer.start(({ body }) =>
          JSON.parse(new TextDecoder().decode(body)).cache_control === undefined
            ? { text: "Hi." }
            : { status: 400, body: words("cache_control") }
        )
        : refusing(names, words);
      const model = await openAt(server.baseUrl, { provider });
      const call = callWith("hello", { slot: 1 });
      call.prompt.push(
        {
          role: "assistant",
          content: [{ type: "reasoning", text: "Hm." }, { type: "text", text: "Yes?" }],
        },
        { role: "user", content: [{ type: "text", text: "Go on." }] },
      );
      const first = watcher();
      const completion = await model.stream(call, first);
      assert.equal(completion.retries, 0);
      const notices = first.events.flatMap((event) => event.type === "notice" ? event.text : []);
      assert.deepEqual(
        notices.map((text) => /the field (\w+):/.exec(text)?.[1]).toSorted(),
        names.toSorted(),
      );
      const second = watcher();
      await model.stream(call, second);
      assert.deepEqual(second.events.filter(({ type }) => type === "notice"), []);
      assert.equal(server.requests.length, names.length + 2);

      const reopened = await openAt(server.baseUrl, { provider });
      assert.deepEqual(
        await reopened.encode(call, completion.request.sha256),
        server.requests.at(-1)?.body,
        "a request that was sent without the fields is built without them at another time",
      );
      await reopened.stream(call, watcher());
      assert.equal(server.requests.length, names.length + 3, "and what follows it too");
    }
  });
}

Deno.test("stream() leaves out nothing that the user asked for, and nothing that is not named", async () => {
  await using server = ModelServer.start([
    { status: 400, body: { error: { message: "unknown field parallel_tool_calls" } } },
    { status: 400, body: { error: { message: "stream_options_extra is wrong" } } },
    { status: 400, body: { error: { message: "unknown field tools" } } },
  ]);
  const model = await openAt(server.baseUrl, {});
  const tools = [{ name: "t", description: "", inputSchema: { type: "object" } }];
  const call = callWith("hello", { parameters: { parallel_tool_calls: false }, tools });
  for (const said of [/parallel_tool_calls/, /stream_options_extra/, /field tools/]) {
    await assert.rejects(model.stream(call, watcher()), said);
  }
  assert.equal(server.requests.length, 3);
});
