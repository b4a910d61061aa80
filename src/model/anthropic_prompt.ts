/**
 * The Anthropic messages protocol's messages of the user, as they must be sent for a prefix to stay one.
 * Rule: each message becomes the same bytes whatever stands behind it.
 */
import type { JsonValue } from "../platform/canonical_json.ts";
import type { Prompt, PromptMessage } from "./port.ts";

/**
 * Undoes a merging of the SDK's. It puts consecutive messages of the user and of tools into one; a
 * message that is added later would then change the end of one that was sent before (a turn that was
 * interrupted leaves two messages of the user in a row). The API itself combines consecutive turns of
 * one role, so they can go out apart: all tool results in a row as one, each message of the user alone.
 *
 * @param messages the wire messages that the SDK made
 * @param prompt what it made them from
 */
export function splitUserMessages(messages: JsonValue, prompt: Prompt): JsonValue {
  if (!Array.isArray(messages)) return messages;
  const blocks = blockSizes(prompt);
  const userMessages = messages.filter(isUserMessage);
  if (userMessages.length !== blocks.length) return messages;
  let next = 0;
  return messages.flatMap((message) => {
    if (!isUserMessage(message)) return [message];
    const sizes = blocks[next++] ?? [];
    const { content } = message;
    const total = sizes.reduce((sum, size) => sum + size, 0);
    if (!Array.isArray(content) || content.length !== total) return [message];
    let start = 0;
    return sizes.map((size): JsonValue => {
      const end = start + size;
      const part = { ...message, content: content.slice(start, end) };
      start = end;
      return part;
    });
  });
}

/** For each run of user and tool messages, how many content blocks each wire message of it gets. */
function blockSizes(prompt: Prompt): number[][] {
  const blocks: number[][] = [];
  let previous: PromptMessage["role"] | undefined;
  for (const { role, content } of prompt) {
    if (role === "user" || role === "tool") {
      if (previous !== "user" && previous !== "tool") blocks.push([]);
      const sizes = blocks[blocks.length - 1] ?? [];
      const isContinued = role === "tool" && previous === "tool";
      sizes.push(content.length + (isContinued ? sizes.pop() ?? 0 : 0));
    }
    previous = role;
  }
  return blocks;
}

function isUserMessage(message: JsonValue): message is { [key: string]: JsonValue } {
  return message !== null && typeof message === "object" && !Array.isArray(message) &&
    message.role === "user";
}
