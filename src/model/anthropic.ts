/**
 * The Anthropic messages protocol.
 * Rule: what has been sent once is sent the same way for ever, so that the provider's cache holds.
 */
import { createAnthropic } from "@ai-sdk/anthropic";
import { type Adapter, type Endpoint, toolOptions } from "./adapter.ts";
import { splitUserMessages } from "./anthropic_prompt.ts";
import { cleanPrompt } from "./clean_prompt.ts";
import { anthropicEventsOfWhole, observeAnthropic } from "./anthropic_events.ts";
import { splitParameters } from "./parameters.ts";

// Cache breakpoints are set without touching the messages, which would change bytes sent before: one
// stands on the system text (with the tools before it, the part that never changes), and the field
// `cache_control` at the top of the request makes the API put one on the last block by itself and move
// it along as the conversation grows ("automatic caching", platform.claude.com, Prompt caching).
const CACHE = { type: "ephemeral" } as const;

/** The adapter for `endpoint`. */
export function anthropicAdapter(endpoint: Endpoint): Adapter {
  const { name, baseUrl, apiKey } = endpoint;
  return {
    // A server that takes no key gets none: the SDK insists on one, so it is taken off again.
    withoutHeaders: apiKey === undefined ? ["x-api-key"] : [],
    languageModel: (fetchOnce) =>
      createAnthropic({ baseURL: baseUrl, apiKey: apiKey ?? "none", fetch: fetchOnce })
        .languageModel(name),
    options: (call) => ({
      ...splitParameters(call.parameters).settings,
      ...toolOptions(call),
      prompt: cleanPrompt(call.prompt).map((message) =>
        message.role === "system"
          ? { ...message, providerOptions: { anthropic: { cacheControl: CACHE } } }
          : message
      ),
      providerOptions: {
        // Tool inputs are not shown as they arrive, so they may as well come checked.
        anthropic: { cacheControl: CACHE, toolStreaming: false },
      },
    }),
    finishBody: (body, call) => ({
      ...body,
      messages: splitUserMessages(body.messages ?? [], cleanPrompt(call.prompt)),
      ...splitParameters(call.parameters).extra,
    }),
    observe: observeAnthropic,
    eventsOfWhole: anthropicEventsOfWhole,
  };
}
