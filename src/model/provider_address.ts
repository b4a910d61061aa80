/**
 * At which address a provider is, and whether an address that a file brings is one of the user's.
 * Rule: a provider's key goes to addresses that the user has named, and to its usual one.
 */
import type { Environment } from "../platform/environment.ts";
import { UsageError } from "../platform/errors.ts";
import { isOnLoopback, parseBaseUrl } from "./base_url.ts";
import { type ProviderName, providerOf } from "./providers.ts";

/** The address of `provider`: `M31A_BASE_URL`, `[model]`, the provider's own variable, its usual one. */
export function baseUrlFor(
  provider: ProviderName,
  environment: Environment,
  configured: string | undefined,
): string {
  const { baseUrl, baseUrlName } = providerOf(provider);
  if (environment.M31A_BASE_URL !== undefined) {
    return parseBaseUrl(environment.M31A_BASE_URL, "M31A_BASE_URL");
  }
  if (configured !== undefined) {
    return parseBaseUrl(configured, "[model] base_url in planning/config.toml");
  }
  const own = baseUrlName === null ? undefined : environment[baseUrlName];
  if (baseUrlName !== null && own !== undefined) {
    if (baseUrlName === "OLLAMA_HOST") return ollamaBaseUrl(own);
    const url = parseBaseUrl(own, baseUrlName);
    // Anthropic's own tools take this variable without the path of the version.
    return baseUrlName === "ANTHROPIC_BASE_URL" && !url.endsWith("/v1") ? `${url}/v1` : url;
  }
  if (baseUrl !== null) return baseUrl;
  throw new UsageError(
    `The provider "${provider}" needs an address: set M31A_BASE_URL or base_url in [model] of planning/config.toml.`,
  );
}

/** OLLAMA_HOST is also where the server listens: any address and no port are usual there. */
function ollamaBaseUrl(host: string): string {
  const hasScheme = host.includes("://");
  const url = new URL(parseBaseUrl(host, "OLLAMA_HOST"));
  if (!hasScheme && url.port === "") url.port = "11434";
  if (url.hostname === "0.0.0.0" || url.hostname === "[::]") url.hostname = "127.0.0.1";
  return url.href;
}

/**
 * Refuses an address that stands in a session's files, which anybody may have made, unless the environment or the
 * (trusted) configuration names it too, it is the provider's usual one, or it is on this machine and no key
 * would go there.
 *
 * @param configured `base_url` of the configuration, where it is that of this provider
 * @param hasKeyCommand whether the configuration has a command for a key
 * @throws {UsageError} that says how to name the address
 */
export function refuseForeignAddress(
  recorded: string,
  provider: ProviderName,
  environment: Environment,
  configured: string | undefined,
  hasKeyCommand = false,
): void {
  // It goes before any other address, the recorded one among them.
  if (environment.M31A_BASE_URL !== undefined) return;
  const named = [configured, undefined].flatMap((address) => {
    try {
      return baseUrlFor(provider, environment, address);
    } catch (error) {
      if (error instanceof UsageError) return [];
      throw error;
    }
  });
  const { baseUrl, keyName } = providerOf(provider);
  if (recorded === baseUrl || named.includes(recorded)) return;
  const hasKey = hasKeyCommand || keyName !== null && environment[keyName] !== undefined;
  if (!hasKey && isOnLoopback(recorded)) return;
  const whatGoes = hasKey ? "your code and your key" : "your code";
  throw new UsageError(
    `This session's files say that its model is at ${recorded}, and nothing else does: ${whatGoes} would go there. ` +
      "If you know that address, set M31A_BASE_URL to it.",
  );
}
