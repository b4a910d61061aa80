/**
 * Whether a model takes pictures: what servers say of theirs, and how they refuse one.
 * Rule: only what a server says itself counts as known.
 */
import type { Endpoint } from "./adapter.ts";
import { serverRootOf } from "./base_url.ts";
import { ModelError } from "./errors.ts";
import { type Refusal, shorten } from "./failure.ts";
import { fieldsOf } from "./observation.ts";
import type { ModelCall } from "./port.ts";
import { FACTS_TIMEOUT_MS, type GetJson } from "./probe.ts";
import { providerOf, type WindowSource } from "./providers.ts";

/** Asks one page; what it does not tell is undefined. */
type Question = (endpoint: Endpoint, get: GetJson, key: Key) => Promise<boolean | undefined>;
type Key = { timeoutMs: number; apiKey?: string };

/** The pages that tell it, of those that tell the window. */
const QUESTIONS: Readonly<Partial<Record<WindowSource, Question>>> = {
  // llama.cpp: {"modalities": {"vision": false}}.
  props: async ({ baseUrl }, get, key) => {
    const { modalities } = fieldsOf(await get(`${serverRootOf(baseUrl)}/props`, key));
    const { vision } = fieldsOf(modalities);
    return typeof vision === "boolean" ? vision : undefined;
  },
  // Ollama: {"capabilities": ["completion", "vision"]}.
  modelfile: async ({ baseUrl, name }, get, key) => {
    const page = await get(`${serverRootOf(baseUrl)}/api/show`, { ...key, body: { model: name } });
    return has(fieldsOf(page).capabilities, "vision");
  },
  // LM Studio: {"type": "vlm"}.
  lmstudio: async ({ baseUrl, name }, get, key) => {
    const page = await get(`${serverRootOf(baseUrl)}/api/v0/models`, key);
    const { type } = entryOf(page, name);
    return typeof type === "string" ? type === "vlm" : undefined;
  },
  // OpenRouter: {"architecture": {"input_modalities": ["text", "image"]}}. Mistral: {"capabilities": {"vision": true}}.
  list: async ({ baseUrl, name }, get, key) => {
    const { architecture, capabilities } = entryOf(await get(`${baseUrl}/models`, key), name);
    const { vision } = fieldsOf(capabilities);
    if (typeof vision === "boolean") return vision;
    return has(fieldsOf(architecture).input_modalities, "image");
  },
};

function has(list: unknown, word: string): boolean | undefined {
  return Array.isArray(list) ? list.includes(word) : undefined;
}

function entryOf(page: unknown, name: string): { [key: string]: unknown } {
  const { data } = fieldsOf(page);
  return (Array.isArray(data) ? data.map(fieldsOf) : []).find(({ id }) => id === name) ?? {};
}

/** Whether the model at `endpoint` takes pictures; undefined where its server does not tell. */
export async function findImageSupport(
  endpoint: Endpoint,
  get: GetJson,
): Promise<boolean | undefined> {
  const { apiKey } = endpoint;
  const key = { timeoutMs: FACTS_TIMEOUT_MS, ...(apiKey !== undefined && { apiKey }) };
  const { windows, takesImages } = providerOf(endpoint.provider);
  if (takesImages) return true;
  const answers = windows.map((source) => QUESTIONS[source]?.(endpoint, get, key));
  return (await Promise.all(answers)).find((answer) => answer !== undefined);
}

/** Whether a call holds pictures. */
export function hasImages({ prompt }: ModelCall): boolean {
  return prompt.some(({ role, content }) =>
    role === "user" && content.some(({ type }) => type === "file")
  );
}

// llama.cpp: "image input is not supported - hint: … mmproj"; OpenRouter: "No endpoints found that support image
// input"; DeepSeek: "unknown variant `image_url`, expected `text`"; vLLM: "… is not a multimodal model"; Groq:
// "messages[1].content must be a string"; others: "does not support vision".
const WORDS = /\bimages?\b|image_url|vision|multi-?modal|content must be a string/i;

/** Whether a refusal of a call with pictures is for their sake. */
export function refusesImages({ status = 400, message }: Refusal): boolean {
  return status >= 400 && status !== 401 && status !== 429 && WORDS.test(message);
}

/** What the user reads of it. */
export function imagesRefused(source: string, name: string, { message }: Refusal): ModelError {
  return new ModelError(
    "images",
    `${source} takes no pictures for ${name}: ${
      shorten(message)
    }. They are left out from now on; name a model ` +
      "that takes them (/model, --model).",
  );
}
