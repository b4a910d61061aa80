/**
 * A conversation's messages as text, for a model that is told of them in place of having them.
 * Rule: pure; a message is a paragraph that says whose it is.
 */
import { capText, utf8ByteLength } from "../platform/text.ts";
import { describeImages, type Image } from "../session/images.ts";
import type { Message } from "../session/replay.ts";

/** How much of a tool's result stands in the last exchange. */
const RESULT_BYTES = 4_000;

/** All of `messages`, in order. */
export function transcriptOf(messages: readonly Message[]): string {
  return messages.map(paragraphOf).join("\n\n");
}

/**
 * What was said last: the user's last message that has an answer, and the last answer with the results of its calls, of
 * which long ones are capped.
 */
export function lastExchange(messages: readonly Message[]): string {
  const answer = messages.findLastIndex(({ role }) => role === "assistant");
  const question = messages.findLastIndex(({ role }, index) => role === "user" && index < answer);
  const asked = messages[question];
  const said = messages.slice(answer < 0 ? 0 : answer).map((message) =>
    message.role === "tool"
      ? { ...message, output: capText(message.output, RESULT_BYTES).text }
      : message
  );
  return transcriptOf(asked === undefined ? said : [asked, ...said]);
}

/** The newest of `messages` that fit `maxBytes`, behind the summary of what came before them. */
export function newestOf(messages: readonly Message[], earlier: string, maxBytes: number): string {
  const begun = capText(earlier, maxBytes / 4).text;
  let left = maxBytes - utf8ByteLength(begun) - 200;
  const kept: string[] = [];
  for (const message of messages.toReversed()) {
    const paragraph = paragraphOf(message);
    const sizeBytes = utf8ByteLength(paragraph) + 2;
    if (sizeBytes > left) {
      if (kept.length === 0) kept.push(capText(paragraph, Math.max(0, left)).text);
      break;
    }
    kept.push(paragraph);
    left -= sizeBytes;
  }
  const omitted = messages.length - kept.length;
  const head =
    `There is no summary. The newest messages follow (${kept.length}); ${omitted} before them are left out.`;
  return [begun, head, ...kept.toReversed()].filter((part) => part !== "").join("\n\n");
}

function picturesOf({ images }: { images?: readonly Image[] }): string {
  return images === undefined ? "" : ` ${describeImages(images)}`;
}

function paragraphOf(message: Message): string {
  if (message.role === "user") return `User: ${message.text}${picturesOf(message)}`;
  if (message.role === "tool") {
    return `Result of ${message.tool}: ${message.output}${picturesOf(message)}`;
  }
  const parts = message.parts.map((part) =>
    part.kind === "call" ? `[calls ${part.tool} ${JSON.stringify(part.input)}]` : part.text
  );
  return `Assistant: ${parts.join("\n")}`;
}
