/**
 * The size of a model's context window, from those who know it.
 * Rule: a server of one's own is asked how it has loaded the model; one in the cloud only where no table knows the model.
 */
import type { Endpoint } from "./adapter.ts";
import { serverRootOf } from "./base_url.ts";
import { fieldsOf } from "./observation.ts";
import { FACTS_TIMEOUT_MS, type GetJson } from "./probe.ts";
import { providerOf, type WindowSource } from "./providers.ts";

/** Asks one server in one way. */
type Question = (endpoint: Endpoint, get: GetJson) => Promise<unknown>;

/** How each source is asked; a table is not asked here. */
const QUESTIONS: Readonly<Record<Exclude<WindowSource, "table">, Question>> = {
  // llama.cpp: what the server was started with; a slot's share of it where there are several.
  props: async ({ baseUrl, apiKey }, get) => {
    const props = await get(`${serverRootOf(baseUrl)}/props`, withKey(apiKey));
    return fieldsOf(fieldsOf(props).default_generation_settings).n_ctx;
  },
  // Ollama: what the model is loaded with, where it is.
  loaded: async ({ baseUrl, name, apiKey }, get) => {
    const page = await get(`${serverRootOf(baseUrl)}/api/ps`, withKey(apiKey));
    const isMeant = (entry: Fields) => entry.name === name || entry.name === `${name}:latest`;
    return listOf(fieldsOf(page).models).find(isMeant)?.context_length;
  },
  // Ollama: what it will be loaded with, where its file says so.
  modelfile: async ({ baseUrl, name, apiKey }, get) => {
    const options = { ...withKey(apiKey), body: { model: name } };
    const { parameters } = fieldsOf(await get(`${serverRootOf(baseUrl)}/api/show`, options));
    const written = /^\s*num_ctx\s+(\d+)/m.exec(String(parameters ?? ""))?.[1];
    return written === undefined ? undefined : Number(written);
  },
  // LM Studio: what the model is loaded with.
  lmstudio: async ({ baseUrl, name, apiKey }, get) => {
    const page = await get(`${serverRootOf(baseUrl)}/api/v0/models`, withKey(apiKey));
    return listOf(fieldsOf(page).data).find(({ id }) => id === name)?.loaded_context_length;
  },
  // The list of models: vLLM writes max_model_len, OpenRouter and Together context_length, Mistral
  // max_context_length, Groq context_window, Moonshot context_length.
  list: async ({ baseUrl, name, apiKey }, get) => {
    const page = await get(`${baseUrl}/models`, withKey(apiKey));
    const entries = Array.isArray(page) ? listOf(page) : listOf(fieldsOf(page).data);
    const entry = entries.find(({ id }) => id === name) ?? {};
    return entry.max_model_len ?? entry.context_length ?? entry.max_context_length ??
      entry.context_window;
  },
};

type Fields = { [key: string]: unknown };

function listOf(value: unknown): Fields[] {
  return Array.isArray(value) ? value.map(fieldsOf) : [];
}

function withKey(apiKey: string | undefined): { timeoutMs: number; apiKey?: string } {
  return { timeoutMs: FACTS_TIMEOUT_MS, ...(apiKey !== undefined && { apiKey }) };
}

/**
 * The context window of the model at `endpoint` in tokens; undefined when nobody knows it.
 *
 * @param tabled what the table of models says
 */
export async function findWindow(
  endpoint: Endpoint,
  get: GetJson,
  tabled: Promise<number | undefined>,
): Promise<number | undefined> {
  const { windows } = providerOf(endpoint.provider);
  const known = windows.includes("table") ? await tabled : undefined;
  if (known !== undefined) return known;
  const answers = await Promise.all(
    windows.map((source) => source === "table" ? undefined : QUESTIONS[source](endpoint, get)),
  );
  return answers.find(isWindow);
}

function isWindow(tokens: unknown): tokens is number {
  return typeof tokens === "number" && Number.isSafeInteger(tokens) && tokens > 0;
}
