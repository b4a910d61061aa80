/**
 * The chat completions protocol: OpenAI, OpenRouter, Ollama, llama.cpp and whatever speaks it.
 * Rule: a field that only one provider knows is sent to that provider alone.
 */
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { Prompt, PromptMessage } from "./port.ts";
import { type Adapter, type Endpoint, toolOptions, withoutUndefined } from "./adapter.ts";
import { observeOpenAi } from "./observation.ts";
import { splitParameters } from "./parameters.ts";

/** The adapter for `endpoint`. */
export function openAiAdapter(endpoint: Endpoint): Adapter {
  const { provider, name, baseUrl, apiKey } = endpoint;
  return {
    withoutHeaders: [],
    languageModel: (fetchOnce) =>
      createOpenAICompatible({
        // Not "openaiCompatible": metadata under that name would be spread into the messages.
        name: provider === "openai-compatible" ? "compatible" : provider,
        baseURL: baseUrl,
        ...(apiKey !== undefined && { apiKey }),
        ...(provider === "openrouter" && { headers: { "X-Title": "m31a" } }),
        includeUsage: true,
        fetch: fetchOnce,
      }).chatModel(name),
    options: (call) => ({
      ...splitParameters(call.parameters).settings,
      ...toolOptions(call),
      prompt: provider === "openai" ? withoutReasoning(call.prompt) : call.prompt,
    }),
    finishBody(body, call) {
      const { max_tokens: maxTokens, ...rest } = body;
      const finished = withoutUndefined({
        ...rest,
        // OpenAI's newer models refuse max_tokens; other servers know nothing else.
        [provider === "openai" ? "max_completion_tokens" : "max_tokens"]: maxTokens,
      });
      if (provider === "openai" || provider === "openrouter") {
        finished.prompt_cache_key = call.cacheKey;
      }
      if (provider === "openrouter") finished.usage = { include: true };
      if (provider === "llamacpp") {
        finished.cache_prompt = true;
        if (call.slot !== undefined) finished.id_slot = call.slot;
      }
      return { ...finished, ...splitParameters(call.parameters).extra };
    },
    observe: observeOpenAi,
  };
}

// OpenAI's own endpoint never sends reasoning text and does not know the field it would go back in.
function withoutReasoning(prompt: Prompt): Prompt {
  return prompt.map((message): PromptMessage =>
    message.role === "assistant"
      ? { ...message, content: message.content.filter((part) => part.type !== "reasoning") }
      : message
  );
}
