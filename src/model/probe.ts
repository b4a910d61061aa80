/**
 * Looking for a model server on this machine, and asking a server what it has.
 * Rule: a question that gets no answer quickly is answered with nothing; it is never an error here.
 */
import { serverRootOf } from "./base_url.ts";
import { fieldsOf } from "./observation.ts";

/** How long a server on loopback may take to say that it is there. */
export const PROBE_TIMEOUT_MS = 400;

/** How long a server that was chosen may take to say what it has. One that is not there refuses at once. */
const FACTS_TIMEOUT_MS = 5000;

/** Gets JSON from `url`; `undefined` when nothing (or nothing readable) comes in time. */
export type GetJson = (
  url: string,
  options?: { apiKey?: string; body?: unknown; timeoutMs?: number },
) => Promise<unknown>;

/** {@linkcode GetJson} over the network. */
export const getJson: GetJson = async (url, options = {}) => {
  try {
    const response = await fetch(url, {
      headers: options.apiKey === undefined ? {} : { authorization: `Bearer ${options.apiKey}` },
      redirect: "error",
      signal: AbortSignal.timeout(options.timeoutMs ?? PROBE_TIMEOUT_MS),
      ...(options.body !== undefined && { method: "POST", body: JSON.stringify(options.body) }),
    });
    if (response.ok) return await response.json();
    await response.body?.cancel();
    return undefined;
  } catch {
    return undefined;
  }
};

/** The first model that an OpenAI-compatible server lists, at `GET <base>/models`. */
export async function firstModelAt(
  baseUrl: string,
  get: GetJson,
  apiKey?: string,
): Promise<string | undefined> {
  const list = fieldsOf(await get(`${baseUrl}/models`, apiKey === undefined ? {} : { apiKey }));
  const entries = Array.isArray(list.data) ? list.data : [];
  const ids = entries.map((entry) => fieldsOf(entry).id);
  return ids.find((id): id is string => typeof id === "string" && id !== "");
}

/**
 * The context window of the model that a llama.cpp server holds (`GET /props`), a slot's share of it
 * where the server has several.
 */
export async function llamaCppWindow(baseUrl: string, get: GetJson): Promise<number | undefined> {
  const props = fieldsOf(
    await get(`${serverRootOf(baseUrl)}/props`, { timeoutMs: FACTS_TIMEOUT_MS }),
  );
  return positive(fieldsOf(props.default_generation_settings).n_ctx);
}

/** How many slots, each with a prompt cache of its own, a llama.cpp server has (`GET /props`). */
export async function llamaCppSlots(
  baseUrl: string,
  get: GetJson = getJson,
): Promise<number | undefined> {
  const props = fieldsOf(
    await get(`${serverRootOf(baseUrl)}/props`, { timeoutMs: FACTS_TIMEOUT_MS }),
  );
  return positive(props.total_slots);
}

/** The context window that Ollama has loaded `name` with (`GET /api/ps`); unknown until it is loaded. */
export async function ollamaWindow(
  baseUrl: string,
  name: string,
  get: GetJson,
): Promise<number | undefined> {
  const running = fieldsOf(
    await get(`${serverRootOf(baseUrl)}/api/ps`, { timeoutMs: FACTS_TIMEOUT_MS }),
  );
  const models = Array.isArray(running.models) ? running.models.map(fieldsOf) : [];
  const model = models.find((entry) => entry.name === name || entry.name === `${name}:latest`);
  return positive(model?.context_length);
}

function positive(value: unknown): number | undefined {
  return typeof value === "number" && value > 0 ? value : undefined;
}
