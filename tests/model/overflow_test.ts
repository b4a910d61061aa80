/** "It does not fit", in the words that each provider really sends, over HTTP, and the window that they tell. */
import assert from "node:assert/strict";
import { ContextOverflow } from "../../src/model/errors.ts";
import { ModelServer } from "../support/servers/mod.ts";
import { callWith, openAt, watcher } from "./calls.ts";

const error = (message: string, fields: object = {}) => ({ error: { message, ...fields } });

/** Who says it, the status, the body, and the window in it. */
const ANSWERS: [who: string, status: number, body: unknown, tokens: number | undefined][] = [
  [
    "OpenAI",
    400,
    error(
      "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.",
      { code: "context_length_exceeded" },
    ),
    8192,
  ],
  [
    "OpenAI (Responses)",
    400,
    error(
      "Your input exceeds the context window of this model. Please adjust your input and try again.",
      { code: "context_length_exceeded" },
    ),
    undefined,
  ],
  ["Anthropic", 400, {
    type: "error",
    ...error("prompt is too long: 210000 tokens > 200000 maximum", {
      type: "invalid_request_error",
    }),
  }, 200_000],
  [
    "Anthropic (output)",
    400,
    error("input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000"),
    200_000,
  ],
  ["xAI", 400, {
    code: "Client specified an invalid argument",
    error: "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
  }, 131_072],
  ["Copilot", 400, error("prompt token count of 140000 exceeds the limit of 128000"), 128_000],
  [
    "Kimi",
    400,
    error("Invalid request: Your request exceeded model token limit: 262144 (requested: 300000)"),
    262_144,
  ],
  [
    "Gemini",
    400,
    error(
      "The input token count (1196265) exceeds the maximum number of tokens allowed (1048575).",
    ),
    1_048_575,
  ],
  ["Groq", 400, error("Please reduce the length of the messages or completion."), undefined],
  ["Mistral", 400, {
    message:
      "Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length",
  }, 32_768],
  [
    "Together",
    422,
    error(
      "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 8193. Given: 9000 `inputs` tokens and 512 `max_new_tokens`",
    ),
    8193,
  ],
  [
    "Fireworks",
    400,
    error("The prompt is too long: 140000, model maximum context length: 131072"),
    131_072,
  ],
  ["vLLM", 400, {
    object: "error",
    message:
      "You passed 9000 input tokens and requested 0 output tokens. However, the model's context length is only 8192 tokens",
    code: 400,
  }, 8192],
  ["SGLang", 400, {
    object: "error",
    message: "The input (9000 tokens) is longer than the model's context length (8192 tokens).",
  }, 8192],
  ["LM Studio", 400, {
    error:
      "The number of tokens to keep from the initial prompt is greater than the context length",
  }, undefined],
  ["LM Studio (loaded)", 400, {
    error:
      "Trying to keep the first 5013 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough.",
  }, 4096],
  ["llama.cpp", 400, {
    error: {
      code: 400,
      message: "the request exceeds the available context size, try increasing it",
      type: "exceed_context_size_error",
      n_prompt_tokens: 9000,
      n_ctx: 4096,
    },
  }, 4096],
  ["Ollama", 500, { error: "the input length exceeds the context length" }, undefined],
  ["MiniMax", 400, error("invalid params, context window exceeds limit (2013)"), undefined],
  ["Bedrock", 400, { message: "Input is too long for requested model." }, undefined],
  ["a gateway", 413, "Payload Too Large", undefined],
];

for (const [who, status, body, tokens] of ANSWERS) {
  Deno.test(`stream() knows that it does not fit when ${who} says so`, async () => {
    await using server = ModelServer.start([{ status, body }]);
    const model = await openAt(server.baseUrl, {});
    await assert.rejects(model.stream(callWith("hello"), watcher()), ContextOverflow);
    assert.equal(server.requests.length, 1);
    assert.equal(
      model.contextWindowTokens,
      tokens,
      "the window that was told is known from then on",
    );
  });
}

Deno.test("stream() takes no other refusal for one that is about the window", async () => {
  const others = [
    error("Rate limit reached: 8000 tokens per minute exceeded"),
    error("max_tokens is too large: 100000. This model supports at most 16384 completion tokens"),
    error("the tool schema exceeds the allowed size"),
    error("context deadline exceeded"),
  ];
  await using server = ModelServer.start((_, number) => ({ status: 400, body: others[number] }));
  const model = await openAt(server.baseUrl, {});
  for (const _ of others) {
    await assert.rejects(
      model.stream(callWith("hello"), watcher()),
      (thrown) => !(thrown instanceof ContextOverflow),
    );
  }
});
