/**
 * Compaction: a summary takes the place of the records so far, and the next epoch opens with it.
 * Rule: the old epoch stays as it is and goes on if anything fails before the new one exists.
 */
import type { Completion } from "../model/port.ts";
import { WorkFailed } from "../platform/errors.ts";
import { capText } from "../platform/text.ts";
import type { Message } from "../session/replay.ts";
import { cleanText } from "./clean.ts";
import type { Conversation } from "./conversation.ts";
import { usageEvent } from "./events.ts";
import { toModelCall } from "./prompt.ts";

const SUMMARIZE =
  `The conversation is about to be continued with only a summary of it. Write that summary now, ` +
  `as plain text, without calling a tool. Keep what is needed to go on: what the user wants and decided, ` +
  `what was found (files, lines, names, commands and their results), what was changed, what is open, ` +
  `and what comes next. Leave out what no longer matters.`;

/** A summary longer than this is cut: it would leave no room for the conversation. */
const MAX_SUMMARY_BYTES = 32 * 1024;

/** How much of a conversation that does not fit any more is shown for its summary, in bytes a token of the window. */
const EXCERPT_BYTES_PER_TOKEN = 1.5;
const EXCERPT_BYTES = 48 * 1024;

/**
 * Has the model summarize the conversation and begins the next epoch with that.
 *
 * @param how `summarize` asks at the end of the conversation, which the provider has in its cache;
 *   `excerpt` shows the model the conversation's beginning and end, for one that fits no more
 * @throws {WorkFailed} when the model gives no summary; the present epoch goes on then
 */
export async function compact(
  conversation: Conversation,
  how: "summarize" | "excerpt",
  signal: AbortSignal,
): Promise<void> {
  const { world, session } = conversation;
  world.onEvent({ type: "notice", text: "Summarizing the conversation to make room." });
  const answer = how === "summarize"
    ? await conversation.request(SUMMARIZE, signal, () => {})
    : await requestOfExcerpt(conversation, signal);
  const text = answer.completion.content.map((part) => part.type === "text" ? part.text : "");
  const summary = cleanText(text.join("").trim(), world.secrets);
  const usage = conversation.usageDraft("compaction", answer);
  session.append([usage]);
  world.onEvent(usageEvent(usage, session.totals));
  if (summary === "") {
    throw new WorkFailed("the model gave no summary, so the conversation was not compacted");
  }
  await session.beginEpoch(
    capText(summary, MAX_SUMMARY_BYTES).text,
    world.carriedWorkflow?.() ?? null,
  );
  world.onEvent({ type: "compacted", epoch: session.baseline.epoch, summary });
}

async function requestOfExcerpt(
  conversation: Conversation,
  signal: AbortSignal,
): Promise<{ completion: Completion; durationMs: number }> {
  const { model, clock } = conversation.world;
  const request = conversation.replay.request();
  const window = conversation.contextWindowTokens;
  const maxBytes = window === undefined ? EXCERPT_BYTES : window * EXCERPT_BYTES_PER_TOKEN;
  const transcript = capText(request.messages.map(lineOf).join("\n\n"), maxBytes).text;
  const text = `${SUMMARIZE}\n\nThe conversation, its middle left out:\n\n${transcript}`;
  const startedMs = clock.monotonicMs();
  const call = toModelCall(
    { ...request, tools: [], messages: [{ role: "user", text }] },
    conversation.session.slot,
    conversation.session.totals.requests,
  );
  const completion = await model.stream(call, { signal, onEvent: () => {} });
  return { completion, durationMs: clock.monotonicMs() - startedMs };
}

function lineOf(message: Message): string {
  if (message.role === "user") return `User: ${message.text}`;
  if (message.role === "tool") return `Result of ${message.tool}: ${message.output}`;
  const parts = message.parts.map((part) =>
    part.kind === "call" ? `[calls ${part.tool} ${JSON.stringify(part.input)}]` : part.text
  );
  return `Assistant: ${parts.join("\n")}`;
}
