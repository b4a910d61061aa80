/**
 * The servers of one's own that run on this machine, at their usual addresses.
 * Rule: they are asked side by side, and one that does not answer at once is not there.
 */
import type { Environment } from "../platform/environment.ts";
import { hostOf } from "./base_url.ts";
import { type GetJson, modelsAt } from "./probe.ts";
import { baseUrlFor } from "./provider_address.ts";
import { PROVIDER_NAMES, type ProviderName, providerOf } from "./providers.ts";

/** A server that has models. */
export interface ServerHere {
  provider: ProviderName;
  baseUrl: string;
  /** Its host and port. */
  host: string;
  /** At least one. */
  models: readonly string[];
}

/** Those that answer, in the order of the table of providers. */
export async function serversHere(environment: Environment, get: GetJson): Promise<ServerHere[]> {
  const onLoopback = PROVIDER_NAMES.filter((name) => {
    const { isOwnServer, baseUrl } = providerOf(name);
    return isOwnServer && baseUrl !== null;
  });
  const asked = await Promise.all(onLoopback.map(async (provider) => {
    const baseUrl = baseUrlFor(provider, environment, undefined);
    const { keyName } = providerOf(provider);
    const apiKey = keyName === null ? undefined : environment[keyName];
    const models = await modelsAt(baseUrl, get, apiKey === undefined ? {} : { apiKey });
    return { provider, baseUrl, host: hostOf(baseUrl), models };
  }));
  return asked.filter(({ models }) => models.length > 0);
}
