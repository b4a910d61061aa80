/**
 * An overflow that making the conversation short has not ended.
 * Rule: it says how long the message is that does not fit, and what the model reads at once.
 */
import { ContextOverflow } from "../model/errors.ts";
import { utf8ByteLength } from "../platform/text.ts";
import type { Conversation } from "./conversation.ts";

/** The overflow of a conversation that has just been made short: it is the message itself that is too long. */
export function stillTooLong(
  conversation: Conversation,
  error: ContextOverflow,
): ContextOverflow {
  const { unansweredMessage, contextWindowTokens } = conversation;
  const sizeBytes = utf8ByteLength(unansweredMessage?.text ?? "");
  const window = contextWindowTokens === undefined
    ? ""
    : `, and the model reads ${contextWindowTokens} tokens at once`;
  return new ContextOverflow(
    `${error.message} The conversation was made short, and it still does not fit: the last message has ` +
      `${sizeBytes} bytes, about ${
        Math.ceil(sizeBytes / 4)
      } tokens${window}. The next message goes on without it.`,
    error.windowTokens,
    { cause: error },
  );
}
