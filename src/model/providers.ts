/**
 * The providers that are reached over the network, as a table.
 * Rule: what differs between providers by a name or an address stands here; what differs by behaviour
 * stands in the adapters.
 */

/** The protocols that are spoken. */
export type Protocol = "anthropic" | "openai";

/** What is known of a provider. */
export interface Provider {
  readonly protocol: Protocol;
  /** As it is written in messages. */
  readonly title: string;
  /** The environment variable with the key, if it takes one. */
  readonly keyName?: string;
  /** The provider's own environment variable for another address. */
  readonly baseUrlName?: string;
  /** Its address up to the part that the protocol names; absent when the user must give it. */
  readonly baseUrl?: string;
  /** The model to use when none is named; absent when the server is asked which it has. */
  readonly defaultName?: string;
  /** Its name in the table of prices. */
  readonly priceTable?: string;
}

/** The providers by the name that stands before the colon in `--model`. */
export const PROVIDERS = {
  anthropic: {
    protocol: "anthropic",
    title: "Anthropic",
    keyName: "ANTHROPIC_API_KEY",
    baseUrlName: "ANTHROPIC_BASE_URL",
    baseUrl: "https://api.anthropic.com/v1",
    defaultName: "claude-sonnet-5",
    priceTable: "anthropic",
  },
  openai: {
    protocol: "openai",
    title: "OpenAI",
    keyName: "OPENAI_API_KEY",
    baseUrlName: "OPENAI_BASE_URL",
    baseUrl: "https://api.openai.com/v1",
    defaultName: "gpt-5.2",
    priceTable: "openai",
  },
  openrouter: {
    protocol: "openai",
    title: "OpenRouter",
    keyName: "OPENROUTER_API_KEY",
    baseUrl: "https://openrouter.ai/api/v1",
    defaultName: "anthropic/claude-sonnet-5",
    priceTable: "openrouter",
  },
  ollama: { protocol: "openai", title: "Ollama", baseUrl: "http://127.0.0.1:11434/v1" },
  llamacpp: { protocol: "openai", title: "llama.cpp", baseUrl: "http://127.0.0.1:8080/v1" },
  "openai-compatible": {
    protocol: "openai",
    title: "the OpenAI-compatible server",
    keyName: "M31A_API_KEY",
  },
} as const satisfies Record<string, Provider>;

/** A provider that is reached over the network. */
export type ProviderName = keyof typeof PROVIDERS;

/** Whether `name` is a provider that is reached over the network. */
export function isProviderName(name: string): name is ProviderName {
  return Object.hasOwn(PROVIDERS, name);
}

/** What is known of the provider `name`. */
export function providerOf(name: ProviderName): Provider {
  return PROVIDERS[name];
}

/** The environment variables that hold keys: to be masked in logs and kept from commands. */
export const KEY_NAMES: readonly string[] = Object.keys(PROVIDERS)
  .filter(isProviderName)
  .flatMap((name) => providerOf(name).keyName ?? []);
