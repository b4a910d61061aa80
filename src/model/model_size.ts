/**
 * How many parameters a model on a server of one's own has.
 * Rule: what nobody says is not known; a guess is made from a name alone where it states the number.
 */
import type { NetworkChoice } from "./choice.ts";
import { serverRootOf } from "./base_url.ts";
import { fieldsOf } from "./observation.ts";
import { FACTS_TIMEOUT_MS, type GetJson, getJson } from "./probe.ts";
import { isOwnServerAt } from "./own_server.ts";

/** Asks a server: llama.cpp says it in its list of models, Ollama at a page of its own. */
export async function parametersOf(
  { provider, name, baseUrl, apiKey }: NetworkChoice,
  get: GetJson = getJson,
): Promise<number | undefined> {
  if (!isOwnServerAt(provider, baseUrl)) return undefined;
  const options = { timeoutMs: FACTS_TIMEOUT_MS, ...(apiKey !== undefined && { apiKey }) };
  if (provider === "ollama") {
    const body = { model: name };
    const shown = await get(`${serverRootOf(baseUrl)}/api/show`, { ...options, body });
    const { parameter_size: size } = fieldsOf(fieldsOf(shown).details);
    return numberIn(String(size ?? "")) ?? numberIn(name);
  }
  const { data } = fieldsOf(await get(`${baseUrl}/models`, options));
  const entries = Array.isArray(data) ? data.map(fieldsOf) : [];
  const entry = entries.find(({ id }) => id === name) ?? (entries.length === 1 ? entries[0] : {});
  const { n_params: count } = fieldsOf(entry?.meta);
  return typeof count === "number" && count > 0 ? count : numberIn(name);
}

/** The number of parameters that a name or a size states, as in `qwen2.5-coder:0.5b` or `494.03M`. */
function numberIn(text: string): number | undefined {
  const [, digits, unit] = /(?<![\w.])(\d+(?:\.\d+)?)\s?([BM])(?![A-Za-z0-9])/i.exec(text) ?? [];
  if (digits === undefined || unit === undefined) return undefined;
  return Number(digits) * (unit.toUpperCase() === "B" ? 1e9 : 1e6);
}
