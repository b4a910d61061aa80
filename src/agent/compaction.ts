/**
 * Compaction: a summary takes the place of the records so far, and the next epoch opens with it.
 * Rule: the old epoch stays as it is and goes on if anything fails before the new one exists.
 */
import type { Completion } from "../model/port.ts";
import { WorkFailed } from "../platform/errors.ts";
import { capText } from "../platform/text.ts";
import type { RecordDraft } from "../session/records.ts";
import type { Message } from "../session/replay.ts";
import { cleanText } from "./clean.ts";
import type { Conversation } from "./conversation.ts";
import { usageEvent } from "./events.ts";

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
 * Has the model summarize the conversation and begins the next epoch with that. A message that waits for
 * its answer is not summarized: it goes along, word for word.
 *
 * @param goOn the message that the next epoch begins with where none waits for its answer
 * @param how `summarize` asks at the end of the conversation, which the provider has in its cache;
 *   `excerpt` shows the model the conversation's beginning and end, for one that fits no more
 * @throws {WorkFailed} when the model gives no summary; the present epoch goes on then
 */
export async function compact(
  conversation: Conversation,
  how: "summarize" | "excerpt",
  signal: AbortSignal,
  goOn?: Extract<RecordDraft, { type: "user" }>,
): Promise<void> {
  const { world, session, replay } = conversation;
  world.onEvent({ type: "notice", text: "Summarizing the conversation to make room." });
  const answer = how === "summarize"
    ? await conversation.request(replay.asideRequest(SUMMARIZE), signal, () => {})
    : await requestOfExcerpt(conversation, signal);
  const text = answer.completion.content.map((part) => part.type === "text" ? part.text : "");
  const summary = cleanText(text.join("").trim(), world.secrets);
  const usage = conversation.usageDraft("compaction", answer);
  session.append([usage]);
  world.onEvent(usageEvent(usage, session.totals));
  if (summary === "") {
    throw new WorkFailed("the model gave no summary, so the conversation was not compacted");
  }
  const { unansweredMessage } = conversation;
  await session.beginEpoch(
    capText(summary, MAX_SUMMARY_BYTES).text,
    world.carriedWorkflow?.() ?? null,
    unansweredMessage === undefined ? goOn : { ...unansweredMessage, moved: true },
  );
  world.onEvent({ type: "compacted", epoch: session.baseline.epoch, summary });
}

function requestOfExcerpt(
  conversation: Conversation,
  signal: AbortSignal,
): Promise<{ completion: Completion; durationMs: number }> {
  const request = conversation.replay.asideRequest(SUMMARIZE);
  const window = conversation.contextWindowTokens;
  const maxBytes = window === undefined ? EXCERPT_BYTES : window * EXCERPT_BYTES_PER_TOKEN;
  const said = request.messages.slice(0, -1).map(lineOf).join("\n\n");
  const text = `${SUMMARIZE}\n\nThe conversation, its middle left out:\n\n${
    capText(said, maxBytes).text
  }`;
  const messages: Message[] = [{ role: "user", text }];
  return conversation.request({ ...request, tools: [], messages }, signal, () => {});
}

function lineOf(message: Message): string {
  if (message.role === "user") return `User: ${message.text}`;
  if (message.role === "tool") return `Result of ${message.tool}: ${message.output}`;
  const parts = message.parts.map((part) =>
    part.kind === "call" ? `[calls ${part.tool} ${JSON.stringify(part.input)}]` : part.text
  );
  return `Assistant: ${parts.join("\n")}`;
}
