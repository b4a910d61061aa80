/**
 * What a user who has named no model and set no key can choose from: the first start.
 * Rule: only what can be used now is offered; how to get more is said in words.
 */
import { type ModelSources, namedModel, providerWithKey, waysToAModel } from "./choice.ts";
import { getJson } from "./probe.ts";
import { providerOf } from "./providers.ts";
import { serversHere } from "./servers_here.ts";

/** A model that can be used now. */
export interface FirstChoice {
  /** `provider:name`, as `--model` has it. */
  model: string;
  /** Where it is, for people. */
  label: string;
}

/** How many models of one server are offered. */
const OFFERED_MODELS = 5;

/**
 * The models to choose from, and what is to be said where there are none; undefined where it is clear already
 * which one is meant: one was named, or a key is set.
 */
export async function firstChoices(
  sources: ModelSources,
): Promise<{ choices: FirstChoice[]; ways: string } | undefined> {
  const { environment, get = getJson } = sources;
  if (namedModel(sources) !== undefined || providerWithKey(environment) !== undefined) {
    return undefined;
  }
  const servers = await serversHere(environment, get);
  const choices = servers.flatMap(({ provider, host, models }) =>
    models.slice(0, OFFERED_MODELS).map((name) => ({
      model: `${provider}:${name}`,
      label: `${name}, ${providerOf(provider).title} at ${host}`,
    }))
  );
  return { choices, ways: waysToAModel(environment) };
}
