/**
 * What an adapter for a protocol supplies; http_model.ts does the rest.
 * Rule: an adapter knows one protocol and no transport.
 */
import type { LanguageModelV4, LanguageModelV4CallOptions } from "@ai-sdk/provider";
import type { JsonValue } from "../platform/canonical_json.ts";
import type { ProviderName } from "./providers.ts";
import type { Fields, Observation } from "./observation.ts";
import type { ModelCall } from "./port.ts";
import type { RequestBody } from "./wire.ts";

/** Where a model is and how it is addressed. */
export interface Endpoint {
  provider: ProviderName;
  name: string;
  baseUrl: string;
  apiKey?: string;
}

/** One protocol, spoken to one endpoint. */
export interface Adapter {
  /** The SDK's model, sending through `fetchOnce`. */
  languageModel(fetchOnce: typeof fetch): LanguageModelV4;
  /** The SDK's options for `call`. */
  options(call: ModelCall): LanguageModelV4CallOptions;
  /** The body to send, from the one that the SDK made for `call`. */
  finishBody(body: RequestBody, call: ModelCall): RequestBody;
  /** Notes what an event says and gives the event to hand on; undefined when it says nothing. */
  observe(observation: Observation, data: string): string | undefined;
  /** The events of an answer that came whole instead; undefined when it is no answer. */
  eventsOfWhole(answer: Fields): string[] | undefined;
  /** Headers that the SDK sets and that must not be sent. */
  readonly withoutHeaders: readonly string[];
}

/** The tools of `call` as the SDK takes them. */
export function toolOptions(call: ModelCall): Pick<LanguageModelV4CallOptions, "tools"> {
  if (call.tools.length === 0) return {};
  return {
    tools: call.tools.map(({ name, description, inputSchema }) => ({
      type: "function",
      name,
      description,
      inputSchema,
    })),
  };
}

/** Removes what is `undefined`, as sending would. */
export function withoutUndefined(
  fields: { [key: string]: JsonValue | undefined },
): RequestBody {
  const body: RequestBody = {};
  for (const [key, value] of Object.entries(fields)) {
    if (value !== undefined) body[key] = value;
  }
  return body;
}
