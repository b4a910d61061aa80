/** Pictures: where each protocol puts them, and who says that a model takes none. */
import assert from "node:assert/strict";
import { findImageSupport, refusesImages } from "../../src/model/image_support.ts";
import type { Prompt } from "../../src/model/port.ts";
import type { ProviderName } from "../../src/model/providers.ts";
import { callWith, openAt } from "./calls.ts";

const DATA = "iVBORw0KGgo=";
const PROMPT: Prompt = [
  { role: "system", content: "s" },
  {
    role: "user",
    content: [
      { type: "text", text: "What is this?" },
      { type: "file", mediaType: "image/png", data: { type: "data", data: DATA } },
    ],
  },
];

const PLACES: Readonly<Partial<Record<ProviderName, unknown>>> = {
  "openai-compatible": { type: "image_url", image_url: { url: `data:image/png;base64,${DATA}` } },
  anthropic: {
    type: "image",
    source: { type: "base64", media_type: "image/png", data: DATA },
  },
  "openai-responses": { type: "input_image", image_url: `data:image/png;base64,${DATA}` },
  gemini: { inlineData: { mimeType: "image/png", data: DATA } },
};

for (const [provider, place] of Object.entries(PLACES)) {
  Deno.test(`encode() sends a picture as ${provider} has it`, async () => {
    const model = await openAt("http://127.0.0.1:9/v1", {
      provider: provider as ProviderName,
      name: "m",
    });
    const body = JSON.parse(
      new TextDecoder().decode(await model.encode(callWith("", { prompt: PROMPT }))),
    );
    const messages = body.messages ?? body.input ?? body.contents;
    const { content, parts } = messages.at(-1);
    assert.deepEqual((content ?? parts).at(-1), place);
  });
}

const PAGES: readonly [ProviderName, string, unknown, boolean | undefined][] = [
  ["llamacpp", "/props", { modalities: { vision: false } }, false],
  ["llamacpp", "/props", { modalities: { vision: true } }, true],
  ["llamacpp", "/props", {}, undefined],
  ["ollama", "/api/show", { capabilities: ["completion", "tools"] }, false],
  ["ollama", "/api/show", { capabilities: ["completion", "vision"] }, true],
  ["lmstudio", "/api/v0/models", { data: [{ id: "m", type: "llm" }] }, false],
  ["lmstudio", "/api/v0/models", { data: [{ id: "m", type: "vlm" }] }, true],
  ["openrouter", "/v1/models", {
    data: [{ id: "m", architecture: { input_modalities: ["text"] } }],
  }, false],
  ["mistral", "/v1/models", { data: [{ id: "m", capabilities: { vision: true } }] }, true],
  ["anthropic", "/none", {}, true],
];

for (const [provider, page, answer, expected] of PAGES) {
  Deno.test(`findImageSupport() takes ${JSON.stringify(answer)} of ${provider} as ${expected}`, async () => {
    const endpoint = { provider, name: "m", baseUrl: "http://127.0.0.1:9/v1" };
    const get = (url: string) => Promise.resolve(url.endsWith(page) ? answer : undefined);
    assert.equal(await findImageSupport(endpoint, get), expected);
  });
}

const REFUSALS: readonly [number, string][] = [
  [
    500,
    "image input is not supported - hint: if this is unexpected, you may need to provide the mmproj",
  ],
  [404, "No endpoints found that support image input"],
  [400, "Failed to deserialize: messages[1]: unknown variant `image_url`, expected `text`"],
  [400, "At most 0 image(s) may be provided in one request; m is not a multimodal model"],
  [
    400,
    "'messages.1' : for 'role:user' the following must be satisfied[messages.1.content must be a string]",
  ],
  [400, "This model does not support vision"],
];

Deno.test("refusesImages() knows a refusal for a picture's sake from any other", () => {
  for (const [status, message] of REFUSALS) {
    assert.ok(refusesImages({ status, code: "", message }), message);
  }
  for (
    const [status, message] of [[401, "invalid image key"], [400, "unknown field"], [
      429,
      "images: slow down",
    ]] as const
  ) {
    assert.ok(!refusesImages({ status, code: "", message }), message);
  }
});
