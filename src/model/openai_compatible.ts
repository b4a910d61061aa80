/**
 * The chat completions protocol: OpenAI, OpenRouter, Ollama, llama.cpp and whatever speaks it.
 * Rule: a field that only some know is sent to those alone; the table of providers says who they are.
 */
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { PromptMessage } from "./port.ts";
import { type Adapter, type Endpoint, toolOptions, withoutUndefined } from "./adapter.ts";
import { chatEventsOfWhole, observeChat } from "./chat_events.ts";
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
      prompt: call.prompt.map((message) => cleanAnswer(message, chat.takesReasoning)),
    }),
    finishBody(body, call) {
      const { max_tokens: maxTokens, ...rest } = body;
      const finished = withoutUndefined({
        ...rest,
        [chat.lengthField]: maxTokens,
        ...(chat.takesCacheKey && { prompt_cache_key: call.cacheKey }),
        ...(chat.takesSlot && { cache_prompt: true, id_slot: call.slot }),
        ...chat.fields,
        ...(call.answerSchema !== undefined && {
          response_format: {
            type: "json_schema",
            json_schema: { name: "answer", strict: true, schema: call.answerSchema },
          },
        }),
      });
      return { ...finished, ...splitParameters(call.parameters).extra };
    },
    observe: observeChat,
    eventsOfWhole: chatEventsOfWhole,
  };
}

/** What stands for the words of an answer that has none, and no call: servers refuse an answer without either. */
const NO_WORDS = "(no words)";

/** An answer as every server takes it: with reasoning for those who want it back, and with words or a call. */
function cleanAnswer(message: PromptMessage, takesReasoning: boolean): PromptMessage {
  if (message.role !== "assistant") return message;
  const content = message.content.filter((part) => takesReasoning || part.type !== "reasoning");
  const saysSomething = content.some((part) =>
    part.type === "tool-call" || (part.type === "text" && part.text.trim() !== "")
  );
  if (saysSomething) return { ...message, content };
  return { ...message, content: [...content, { type: "text", text: NO_WORDS }] };
}
