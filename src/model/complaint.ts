/**
 * From what went wrong in a request to the error that the user reads.
 * Rule: it says who refused, what they said, and what to do; keys are masked.
 */
import { messageOf } from "../platform/errors.ts";
import { obstacleIn } from "../platform/network.ts";
import { maskSecrets } from "../platform/text.ts";
import type { Endpoint } from "./adapter.ts";
import { hostOf } from "./base_url.ts";
import { ContextOverflow, ModelError, type ModelErrorKind } from "./errors.ts";
import { judge, shorten } from "./failure.ts";
import { providerOf } from "./providers.ts";
import { Disconnected, Refused } from "./try_again.ts";

/** What is to be done about a failed try. */
export interface Complaint {
  /** The error, if there is no other try. */
  error: ModelError;
  /** In a few words, for the notice of a repetition. */
  reason: string;
  isRetryable: boolean;
  /** The server runs and has its model not ready yet. */
  isLoading: boolean;
  /** Repeat at once, without counting: an old connection had been closed. */
  isStale: boolean;
  /** What the server asks for. */
  retryAfterMs: number | undefined;
}

/** Who answers at `endpoint`: title and host. */
export function sourceOf(endpoint: Endpoint): string {
  return `${providerOf(endpoint.provider).title} at ${hostOf(endpoint.baseUrl)}`;
}

/**
 * What `failure` means.
 *
 * @param tries how often the request has been sent
 */
export async function complaintAbout(
  failure: unknown,
  endpoint: Endpoint,
  tries: number,
): Promise<Complaint> {
  const secrets = endpoint.apiKey === undefined ? [] : [endpoint.apiKey];
  const source = sourceOf(endpoint);
  const often = tries > 1 ? ` (${tries} tries)` : "";
  if (failure instanceof Refused) {
    const { status, code } = failure.refusal;
    const said = maskSecrets(failure.refusal.message, secrets);
    const { kind, isRetryable, windowTokens } = judge(failure.refusal);
    const label = [status, status === undefined ? code : ""].filter(Boolean).join(" ");
    const detail = [label, said].filter((part) => part !== "").join(": ");
    return {
      error: newError(
        kind,
        `${source} ${whatHappened(kind)} (${detail})${often}. ${nextStep(kind, endpoint)}`,
        { windowTokens },
      ),
      reason: detail,
      isRetryable,
      isLoading: status === 503 && /loading/i.test(said),
      isStale: false,
      retryAfterMs: failure.retryAfterMs,
    };
  }
  if (failure instanceof Disconnected) {
    const { said, advice, isLasting } = await obstacleIn(
      maskSecrets(failure.message, secrets),
      endpoint.baseUrl,
    );
    return {
      error: newError("connection", `${source} cannot be reached${often}: ${said}. ${advice}`),
      reason: said,
      isRetryable: !isLasting,
      isLoading: false,
      isStale: failure.isStale,
      retryAfterMs: undefined,
    };
  }
  const error = failure instanceof ModelError ? failure : newError(
    "protocol",
    `${source} sent what is not in the protocol: ${
      shorten(maskSecrets(messageOf(failure), secrets))
    }. ${nextStep("protocol", endpoint)}`,
    { cause: failure },
  );
  return {
    error,
    reason: error.kind,
    isRetryable: false,
    isLoading: false,
    isStale: false,
    retryAfterMs: undefined,
  };
}

function newError(
  kind: ModelErrorKind,
  message: string,
  { windowTokens, ...options }: ErrorOptions & { windowTokens?: number | undefined } = {},
): ModelError {
  return kind === "context-overflow"
    ? new ContextOverflow(message, windowTokens, options)
    : new ModelError(kind, message, options);
}

function whatHappened(kind: ModelErrorKind): string {
  switch (kind) {
    case "authentication":
      return "refused the key";
    case "payment":
      return "says that no credit or quota is left";
    case "not-found":
      return "knows no such model or address";
    case "context-overflow":
      return "says that the conversation does not fit the model's context window";
    case "rate-limit":
      return "says that there are too many requests";
    case "server":
      return "failed";
    case "connection":
      return "was not reached: a proxy wants to know who asks";
    default:
      return "refused the request";
  }
}

function nextStep(kind: ModelErrorKind, { provider, name, baseUrl }: Endpoint): string {
  switch (kind) {
    case "authentication":
      return `Check ${providerOf(provider).keyName ?? "whether the server wants a key"}.`;
    case "payment":
      return "Check the account's billing, or choose another model.";
    case "not-found":
      return `Check the model's name (${name}) and the base URL (${baseUrl}).`;
    case "context-overflow":
      return "Shorten the last message, or start a new conversation.";
    case "rate-limit":
      return "Wait, or choose another model.";
    case "bad-request":
      return "Check [model] parameters in planning/config.toml.";
    case "connection":
      return "Check the proxy that the request went through (HTTPS_PROXY, HTTP_PROXY), and its user and password.";
    case "protocol":
      return `Check the base URL (${baseUrl}).`;
    default:
      return "Try again later, or choose another model.";
  }
}
