/**
 * Which model to use, from the flag, the environment, the configuration, or what is there.
 * Rule: what was asked for is used or refused, never replaced; nothing of a provider is loaded here.
 */
import type { JsonValue } from "../platform/canonical_json.ts";
import type { Environment } from "../platform/environment.ts";
import { UsageError } from "../platform/errors.ts";
import { hostOf } from "./base_url.ts";
import { keyFromCommand } from "./key_command.ts";
import { NoModel } from "./errors.ts";
import type { Price } from "./prices.ts";
import { FACTS_TIMEOUT_MS, type GetJson, getJson, modelsAt } from "./probe.ts";
import { keyLines } from "./key_pages.ts";
import { baseUrlFor } from "./provider_address.ts";
import { isProviderName, PROVIDER_NAMES, type ProviderName, providerOf } from "./providers.ts";
import { serversHere } from "./servers_here.ts";

/** The table `[model]` of the configuration. */
export interface ModelConfiguration {
  provider?: string;
  name?: string;
  baseUrl?: string;
  /** A command line that prints the key of `provider`. */
  keyCommand?: string;
  parameters?: { [name: string]: JsonValue };
  /** How the model is asked to act; whoever opens a conversation decides by it. */
  actions?: "auto" | "native" | "text" | "constrained" | "candidates";
  price?: Price;
}

/** Where a model may be named. */
export interface ModelSources {
  /** `--model`. */
  flag?: string;
  environment: Environment;
  configuration?: ModelConfiguration;
  /** How servers are asked; over the network when absent. */
  get?: GetJson;
}

/** A model behind the network, ready to be opened. */
export interface NetworkChoice {
  kind: "network";
  provider: ProviderName;
  name: string;
  baseUrl: string;
  apiKey?: string;
  parameters: { [name: string]: JsonValue };
  price?: Price;
  /** Where the choice comes from: `--model`, `M31A_MODEL`, `[model]`, the key or server that was found. */
  origin: string;
}

/** A model that is played from a file or a session. */
export interface PlayedChoice {
  kind: "script" | "replay";
  /** The file, or the session's id. */
  name: string;
  parameters: { [name: string]: JsonValue };
  origin: string;
}

/** Which model to use. */
export type ModelChoice = NetworkChoice | PlayedChoice;

/** A model as it is written: the provider, and the name where one is given. */
interface NamedModel {
  provider: string;
  name?: string;
  origin: string;
}

/**
 * Chooses the model: `--model`, `M31A_MODEL`, `[model]`, an address in `M31A_BASE_URL`, else the first
 * there is of the providers with a usual model whose key is set, and of the servers on loopback.
 *
 * @throws {UsageError} when what was asked for cannot be: an unknown provider, a key that is not set
 * @throws {NoModel} when nothing was asked for and nothing is there
 */
export async function chooseModel(sources: ModelSources): Promise<ModelChoice> {
  const { environment, configuration = {} } = sources;
  const parameters = configuration.parameters ?? {};
  const named = namedModel(sources);
  if (named === undefined) return await firstThereIs(sources);
  const { provider, name, origin } = named;
  if (provider === "script" || provider === "replay") {
    if (name === undefined) {
      throw new UsageError(
        `${origin}: ${provider === "script" ? "script:<file>" : "replay:<session>"} is expected`,
      );
    }
    return { kind: provider, name, parameters, origin };
  }
  if (!isProviderName(provider)) {
    throw new UsageError(`${origin}: there is no provider "${provider}". ${knownProviders()}`);
  }
  const isConfigured = configuration.provider === undefined || configuration.provider === provider;
  const baseUrl = baseUrlFor(
    provider,
    environment,
    isConfigured ? configuration.baseUrl : undefined,
  );
  return await networkChoice(sources, { provider, baseUrl, origin, ...(name && { name }) });
}

/** The model that is asked for; undefined where none is. */
export function namedModel(
  { flag, environment, configuration = {} }: ModelSources,
): NamedModel | undefined {
  if (flag !== undefined) return parseModelName(flag, "--model");
  const variable = environment.M31A_MODEL;
  if (variable !== undefined) return parseModelName(variable, "M31A_MODEL");
  const { provider, name, baseUrl } = configuration;
  const origin = "[model] in planning/config.toml";
  if (provider !== undefined) return { provider, origin, ...(name && { name }) };
  if (baseUrl !== undefined) {
    return { provider: "openai-compatible", origin, ...(name && { name }) };
  }
  if (name !== undefined) throw new UsageError(`${origin}: "name" needs "provider" beside it`);
  if (environment.M31A_BASE_URL === undefined) return undefined;
  return { provider: "openai-compatible", origin: "M31A_BASE_URL" };
}

/** `provider` or `provider:name`; the name may hold colons. */
function parseModelName(text: string, origin: string): NamedModel {
  const [provider = "", ...rest] = text.trim().split(":");
  const name = rest.join(":").trim();
  if (provider === "") {
    throw new UsageError(`${origin}: provider:name is expected. ${knownProviders()}`);
  }
  return { provider, origin, ...(name !== "" && { name }) };
}

function knownProviders(): string {
  return `Known are ${PROVIDER_NAMES.join(", ")}, script:<file> and replay:<session>; ` +
    "for example --model anthropic:claude-sonnet-5.";
}

