/**
 * Compaction: a summary takes the place of the records so far, and the next epoch opens with it.
 * Rule: it succeeds as long as the model can be reached, and what comes out is shorter than what went in; the old epoch stays as
 * it is and goes on if anything fails before the new one exists.
 */
import { ModelError } from "../model/errors.ts";
import type { Completion } from "../model/port.ts";
import { capText, utf8ByteLength } from "../platform/text.ts";
import type { RecordDraft } from "../session/records.ts";
import type { Message } from "../session/replay.ts";
import { cleanText } from "./clean.ts";
import type { Conversation } from "./conversation.ts";
import { usageEvent } from "./events.ts";
import { lastExchange, newestOf, transcriptOf } from "./transcript_text.ts";

const SUMMARIZE =
  `The conversation is about to be continued with only a summary of it. Write that summary now, ` +
  `as plain text, without calling a tool. Keep what is needed to go on: what the user wants and decided, ` +
  `what was found (files, lines, names, commands and their results), what was changed, what is open, ` +
  `and what comes next. Leave out what no longer matters.`;

/** A summary longer than this is cut: it would leave no room for the conversation. */
const MAX_SUMMARY_BYTES = 32 * 1024;

/** How much of the last exchange goes along word for word; the middle of a longer one is left out. */
const MAX_EXCHANGE_BYTES = 16 * 1024;

/** How much of a conversation that does not fit any more is shown for its summary, where the window is not known. */
const EXCERPT_BYTES = 48 * 1024;

/** A conversation of fewer bytes than this gets no shorter by a summary. */
const SHORTEST_BYTES = 1_000;

/** What a compaction is asked for besides. */
export interface CompactionWishes {
  /** The message that the next epoch begins with where none waits for its answer. */
  goOn?: Extract<RecordDraft, { type: "user" }>;
  /** What the summary must hold, in the user's words. */
  keep?: string | undefined;
}

/** A way to a summary, which the model is asked for with `question`; undefined where it says nothing that can be one. */
type Way = (
  conversation: Conversation,
  question: string,
  signal: AbortSignal,
) => Promise<{ completion: Completion; durationMs: number }>;

/**
 * Has the model summarize the conversation and begins the next epoch with that and the last exchange, word for word. A
 * message that waits for its answer is not summarized: it goes along. Where a summary would be no shorter and nothing
 * depends on it, that is said, and the conversation stays as it is.
 *
 * @param how `summarize` asks at the end of the conversation, which the provider has in its cache; `excerpt`, for one that fits
 *   no more, shows the model its beginning and end. Where neither gives a summary, the newest messages take its place
 * @throws {ModelError} when the model cannot be reached; the present epoch goes on then
 */
export async function compact(
  conversation: Conversation,
  how: "summarize" | "excerpt",
  signal: AbortSignal,
  { goOn, keep = "" }: CompactionWishes = {},
): Promise<void> {
  const { world, session, replay } = conversation;
  const all = replay.request().messages;
  const messages = conversation.unansweredMessage === undefined ? all : all.slice(0, -1);
  const earlier = session.baseline.summary ?? "";
  const sizeBytes = utf8ByteLength(transcriptOf(messages)) + utf8ByteLength(earlier);
  if (goOn === undefined && sizeBytes < SHORTEST_BYTES) return tellTooShort(conversation);
  world.onEvent({ type: "notice", text: "Summarizing the conversation to make room." });
  const ways = how === "summarize" ? [requestAtTheEnd, requestOfExcerpt] : [requestOfExcerpt];
  const wish = cleanText(keep.trim(), world.secrets);
  const question = wish === ""
    ? SUMMARIZE
    : `${SUMMARIZE} Above all keep, as the user asks: ${wish}`;
  let summary = "";
  for (const way of ways) {
    summary = await summaryBy(way, conversation, question, signal);
    if (summary !== "") break;
  }
  if (summary === "") {
    const said = "The model gave no summary: the newest messages take its place.";
    world.onEvent({ type: "notice", text: said });
  }
  const told = capText(summary, MAX_SUMMARY_BYTES).text;
  const exchange = capText(lastExchange(messages), MAX_EXCHANGE_BYTES).text;
  const withExchange = `${told}\n\n## The last exchange, word for word\n\n${exchange}`;
  const newest = newestOf(messages, earlier, Math.min(MAX_SUMMARY_BYTES, sizeBytes / 2));
  // Where there is no room for both, the exchange gives way: the summary tells of it.
  const choices = summary === "" ? [newest] : [withExchange, told];
  const maxBytes = goOn === undefined ? sizeBytes - 1 : Math.max(SHORTEST_BYTES, sizeBytes - 1);
  const shorter = choices.find((text) => utf8ByteLength(text) <= maxBytes);
  if (shorter === undefined && goOn === undefined) return tellTooShort(conversation);
  const text = shorter ?? capText(told, maxBytes / 2).text;
  const { unansweredMessage } = conversation;
  await session.beginEpoch(
    cleanText(text, world.secrets),
    world.carriedWorkflow?.() ?? null,
    unansweredMessage === undefined ? goOn : { ...unansweredMessage, moved: true },
  );
  world.onEvent({ type: "compacted", epoch: session.baseline.epoch, summary: summary || text });
}

function tellTooShort({ world }: Conversation): void {
  const text = "A summary would not make this conversation shorter, so it stays as it is.";
  world.onEvent({ type: "notice", text });
}

/** What the model says, asked in one way; nothing where it does not fit or is refused. */
async function summaryBy(
  way: Way,
  conversation: Conversation,
  question: string,
  signal: AbortSignal,
): Promise<string> {
  const { world, session } = conversation;
  try {
    const answer = await way(conversation, question, signal);
    const usage = conversation.usageDraft("compaction", answer);
    session.append([usage]);
    world.onEvent(usageEvent(usage, session.totals));
    const text = answer.completion.content.map((part) => part.type === "text" ? part.text : "");
    return cleanText(text.join("").trim(), world.secrets);
  } catch (error) {
    const isOfTheRequest = error instanceof ModelError && OF_THE_REQUEST.has(error.kind);
    if (!isOfTheRequest) throw error;
    return "";
  }
}

/** Failures that another, shorter request may not meet. */
const OF_THE_REQUEST: ReadonlySet<ModelError["kind"]> = new Set([
  "context-overflow",
  "bad-request",
  "too-large",
  "protocol",
]);

const requestAtTheEnd: Way = (conversation, question, signal) =>
  conversation.request(conversation.replay.asideRequest(question), signal, () => {});

const requestOfExcerpt: Way = (conversation, question, signal) => {
  const request = conversation.replay.asideRequest(question);
  const said = transcriptOf(request.messages.slice(0, -1));
  const maxBytes = excerptBytes(conversation.contextWindowTokens, utf8ByteLength(request.system));
  const text = `${question}\n\nThe conversation, its middle left out:\n\n${
    capText(said, maxBytes).text
  }`;
  const messages: Message[] = [{ role: "user", text }];
  return conversation.request({ ...request, tools: [], messages }, signal, () => {});
};

/** How many bytes of the conversation fit beside the system's text and an answer: two to a token, to be on the safe side. */
function excerptBytes(windowTokens: number | undefined, systemBytes: number): number {
  if (windowTokens === undefined) return EXCERPT_BYTES;
  const answerTokens = Math.min(4_000, windowTokens / 4);
  return Math.max(SHORTEST_BYTES, (windowTokens - answerTokens - systemBytes / 3) * 2);
}
