/**
 * Looking for a model server on this machine, and asking a server what it has.
 * Rule: a question that gets no answer quickly is answered with nothing; it is never an error here.
 */
import { networkFetch } from "../platform/network.ts";
import { serverRootOf } from "./base_url.ts";
import { fieldsOf } from "./observation.ts";

/** How long a server on loopback may take to say that it is there. */
const PROBE_TIMEOUT_MS = 400;

/** How long a server that was chosen may take to say what it has. One that is not there refuses at once. */
export const FACTS_TIMEOUT_MS = 5000;

/** Gets JSON from `url`; `undefined` when nothing (or nothing readable) comes in time. */
export type GetJson = (
  url: string,
  options?: { apiKey?: string; body?: unknown; timeoutMs?: number },
) => Promise<unknown>;

/** {@linkcode GetJson} over the network. */
export const getJson: GetJson = async (url, options = {}) => {
  try {
    const response = await networkFetch(url, {
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

/** The names of the models that an OpenAI-compatible server lists, at `GET <base>/models`. */
export async function modelsAt(
  baseUrl: string,
  get: GetJson,
  options: { apiKey?: string; timeoutMs?: number } = {},
): Promise<string[]> {
  const list = fieldsOf(await get(`${baseUrl}/models`, options));
  const entries = Array.isArray(list.data) ? list.data : [];
  return entries.map((entry) => fieldsOf(entry).id)
    .filter((id): id is string => typeof id === "string" && id !== "");
}

/** How many slots, each with a prompt cache of its own, a llama.cpp server has (`GET /props`). */
export async function llamaCppSlots(
  baseUrl: string,
  get: GetJson = getJson,
): Promise<number | undefined> {
  const url = `${serverRootOf(baseUrl)}/props`;
  const slots = fieldsOf(await get(url, { timeoutMs: FACTS_TIMEOUT_MS })).total_slots;
  return typeof slots === "number" && slots > 0 ? slots : undefined;
}
