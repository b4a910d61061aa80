/**
 * What providers that check each message ask of a prompt.
 * Rule: each message becomes the same whatever stands behind it.
 */
import type { Prompt, PromptMessage } from "./port.ts";

/**
 * Leaves out what the providers refuse that check each message: texts without a visible character, reasoning that no text or call
 * follows (an answer that was cut by its length), and messages that hold nothing else.
 */
export function cleanPrompt(prompt: Prompt): Prompt {
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
