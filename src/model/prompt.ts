/**
 * From an answer to the message that repeats it in the next request.
 * Rule: the same parts give the same message, for ever; the provider's cache depends on it.
 */
import type { CompletionPart, PromptMessage } from "./port.ts";

/**
 * The assistant's message for `content`, as it goes into the prompt of the next call. Provider metadata
 * goes back as provider options; a malformed call goes back with the input `{}`, since servers refuse
 * anything but an object there (its result should quote what the model wrote).
 *
 * @example
 * ```ts
 * import { assistantMessage } from "./prompt.ts";
 * import assert from "node:assert/strict";
 *
 * assert.deepEqual(assistantMessage([{ type: "text", text: "Hi" }]), {
 *   role: "assistant",
 *   content: [{ type: "text", text: "Hi" }],
 * });
 * ```
 */
export function assistantMessage(content: readonly CompletionPart[]): PromptMessage {
  return {
    role: "assistant",
    content: content.map((part) => {
      const options = part.providerMetadata && { providerOptions: part.providerMetadata };
      if (part.type !== "tool-call") return { type: part.type, text: part.text, ...options };
      return {
        type: "tool-call",
        toolCallId: part.id,
        toolName: part.name,
        input: part.input,
        ...options,
      };
    }),
  };
}
