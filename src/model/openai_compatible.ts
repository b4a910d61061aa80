/**
 * The chat completions protocol: OpenAI, OpenRouter, Ollama, llama.cpp and whatever speaks it.
 * Rule: a field that only some know is sent to those alone; the table of providers says who they are.
 */
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { Prompt, PromptMessage } from "./port.ts";
import { type Adapter, type Endpoint, toolOptions, withoutUndefined } from "./adapter.ts";
import { observeOpenAi } from "./observation.ts";
import { splitParameters } from "./parameters.ts";
import { providerOf } from "./providers.ts";

/** The adapter for `endpoint`. */
export function openAiAdapter(endpoint: Endpoint): Adapter {
  const { provider, name, baseUrl, apiKey } = endpoint;
  const { chat, headers } = providerOf(provider);
  return {
    withoutHeaders: [],
    languageModel: (fetchOnce) =>
      createOpenAICompatible({
        // Not "openaiCompatible": metadata under that name would be spread into the messages.
        name: provider === "openai-compatible" ? "compatible" : provider,
        baseURL: baseUrl,
        ...(apiKey !== undefined && { apiKey }),
        headers: { ...headers },
        includeUsage: true,
        fetch: fetchOnce,
      }).chatModel(name),
    options: (call) => ({
      ...splitParameters(call.parameters).settings,
      ...toolOptions(call),
      prompt: chat.takesReasoning ? call.prompt : withoutReasoning(call.prompt),
    }),
    finishBody(body, call) {
      const { max_tokens: maxTokens, ...rest } = body;
      const finished = withoutUndefined({
        ...rest,
        [chat.lengthField]: maxTokens,
        ...(chat.takesCacheKey && { prompt_cache_key: call.cacheKey }),
        ...(chat.takesSlot && { cache_prompt: true, id_slot: call.slot }),
        ...chat.fields,
      });
      return { ...finished, ...splitParameters(call.parameters).extra };
    },
    observe: observeOpenAi,
  };
}

function withoutReasoning(prompt: Prompt): Prompt {
  return prompt.map((message): PromptMessage =>
    message.role === "assistant"
      ? { ...message, content: message.content.filter((part) => part.type !== "reasoning") }
      : message
  );
}
