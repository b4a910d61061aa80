/**
 * The providers that are reached over the network: a row each, and the compiler asks for every column.
 * Rule: what differs between providers stands here; what differs between protocols stands in the adapters.
 */
import type { EnvironmentName } from "../platform/environment.ts";

/** The protocols that are spoken. */
export type Protocol = "anthropic" | "responses" | "gemini" | "chat";

/** Who knows the size of a model's context window: the table of models, or the server at one of its pages. */
export type WindowSource = "table" | "props" | "loaded" | "modelfile" | "lmstudio" | "list";

/** How a server of the chat completions protocol differs from the others. */
export interface ChatTraits {
  /** The field for the length of an answer. */
  readonly lengthField: "max_tokens" | "max_completion_tokens";
  /** Whether it takes `prompt_cache_key`. */
  readonly takesCacheKey: boolean;
  /** Whether it takes `cache_prompt` and `id_slot`. */
  readonly takesSlot: boolean;
  /** Whether reasoning goes back to it as text. */
  readonly takesReasoning: boolean;
  /** Fields of every body. */
  readonly fields: { readonly [name: string]: { readonly [name: string]: boolean } };
}

/** What is known of a provider. */
export interface Provider {
  /** As it is written in messages. */
  readonly title: string;
  readonly protocol: Protocol;
  /** The environment variable with the key; null when it takes none. */
  readonly keyName: EnvironmentName | null;
  /** The header that the key goes into; "authorization" takes it behind "Bearer". Only some protocols have a choice. */
  readonly keyHeader: "authorization" | "api-key" | "x-goog-api-key";
  /** The provider's own environment variable for another address. */
  readonly baseUrlName: EnvironmentName | null;
  /** Its address up to the part that the protocol names; null when the user must give it. */
  readonly baseUrl: string | null;
  /** The model to use when none is named; null when it must be named, or a server of one's own is asked. */
  readonly defaultName: string | null;
  /** Its name in the table of prices; null when it has none there. */
  readonly priceTable: string | null;
  /** Where the context window is looked for; the first that knows it counts. */
  readonly windows: readonly WindowSource[];
  /** Whether all its usual models take pictures; else its server is asked, where it tells. */
  readonly takesImages: boolean;
  /** Whether it is a server of one's own, that needs no key, is looked for on loopback and may take its time. */
  readonly isOwnServer: boolean;
  readonly headers: { readonly [name: string]: string };
  readonly chat: ChatTraits;
}

const PLAIN: ChatTraits = {
  lengthField: "max_tokens",
  takesCacheKey: false,
  takesSlot: false,
  takesReasoning: true,
  fields: {},
};

/** A provider in the cloud, at an address of its own, that speaks the chat completions protocol. */
const CLOUD = {
  protocol: "chat",
  keyHeader: "authorization",
  baseUrlName: null,
  defaultName: null,
  windows: ["table", "list"],
  takesImages: false,
  isOwnServer: false,
  headers: {},
  chat: PLAIN,
} as const satisfies Partial<Provider>;

/** A server on the user's own machine that does the same. */
const OWN_SERVER = {
  protocol: "chat",
  keyName: null,
  keyHeader: "authorization",
  baseUrlName: null,
  defaultName: null,
  priceTable: null,
  takesImages: false,
  isOwnServer: true,
  headers: {},
  chat: PLAIN,
} as const satisfies Partial<Provider>;

