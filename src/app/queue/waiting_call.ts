/** A call on a conversation that waits until what goes on there has ended. */

/** What is called for. `steer`: a message for the turn that is under way. */
export type CallKind = "message" | "steer" | "goal" | "ship" | "undo" | "compaction" | "model";

/** See the head of this file. */
export interface WaitingCall {
  id: string;
  kind: CallKind;
  /** The message or the goal; of other calls a word for the user. */
  text: string;
}
