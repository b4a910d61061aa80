/**
 * What bounds a request over HTTP.
 * Rule: numbers only; http_model.ts acts on them.
 */
import type { Backoff } from "./retry_after.ts";

/** What bounds a request. */
export interface HttpLimits extends Backoff {
  /** How often a request is sent at most. */
  maxTries: number;
  /** A longer wait than this that a server asks for ends the request. */
  maxRetryAfterMs: number;
  /** Silence that ends an answer; 0: none does. */
  idleTimeoutMs: number;
  /** How long the text of an error may take to come, once its status is there. */
  wholeBodyMs: number;
  /** The length of an answer's content, in UTF-16 code units. */
  maxAnswerLength: number;
  /** The length of an answer on the wire. */
  maxWireBytes: number;
}

/** The limits that hold when nothing else is said. */
export const DEFAULT_HTTP_LIMITS: HttpLimits = {
  maxTries: 5,
  firstWaitMs: 1000,
  maxWaitMs: 30_000,
  maxRetryAfterMs: 120_000,
  idleTimeoutMs: 300_000,
  wholeBodyMs: 30_000,
  maxAnswerLength: 4 * 1024 * 1024,
  maxWireBytes: 256 * 1024 * 1024,
};
