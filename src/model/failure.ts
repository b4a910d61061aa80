/**
 * What a provider's refusal means: from status, code and message to a kind, and whether to ask again.
 * Rule: a pure function; what is not known is a refusal that is not repeated.
 */
import type { ModelErrorKind } from "./errors.ts";
import { overflowIn } from "./overflow.ts";

/** What a provider said when it refused. */
export interface Refusal {
  /** The HTTP status; absent when the refusal came inside a stream. */
  status?: number;
  /** The provider's `error.code` and `error.type`, lower case, in one string. */
  code: string;
  message: string;
  /** The context window, where a field tells it. */
  windowTokens?: number;
}

/** What it means. */
export interface Verdict {
  kind: ModelErrorKind;
  /** Sending the same request again may succeed. */
  isRetryable: boolean;
  /** Of an overflow: the model's window, where it is told. */
  windowTokens?: number | undefined;
}

const OUT_OF_CREDIT = /insufficient_quota|billing|insufficient_credits|credit balance/;

/** Decides what `refusal` means. */
export function judge(refusal: Refusal): Verdict {
  const { status, code, message } = refusal;
  const overflow = overflowIn(code, message, refusal.windowTokens);
  if (overflow !== undefined) return { ...final("context-overflow"), ...overflow };
  if (OUT_OF_CREDIT.test(code) || /credit balance|exceeded your current quota/i.test(message)) {
    return final("payment");
  }
  if (status === undefined || status === 200) return judgeByCode(code);
  if (status === 401 || status === 403) return final("authentication");
  if (status === 400 && /api key/i.test(message)) return final("authentication");
  if (status === 402) return final("payment");
  if (status === 404) return final("not-found");
  if (status === 407) return final("connection");
  if (status === 408 || status === 409) return again("server");
  if (status === 413) return final("context-overflow");
  if (status === 429) return again("rate-limit");
  if (status >= 500) return again("server");
  if (status >= 300 && status < 400) return final("not-found");
  return final("bad-request");
}

// A refusal inside a stream has no status of its own: some carry the number as code, some a word.
function judgeByCode(code: string): Verdict {
  const status = /\b([45]\d\d)\b/.exec(code)?.[1];
  if (status !== undefined) return judge({ status: Number(status), code: "", message: "" });
  if (/rate_limit|too_many/.test(code)) return again("rate-limit");
  if (/authentication|permission|invalid_api_key/.test(code)) return final("authentication");
  if (/not_found/.test(code)) return final("not-found");
  if (/invalid_request/.test(code)) return final("bad-request");
  return again("server");
}

function again(kind: ModelErrorKind): Verdict {
  return { kind, isRetryable: true };
}

function final(kind: ModelErrorKind): Verdict {
  return { kind, isRetryable: false };
}

/**
 * Reads a refusal from the body of an answer (or the data of an `error` event): `{error: {message, code,
 * type}}`, `{error: "…"}`, `{message}`, or any text, of which the first 300 characters are kept.
 */
export function parseRefusal(body: string, status?: number): Refusal {
  const withStatus = status === undefined ? {} : { status };
  const value = parseJson(body);
  const error = isObject(value) ? value.error ?? value : undefined;
  if (isObject(error)) {
    const nested = isObject(error.metadata) ? error.metadata.raw : undefined;
    const message = [error.message, nested].filter((part) => typeof part === "string").join(": ");
    const code = [error.code, error.type].filter((part) =>
      typeof part === "string" || typeof part === "number"
    ).join(" ").toLowerCase();
    const told = typeof error.n_ctx === "number" ? { windowTokens: error.n_ctx } : {};
    return { ...withStatus, code, message: shorten(message || body), ...told };
  }
  return { ...withStatus, code: "", message: shorten(typeof error === "string" ? error : body) };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is { [key: string]: unknown } {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

/** `text` on one line, of which the first 300 characters are kept. */
export function shorten(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length <= 300 ? line : `${Array.from(line).slice(0, 300).join("")} …`;
}
