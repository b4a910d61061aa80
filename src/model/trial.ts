/**
 * Trying a model: one short request, or, of a server of one's own that wants no key, its list of models.
 * Rule: it is asked once and not waited for long; what it answers is judged as in a conversation.
 */
import { type Clock, systemClock } from "../platform/clock.ts";
import type { NetworkChoice } from "./choice.ts";
import { ModelError } from "./errors.ts";
import { openModel } from "./open.ts";
import { FACTS_TIMEOUT_MS, type GetJson, getJson, modelsAt } from "./probe.ts";
import { providerOf } from "./providers.ts";

/** What a trial came to. */
export interface Trial {
  state: "answered" | "unlisted" | "failed";
  detail: string;
}

/** How long an answer of a few words may take. */
const TRIAL_TIMEOUT_MS = 30_000;

/** As short an answer as every provider accepts to be asked for. */
const TRIAL_OUTPUT_TOKENS = 16;

/** Tries the model of `choice`. A request costs a few dozen tokens. */
export async function tryModel(
  choice: NetworkChoice,
  world: { clock?: Clock; get?: GetJson } = {},
): Promise<Trial> {
  const { isOwnServer } = providerOf(choice.provider);
  // A large model of one's own would be loaded for it, which takes minutes.
  if (isOwnServer && choice.apiKey === undefined) {
    return await askForModels(choice, world.get ?? getJson);
  }
  return await request(choice, world.clock ?? systemClock);
}

async function askForModels(choice: NetworkChoice, get: GetJson): Promise<Trial> {
  const names = await modelsAt(choice.baseUrl, get, { timeoutMs: FACTS_TIMEOUT_MS });
  if (names.length === 0) {
    return { state: "failed", detail: `${choice.baseUrl} was asked for its models and gave none` };
  }
  if (names.includes(choice.name)) {
    return { state: "answered", detail: `${choice.baseUrl} has ${choice.name}` };
  }
  const detail = `${choice.baseUrl} does not list ${choice.name}; it has ${
    names.slice(0, 5).join(", ")
  }${names.length > 5 ? ", …" : ""}`;
  return { state: "unlisted", detail };
}

async function request(choice: NetworkChoice, clock: Clock): Promise<Trial> {
  // How much it reasons in a conversation is not what is tried.
  const { reasoning: _, ...parameters } = choice.parameters;
  const startedMs = clock.monotonicMs();
  const signal = AbortSignal.timeout(TRIAL_TIMEOUT_MS);
  try {
    const model = await openModel(choice, { clock, limits: { maxTries: 1 } });
    const { usage } = await model.stream({
      prompt: [{ role: "user", content: [{ type: "text", text: "Answer with the word yes." }] }],
      tools: [],
      parameters: { ...parameters, maxOutputTokens: TRIAL_OUTPUT_TOKENS },
      cacheKey: "doctor",
    }, { signal, onEvent: () => {} });
    const seconds = ((clock.monotonicMs() - startedMs) / 1000).toFixed(1);
    const cost = usage.cost === undefined ? "" : `, $${usage.cost.toFixed(4)}`;
    const tokens = usage.input + usage.output;
    return {
      state: "answered",
      detail: `a request was answered (${seconds} s, ${tokens} tokens${cost})`,
    };
  } catch (error) {
    if (error instanceof ModelError) return { state: "failed", detail: error.message };
    if (!signal.aborted) throw error;
    const detail = `nothing was answered within ${TRIAL_TIMEOUT_MS / 1000} s`;
    return { state: "failed", detail };
  }
}