async function networkChoice(
  sources: ModelSources,
  wanted: { provider: ProviderName; name?: string; baseUrl: string; origin: string },
): Promise<NetworkChoice> {
  const { configuration = {}, get = getJson } = sources;
  const { provider, baseUrl, origin } = wanted;
  const { keyName, title, isOwnServer } = providerOf(provider);
  const apiKey = await keyFor(sources, provider);
  const isUsualAddress = baseUrl === providerOf(provider).baseUrl;
  if (keyName !== null && apiKey === undefined && isUsualAddress && !isOwnServer) {
    throw new UsageError(
      `${origin}: ${title} needs a key; set ${keyName}, or [model] key_command in planning/config.toml.`,
    );
  }
  const name = wanted.name ?? await unnamedModel({ provider, baseUrl, origin, apiKey, get });
  return {
    kind: "network",
    provider,
    name,
    baseUrl,
    ...(apiKey !== undefined && { apiKey }),
    parameters: configuration.parameters ?? {},
    ...priceFor(configuration, provider, name),
    origin,
  };
}

/** The key for `provider`: what its command in the configuration prints, else what its variable holds. */
async function keyFor(
  { environment, configuration = {} }: ModelSources,
  provider: ProviderName,
): Promise<string | undefined> {
  const { keyName } = providerOf(provider);
  const configured = configuration.provider ?? "openai-compatible";
  const command = configured === provider ? configuration.keyCommand : undefined;
  if (command !== undefined) {
    return sendable(await keyFromCommand(command), "The key of key_command");
  }
  const key = keyName === null ? undefined : environment[keyName];
  return key === undefined ? undefined : sendable(key, keyName ?? "");
}

/** A key of visible ASCII characters can stand in a header, and nothing else can. */
function sendable(apiKey: string, origin: string): string {
  if (/^[\x21-\x7e]+$/.test(apiKey)) return apiKey;
  throw new UsageError(
    `${origin} holds a blank, a line break or another character that a key cannot have; set it again.`,
  );
}

/** The model to use where none is named: the provider's usual one, or what a server of one's own has. */
async function unnamedModel(
  { provider, baseUrl, origin, apiKey, get }: {
    provider: ProviderName;
    baseUrl: string;
    origin: string;
    apiKey: string | undefined;
    get: GetJson;
  },
): Promise<string> {
  const { defaultName, title, isOwnServer } = providerOf(provider);
  if (defaultName !== null) return defaultName;
  const names = await modelsAt(baseUrl, get, {
    timeoutMs: FACTS_TIMEOUT_MS,
    ...(apiKey !== undefined && { apiKey }),
  });
  const [first] = names;
  if (first !== undefined && isOwnServer) return first;
  const shown = names.slice(0, MOST_NAMES).join(", ");
  const rest = names.length - MOST_NAMES;
  throw new UsageError(
    first === undefined
      ? `${origin}: ${title} at ${hostOf(baseUrl)} was asked which models it has and gave none. ` +
        `Start it, or name a model: --model ${provider}:<name>.`
      : `${origin}: name a model of ${title}, --model ${provider}:<name>. It has ${shown}` +
        `${rest > 0 ? ` and ${rest} more` : ""}.`,
  );
}

/** The configured price, unless it is that of another model than the one that was chosen. */
function priceFor(
  configuration: ModelConfiguration,
  provider: ProviderName,
  name: string,
): { price?: Price } {
  const { price } = configuration;
  const isSameProvider = (configuration.provider ?? provider) === provider;
  const isSameName = (configuration.name ?? name) === name;
  return price !== undefined && isSameProvider && isSameName ? { price } : {};
}

/** How many of a provider's models are named where one must be chosen. */
const MOST_NAMES = 20;

async function firstThereIs(sources: ModelSources): Promise<NetworkChoice> {
  const { environment, get = getJson } = sources;
  const withKey = providerWithKey(environment);
  if (withKey !== undefined) {
    const baseUrl = baseUrlFor(withKey, environment, undefined);
    const origin = providerOf(withKey).keyName ?? "";
    return await networkChoice(sources, { provider: withKey, baseUrl, origin });
  }
  const [server] = await serversHere(environment, get);
  const name = server?.models[0];
  if (server === undefined || name === undefined) throw new NoModel(waysToAModel(environment));
  const { provider, baseUrl, host } = server;
  return await networkChoice(sources, { provider, baseUrl, name, origin: `a server at ${host}` });
}

/** The first provider with a usual model whose key is set. */
export function providerWithKey(environment: Environment): ProviderName | undefined {
  return keysSet(environment).find((name) => providerOf(name).defaultName !== null);
}

/** The providers in the cloud whose keys are set. */
function keysSet(environment: Environment): ProviderName[] {
  return PROVIDER_NAMES.filter((name) => {
    const { keyName, isOwnServer } = providerOf(name);
    return keyName !== null && !isOwnServer && environment[keyName] !== undefined;
  });
}

/** How to come to a model, where there is none. */
export function waysToAModel(environment: Environment): string {
  const withoutName = keysSet(environment).map((name) =>
    `  ${providerOf(name).keyName} is set: name a model, --model ${name}:<name>`
  );
  return [
    "There is no model to talk to. Any of these gives one:",
    ...withoutName,
    "  set a provider's key, which is made at:",
    ...keyLines().map((line) => `    ${line}`),
    "  start Ollama (127.0.0.1:11434, or OLLAMA_HOST), a llama.cpp server (127.0.0.1:8080), LM Studio (:1234) or vLLM (:8000)",
    "  set M31A_BASE_URL to the address of any OpenAI-compatible server",
    "  name one: --model provider:name, M31A_MODEL, or [model] in planning/config.toml",
    "  play one: --model script:<file> or --model replay:<session>",
  ].join("\n");
}
