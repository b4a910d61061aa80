/** Whether a conversation is to be summarized before its next request. */
import type { Conversation } from "./conversation.ts";

/** Above this part of the context window the conversation is compacted before the next request. */
const NEARLY_FULL = 0.85;

/** Whether the model's context window is nearly full of what a summary would make shorter. */
export function isNearlyFull(
  { contextWindowTokens: window, contextTokens, replay }: Conversation,
): boolean {
  if (window === undefined || contextTokens <= window * NEARLY_FULL) return false;
  // What a conversation begins with, and the message that waits, get no shorter by a summary.
  return replay.request().messages.length > 1;
}
