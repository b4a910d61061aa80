/**
 * What can go wrong with a model.
 * Rule: a message names the provider, the host and the next step, and never holds a key.
 */
import { UsageError, WorkFailed } from "../platform/errors.ts";

/**
 * The kind of a failure: the key is refused, no credit is left, the model or path does not exist, the
 * request is refused, it does not fit the context window, pictures are not taken, too many requests, the server fails, the
 * connection fails, nothing came for too long, the answer is not in the protocol, the answer is too
 * long, or the script that plays the model does not fit the conversation.
 */
export type ModelErrorKind =
  | "authentication"
  | "payment"
  | "not-found"
  | "bad-request"
  | "context-overflow"
  | "images"
  | "rate-limit"
  | "server"
  | "connection"
  | "timeout"
  | "protocol"
  | "too-large"
  | "script";

/** A model did not give an answer. */
export class ModelError extends WorkFailed {
  readonly kind: ModelErrorKind;

  constructor(kind: ModelErrorKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}

/** The conversation is longer than the model's context window: compact it, then call again. */
export class ContextOverflow extends ModelError {
  /** The model's window in tokens, where the provider told it. */
  readonly windowTokens: number | undefined;

  constructor(message: string, windowTokens?: number, options?: ErrorOptions) {
    super("context-overflow", message, options);
    this.windowTokens = windowTokens;
  }
}

/** No model was named and none was found; the message lists the ways to name one. */
export class NoModel extends UsageError {}
