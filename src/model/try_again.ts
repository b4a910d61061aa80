/**
 * Failures of one try, before it is decided whether there will be another.
 * Rule: these never leave the room; what leaves is a ModelError.
 */
import type { Refusal } from "./failure.ts";
import type { RequestBody } from "./wire.ts";

/** The provider answered, and the answer is no. */
export class Refused extends Error {
  readonly refusal: Refusal;
  /** How long the provider asks to wait. */
  readonly retryAfterMs: number | undefined;
  /** The request that was refused, where it was refused before an answer began. */
  readonly body: RequestBody | undefined;

  constructor(refusal: Refusal, retryAfterMs?: number, body?: RequestBody) {
    super(refusal.message);
    this.refusal = refusal;
    this.retryAfterMs = retryAfterMs;
    this.body = body;
  }
}

/** The connection could not be made, or broke. */
export class Disconnected extends Error {
  /** No byte of an answer had come, on a connection that was probably an old one. */
  readonly isStale: boolean;

  constructor(message: string, isStale: boolean, options?: ErrorOptions) {
    super(message, options);
    this.isStale = isStale;
  }
}
