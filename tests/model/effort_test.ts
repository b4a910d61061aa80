import assert from "node:assert/strict";
import { callWith, openAt } from "./calls.ts";

/** How each protocol says the effort, where it stands in the body. */
const BODIES = [
  { provider: "openai", name: "gpt-5.2", said: /"reasoning_effort":"high"/ },
  { provider: "openai-responses", name: "gpt-5.2", said: /"reasoning":\{"effort":"high"/ },
  { provider: "anthropic", name: "claude-sonnet-5", said: /"effort":"high"|"thinking":\{"type"/ },
  {
    provider: "gemini",
    name: "gemini-2.5-pro",
    said: /"thinkingConfig":\{[^}]*"thinking(?:Budget|Level)"/,
  },
] as const;

for (const { provider, name, said } of BODIES) {
  Deno.test(`encode() says the effort in the protocol's own words (${provider})`, async () => {
    const model = await openAt("http://127.0.0.1:9/v1", { provider, name });
    const bodyOf = async (parameters: Record<string, string>) =>
      new TextDecoder().decode(await model.encode(callWith("hello", { parameters })));
    assert.match(await bodyOf({ reasoning: "high" }), said);
    assert.doesNotMatch(await bodyOf({}), said);
  });
}
