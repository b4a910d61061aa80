/**
 * OpenAI's Responses protocol: OpenAI itself and Azure.
 * Rule: nothing is kept at the provider; reasoning comes encrypted, and goes back as it came.
 */
import { createOpenAI } from "@ai-sdk/openai";
import { type Adapter, type Endpoint, toolOptions } from "./adapter.ts";
import { cleanPrompt } from "./clean_prompt.ts";
import { splitParameters } from "./parameters.ts";
import { providerOf } from "./providers.ts";
import { observeResponses, responsesEventsOfWhole } from "./responses_events.ts";

/** The adapter for `endpoint`. */
export function responsesAdapter(endpoint: Endpoint): Adapter {
  const { name, baseUrl, apiKey } = endpoint;
  const { keyHeader, headers } = providerOf(endpoint.provider);
  const isBearer = keyHeader === "authorization";
  return {
    withoutHeaders: isBearer && apiKey !== undefined ? [] : ["authorization"],
    languageModel: (fetchOnce) =>
      createOpenAI({
        baseURL: baseUrl,
        apiKey: apiKey ?? "none",
        headers: { ...headers, ...(!isBearer && apiKey !== undefined && { [keyHeader]: apiKey }) },
        fetch: fetchOnce,
      }).responses(name),
    options: (call) => ({
      ...splitParameters(call.parameters).settings,
      ...toolOptions(call),
      prompt: cleanPrompt(call.prompt),
      providerOptions: {
        openai: {
          store: false,
          promptCacheKey: call.cacheKey,
          include: ["reasoning.encrypted_content"],
        },
      },
    }),
    finishBody: (body, call) => ({ ...body, ...splitParameters(call.parameters).extra }),
    observe: observeResponses,
    eventsOfWhole: responsesEventsOfWhole,
  };
}
