/**
 * How long to wait before a request is sent again.
 * Rule: what the server asks for is honoured; without it the wait doubles, with chance in it.
 */

/**
 * What the headers ask for, in milliseconds from `now`: `retry-after-ms`, else `retry-after` as seconds
 * or as an HTTP date (RFC 9110, 10.2.3). `undefined` when they say nothing that can be read.
 */
export function retryAfterMs(headers: Headers, now: Date): number | undefined {
  const milliseconds = numberOf(headers.get("retry-after-ms"));
  if (milliseconds !== undefined) return milliseconds;
  const text = headers.get("retry-after");
  if (text === null) return undefined;
  const seconds = numberOf(text);
  if (seconds !== undefined) return seconds * 1000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now.getTime());
}

function numberOf(text: string | null): number | undefined {
  return text !== null && /^\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : undefined;
}

/** How repeated requests are spaced. */
export interface Backoff {
  /** The wait before the first repetition. */
  firstWaitMs: number;
  /** No wait is longer. */
  maxWaitMs: number;
}

/**
 * The wait before repetition `attempt` (1 is the first): doubling, and of that between one half and all,
 * as `random` (0 to 1) decides, so that clients that failed together do not return together.
 */
export function backoffMs(attempt: number, backoff: Backoff, random: number): number {
  const ceiling = Math.min(backoff.maxWaitMs, backoff.firstWaitMs * 2 ** (attempt - 1));
  return Math.round(ceiling * (0.5 + random / 2));
}
