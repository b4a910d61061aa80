/** Where the size of a context window is found: each server's own page, over HTTP. */
import assert from "node:assert/strict";
import type { ProviderName } from "../../src/model/providers.ts";
import { ModelServer } from "../support/servers/mod.ts";
import { openAt } from "./calls.ts";

/** The pages of servers as they are, shortened, by the provider whose row asks for them. */
const PAGES: { provider: ProviderName; page: string; json: unknown; tokens: number | undefined }[] =
  [
    {
      provider: "llamacpp",
      page: "/props",
      json: { default_generation_settings: { n_ctx: 8192 }, total_slots: 2 },
      tokens: 8192,
    },
    {
      provider: "ollama",
      page: "/api/ps",
      json: { models: [{ name: "test:latest", context_length: 4096 }] },
      tokens: 4096,
    },
    {
      provider: "ollama",
      page: "/api/show",
      json: { parameters: 'stop "<|im_end|>"\nnum_ctx                        16384\n' },
      tokens: 16384,
    },
    {
      provider: "lmstudio",
      page: "/api/v0/models",
      json: { data: [{ id: "test", max_context_length: 131072, loaded_context_length: 4096 }] },
      tokens: 4096,
    },
    {
      provider: "vllm",
      page: "/v1/models",
      json: { data: [{ id: "other", max_model_len: 1 }, { id: "test", max_model_len: 32768 }] },
      tokens: 32768,
    },
    {
      provider: "openrouter",
      page: "/v1/models",
      json: { data: [{ id: "test", context_length: 163840 }] },
      tokens: 163840,
    },
    {
      provider: "together",
      page: "/v1/models",
      json: [{ id: "test", context_length: 65536 }],
      tokens: 65536,
    },
    {
      provider: "mistral",
      page: "/v1/models",
      json: { data: [{ id: "test", max_context_length: 131072 }] },
      tokens: 131072,
    },
    {
      provider: "groq",
      page: "/v1/models",
      json: { data: [{ id: "test", context_window: 8192 }] },
      tokens: 8192,
    },
    {
      provider: "openai-compatible",
      page: "/props",
      json: { default_generation_settings: { n_ctx: 2048 } },
      tokens: 2048,
    },
    {
      provider: "openai-compatible",
      page: "/v1/models",
      json: { data: [{ id: "test", max_model_len: 1e99 }] },
      tokens: undefined,
    },
  ];

Deno.test("openModel() asks no server whose model the table knows", async () => {
  await using server = ModelServer.start([]);
  server.pages.set("/v1/models", { data: [{ id: "gpt-5.2", context_length: 1 }] });
  const model = await openAt(server.baseUrl, { provider: "openai", name: "gpt-5.2" });
  assert.equal(model.contextWindowTokens, 400_000);
});

for (const { provider, page, json, tokens } of PAGES) {
  Deno.test(`openModel() finds ${tokens ?? "no"} tokens of context at ${page} (${provider})`, async () => {
    await using server = ModelServer.start(({ path }) =>
      path === page ? { status: 200, body: json } : { status: 404 }
    );
    server.pages.delete("/v1/models");
    server.pages.set(page, json);
    const model = await openAt(server.baseUrl, { provider });
    assert.equal(model.contextWindowTokens, tokens);
  });
}