const ROWS = {
  anthropic: {
    ...CLOUD,
    title: "Anthropic",
    takesImages: true,
    protocol: "anthropic",
    keyName: "ANTHROPIC_API_KEY",
    baseUrlName: "ANTHROPIC_BASE_URL",
    baseUrl: "https://api.anthropic.com/v1",
    defaultName: "claude-sonnet-5",
    priceTable: "anthropic",
    windows: ["table"],
  },
  openai: {
    ...CLOUD,
    title: "OpenAI",
    takesImages: true,
    keyName: "OPENAI_API_KEY",
    baseUrlName: "OPENAI_BASE_URL",
    baseUrl: "https://api.openai.com/v1",
    defaultName: "gpt-5.2",
    priceTable: "openai",
    // Its newer models refuse max_tokens, and it never sends reasoning as text.
    chat: {
      ...PLAIN,
      lengthField: "max_completion_tokens",
      takesCacheKey: true,
      takesReasoning: false,
    },
  },
  "openai-responses": {
    ...CLOUD,
    title: "OpenAI",
    takesImages: true,
    protocol: "responses",
    keyName: "OPENAI_API_KEY",
    baseUrlName: "OPENAI_BASE_URL",
    baseUrl: "https://api.openai.com/v1",
    defaultName: "gpt-5.2",
    priceTable: "openai",
  },
  azure: {
    ...CLOUD,
    title: "Azure OpenAI",
    takesImages: true,
    protocol: "responses",
    keyName: "AZURE_OPENAI_API_KEY",
    keyHeader: "api-key",
    baseUrlName: "AZURE_OPENAI_BASE_URL",
    // https://<resource>.openai.azure.com/openai/v1; the name is the deployment's.
    baseUrl: null,
    priceTable: "azure",
    windows: ["table"],
  },
  gemini: {
    ...CLOUD,
    title: "Gemini",
    takesImages: true,
    protocol: "gemini",
    keyName: "GEMINI_API_KEY",
    keyHeader: "x-goog-api-key",
    baseUrl: "https://generativelanguage.googleapis.com/v1beta",
    defaultName: "gemini-2.5-pro",
    priceTable: "google",
    windows: ["table"],
  },
  vertex: {
    ...CLOUD,
    title: "Vertex AI",
    takesImages: true,
    protocol: "gemini",
    // A token that lasts an hour: key_command = "gcloud auth print-access-token".
    keyName: null,
    // https://<location>-aiplatform.googleapis.com/v1/projects/<project>/locations/<location>/publishers/google
    baseUrl: null,
    priceTable: "google",
    windows: ["table"],
  },
  openrouter: {
    ...CLOUD,
    title: "OpenRouter",
    keyName: "OPENROUTER_API_KEY",
    baseUrl: "https://openrouter.ai/api/v1",
    defaultName: "anthropic/claude-sonnet-5",
    priceTable: "openrouter",
    headers: { "X-Title": "m31a" },
    chat: { ...PLAIN, takesCacheKey: true, fields: { usage: { include: true } } },
  },
  groq: {
    ...CLOUD,
    title: "Groq",
    keyName: "GROQ_API_KEY",
    baseUrl: "https://api.groq.com/openai/v1",
    priceTable: "groq",
  },
  mistral: {
    ...CLOUD,
    title: "Mistral",
    keyName: "MISTRAL_API_KEY",
    baseUrl: "https://api.mistral.ai/v1",
    priceTable: "mistral",
    // It refuses fields that it does not know, reasoning_content among them.
    chat: { ...PLAIN, takesReasoning: false },
  },
  deepseek: {
    ...CLOUD,
    title: "DeepSeek",
    keyName: "DEEPSEEK_API_KEY",
    baseUrl: "https://api.deepseek.com/v1",
    priceTable: "deepseek",
  },
  xai: {
    ...CLOUD,
    title: "xAI",
    keyName: "XAI_API_KEY",
    baseUrl: "https://api.x.ai/v1",
    priceTable: "x-ai",
  },
  together: {
    ...CLOUD,
    title: "Together",
    keyName: "TOGETHER_API_KEY",
    baseUrl: "https://api.together.xyz/v1",
    priceTable: "together",
  },
  fireworks: {
    ...CLOUD,
    title: "Fireworks",
    keyName: "FIREWORKS_API_KEY",
    baseUrl: "https://api.fireworks.ai/inference/v1",
    priceTable: "fireworks",
  },
  cerebras: {
    ...CLOUD,
    title: "Cerebras",
    keyName: "CEREBRAS_API_KEY",
    baseUrl: "https://api.cerebras.ai/v1",
    priceTable: "cerebras",
  },
  moonshot: {
    ...CLOUD,
    title: "Moonshot",
    keyName: "MOONSHOT_API_KEY",
    baseUrl: "https://api.moonshot.ai/v1",
    priceTable: "moonshotai",
  },
  zai: {
    ...CLOUD,
    title: "Z.ai",
    keyName: "ZAI_API_KEY",
    baseUrl: "https://api.z.ai/api/paas/v4",
    priceTable: "zai",
  },
  ollama: {
    ...OWN_SERVER,
    title: "Ollama",
    baseUrlName: "OLLAMA_HOST",
    baseUrl: "http://127.0.0.1:11434/v1",
    windows: ["loaded", "modelfile"],
  },
  llamacpp: {
    ...OWN_SERVER,
    title: "llama.cpp",
    keyName: "LLAMA_API_KEY",
    baseUrl: "http://127.0.0.1:8080/v1",
    windows: ["props"],
    chat: { ...PLAIN, takesSlot: true },
  },
  lmstudio: {
    ...OWN_SERVER,
    title: "LM Studio",
    baseUrl: "http://127.0.0.1:1234/v1",
    windows: ["lmstudio", "list"],
  },
  vllm: {
    ...OWN_SERVER,
    title: "vLLM",
    keyName: "VLLM_API_KEY",
    baseUrl: "http://127.0.0.1:8000/v1",
    windows: ["list"],
  },
  "openai-compatible": {
    ...OWN_SERVER,
    title: "the OpenAI-compatible server",
    keyName: "M31A_API_KEY",
    baseUrl: null,
    windows: ["props", "list", "lmstudio", "loaded"],
  },
} as const satisfies Record<string, Provider>;

/** A provider that is reached over the network, by the name that stands before the colon in `--model`. */
export type ProviderName = keyof typeof ROWS;

/** The names of the providers, in the order in which they are looked for and listed. */
export const PROVIDER_NAMES: readonly ProviderName[] = Object.keys(ROWS).filter(isProviderName);

/** Whether `name` is a provider that is reached over the network. */
export function isProviderName(name: string): name is ProviderName {
  return Object.hasOwn(ROWS, name);
}

/** What is known of the provider `name`. */
export function providerOf(name: ProviderName): Provider {
  return ROWS[name];
}

/** The environment variables that hold keys: to be masked in logs and kept from commands. */
export const KEY_NAMES: readonly EnvironmentName[] = PROVIDER_NAMES.flatMap((name) =>
  providerOf(name).keyName ?? []
);
