/**
 * Whether a model is on a server of one's own.
 * Rule: a gateway on this machine that stands for a provider in the cloud is none.
 */
import { isOnLoopback } from "./base_url.ts";
import { type ProviderName, providerOf } from "./providers.ts";

/** Whether it is: by its provider, or an unnamed server on this machine. */
export function isOwnServerAt(provider: ProviderName, baseUrl: string): boolean {
  return providerOf(provider).isOwnServer ||
    provider === "openai-compatible" && isOnLoopback(baseUrl);
}
