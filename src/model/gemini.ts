/**
 * The Gemini protocol: Google's own API and Vertex.
 * Rule: thoughts and their signatures go back as they came, at the part that they came with.
 */
import { createGoogleGenerativeAI } from "@ai-sdk/google";
import { type Adapter, type Endpoint, toolOptions } from "./adapter.ts";
import { cleanPrompt } from "./clean_prompt.ts";
import { geminiEventsOfWhole, observeGemini } from "./gemini_events.ts";
import { splitParameters } from "./parameters.ts";
import { providerOf } from "./providers.ts";

/** The header that the SDK puts the key into. */
const SDK_HEADER = "x-goog-api-key";

/** The adapter for `endpoint`. */
export function geminiAdapter(endpoint: Endpoint): Adapter {
  const { name, baseUrl, apiKey } = endpoint;
  const { keyHeader, headers } = providerOf(endpoint.provider);
  const isBearer = keyHeader === "authorization";
  return {
    withoutHeaders: isBearer || apiKey === undefined ? [SDK_HEADER] : [],
    languageModel: (fetchOnce) =>
      createGoogleGenerativeAI({
        baseURL: baseUrl,
        apiKey: apiKey ?? "none",
        headers: {
          ...headers,
          ...(isBearer && apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
        },
        fetch: fetchOnce,
      }).languageModel(name),
    options: (call) => ({
      ...splitParameters(call.parameters).settings,
      ...toolOptions(call),
      prompt: cleanPrompt(call.prompt),
      // A model that cannot think refuses to be asked for its thoughts: only who asks for them gets them.
      ...("reasoning" in call.parameters &&
        { providerOptions: { google: { thinkingConfig: { includeThoughts: true } } } }),
    }),
    finishBody: (body, call) => ({ ...body, ...splitParameters(call.parameters).extra }),
    observe: observeGemini,
    eventsOfWhole: geminiEventsOfWhole,
  };
}
