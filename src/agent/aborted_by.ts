/**
 * What ended a turn, and what is recorded of it.
 * Rule: only what a turn may end by; a defect goes on.
 */
import { ContextOverflow, ModelError } from "../model/errors.ts";
import { Interrupted, messageOf, WorkFailed } from "../platform/errors.ts";
import type { RecordDraft } from "../session/records.ts";
import type { TurnEnd } from "./events.ts";
import { LimitReached } from "./limits.ts";

/** The end that `error` is; throws it where it is none. */
export function abortedBy(error: unknown): Extract<TurnEnd, { outcome: "aborted" }> {
  const detail = messageOf(error);
  if (error instanceof LimitReached) return { outcome: "aborted", reason: "limit", detail };
  const isInterruption = error instanceof Interrupted ||
    (error instanceof DOMException && error.name === "AbortError");
  if (isInterruption) return { outcome: "aborted", reason: "interrupted", detail };
  if (error instanceof WorkFailed) return { outcome: "aborted", reason: "error", detail };
  throw error;
}

/** What there is to record of `error` besides its words. */
export function detailsOf(
  error: unknown,
): Pick<Extract<RecordDraft, { type: "aborted" }>, "cause" | "imagesLeftOut"> {
  if (error instanceof ContextOverflow) return { cause: "context_overflow" };
  const isOfImages = error instanceof ModelError && error.kind === "images";
  return isOfImages ? { imagesLeftOut: true } : {};
}
