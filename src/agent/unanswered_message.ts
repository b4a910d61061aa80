/**
 * The message that waits for its answer.
 * Rule: a fold, so that a process that takes over knows of a message that the one before could not have answered.
 */
import type { Fold, RecordDraft, SessionRecord } from "../session/records.ts";

type UserDraft = Extract<RecordDraft, { type: "user" }>;

/** See the head of this file. */
export class UnansweredMessage implements Fold {
  #message: UserDraft | undefined;

  /** Undefined when the last message has a reply, or was given up. */
  get message(): UserDraft | undefined {
    return this.#message;
  }

  apply(record: SessionRecord): void {
    if (record.type === "assistant" || record.type === "aborted") this.#message = undefined;
    if (record.type !== "user") return;
    const { seq: _seq, at: _at, prev: _prev, moved: _moved, ...message } = record;
    this.#message = message;
  }
}
