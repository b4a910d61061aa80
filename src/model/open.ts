/**
 * From a choice to a model that can be called.
 * Rule: only what the choice needs is loaded, and it is loaded here.
 */
import { type Clock, systemClock } from "../platform/clock.ts";
import type { Adapter, Endpoint } from "./adapter.ts";
import type { ModelChoice, NetworkChoice } from "./choice.ts";
import { DEFAULT_HTTP_LIMITS, type HttpLimits } from "./http_limits.ts";
import type { Model } from "./port.ts";
import { lookUpModel } from "./prices.ts";
import { type GetJson, getJson } from "./probe.ts";
import { type Protocol, providerOf } from "./providers.ts";
import type { Cassette } from "./replay.ts";
import { findWindow } from "./windows.ts";

/** What of the world a model may use; each has a usual value. */
export interface ModelWorld {
  clock?: Clock;
  /** From 0 to 1, for the spread of waits. */
  random?: () => number;
  limits?: Partial<HttpLimits>;
  get?: GetJson;
  /** The assistant's side of a recorded session, for `replay:`. */
  loadCassette?: (session: string) => Promise<Cassette>;
}

/**
 * Opens the model of `choice`. Asks the server for the context window; sends nothing else.
 *
 * npm packages read the environment when they are loaded: call `installFilteredProcessEnv` before.
 *
 * @throws {ModelError} when a script cannot be read
 */
export async function openModel(choice: ModelChoice, world: ModelWorld = {}): Promise<Model> {
  const clock = world.clock ?? systemClock;
  if (choice.kind === "network") return await openNetworkModel(choice, clock, world);
  if (choice.kind === "script") {
    const { scriptModel } = await import("./script.ts");
    return await scriptModel(choice.name, clock);
  }
  if (world.loadCassette === undefined) throw new TypeError("replay: needs loadCassette");
  const { replayModel } = await import("./replay.ts");
  return await replayModel(await world.loadCassette(choice.name), choice.name);
}

async function openNetworkModel(
  choice: NetworkChoice,
  clock: Clock,
  world: ModelWorld,
): Promise<Model> {
  const endpoint: Endpoint = {
    provider: choice.provider,
    name: choice.name,
    baseUrl: choice.baseUrl,
    ...(choice.apiKey !== undefined && { apiKey: choice.apiKey }),
  };
  const looked = lookUpModel(choice.provider, choice.name);
  const tabled = looked.then(({ contextWindowTokens }) => contextWindowTokens);
  const [adapter, { HttpModel }, facts, contextWindowTokens] = await Promise.all([
    ADAPTERS[providerOf(choice.provider).protocol](endpoint),
    import("./http_model.ts"),
    looked,
    findWindow(endpoint, world.get ?? getJson, tabled),
  ]);
  return new HttpModel({
    endpoint,
    adapter,
    clock,
    random: world.random ?? Math.random,
    limits: { ...DEFAULT_HTTP_LIMITS, ...world.limits },
    facts,
    price: choice.price,
    contextWindowTokens,
    get: world.get ?? getJson,
  });
}

/** The adapters by protocol, each loaded when it is chosen. */
const ADAPTERS: Readonly<Record<Protocol, (endpoint: Endpoint) => Promise<Adapter>>> = {
  anthropic: async (endpoint) => (await import("./anthropic.ts")).anthropicAdapter(endpoint),
  responses: async (endpoint) => (await import("./openai_responses.ts")).responsesAdapter(endpoint),
  gemini: async (endpoint) => (await import("./gemini.ts")).geminiAdapter(endpoint),
  chat: async (endpoint) => (await import("./openai_compatible.ts")).openAiAdapter(endpoint),
};
