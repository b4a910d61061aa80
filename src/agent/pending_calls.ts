/**
 * Calls of the last reply that have no result yet, with what they intended.
 * Rule: a fold, so that a process that takes over knows how far each call had come.
 */
import type { AssistantPart, Fold, RecordOf, SessionRecord } from "../session/records.ts";
import type { ToolCall } from "./tool_set.ts";

/** A call that has no result. */
export interface PendingCall {
  call: ToolCall;
  /** What it was about to do; undefined while it had not begun to change or run anything. */
  intent: RecordOf<"intent"> | undefined;
}

/** See the head of this file. */
export class PendingCalls implements Fold {
  #pending: PendingCall[] = [];

  /** In call order. */
  get all(): readonly PendingCall[] {
    return this.#pending;
  }

  apply(record: SessionRecord): void {
    if (record.type === "assistant") {
      this.#pending = record.parts.filter(isCall).map((call) => ({ call, intent: undefined }));
    }
    if (record.type === "intent") {
      const pending = this.#pending.find(({ call }) => call.call === record.call);
      if (pending !== undefined) pending.intent = record;
    }
    if (record.type === "tool_result") {
      this.#pending = this.#pending.filter(({ call }) => call.call !== record.call);
    }
  }
}

function isCall(part: AssistantPart): part is Extract<AssistantPart, { kind: "call" }> {
  return part.kind === "call";
}
