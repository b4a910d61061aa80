/**
 * What the Anthropic messages protocol asks of a prompt.
 * Rule: each message becomes the same bytes whatever stands behind it.
 */
import type { JsonValue } from "../platform/canonical_json.ts";
import type { Prompt, PromptMessage } from "./port.ts";

/**
 * Leaves out what the API refuses: texts without a visible character, reasoning that no text or call
 * follows (an answer that was cut by its length), and messages that hold nothing else.
 */
export function cleanAnthropicPrompt(prompt: Prompt): Prompt {
  return prompt.flatMap((message): PromptMessage[] => {
    if (message.role === "system") return message.content.trim() === "" ? [] : [message];
    if (message.role === "tool") return [message];
    if (message.role === "user") {
      const content = message.content.filter((part) =>
        part.type !== "text" || isVisible(part.text)
      );
      return [
        content.length > 0 ? { ...message, content } : {
          role: "user",
          content: [{ type: "text", text: "(empty)" }],
        },
      ];
    }
    const content = message.content.filter((part) => part.type !== "text" || isVisible(part.text));
    const end = content.findLastIndex((part) => part.type !== "reasoning") + 1;
    return end === 0 ? [] : [{ ...message, content: content.slice(0, end) }];
  });
}

function isVisible(text: string): boolean {
  return text.trim() !== "";
}

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
