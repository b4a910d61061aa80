/**
 * Asking the model something apart from the conversation.
 * Rule: what was asked and what came back is recorded, counted and costed; replay sends nothing of it.
 */
import type { FinishReason, ModelCall } from "../model/port.ts";
import { cleanText } from "./clean.ts";
import type { Conversation } from "./conversation.ts";
import { usageEvent } from "./events.ts";
import type { TurnBudget } from "./limits.ts";
import type { RecordOf } from "../session/records.ts";

/** What is asked. */
export interface SideQuestion {
  purpose: RecordOf<"side_request">["purpose"];
  about: RecordOf<"side_request">["about"];
  /** All that the model is told. */
  text: string;
  /** Beside those of the conversation, and before them. */
  parameters: ModelCall["parameters"];
}

/**
 * Asks, and waits for the whole answer.
 *
 * @param budget what the asking may use
 * @throws {LimitReached} {@linkcode ModelError} the signal's reason when it is aborted
 * @throws {SessionError} when the log cannot be written
 */
export async function askAside(
  conversation: Conversation,
  { purpose, about, text: asked, parameters: own }: SideQuestion,
  budget: TurnBudget,
  signal: AbortSignal,
): Promise<{ answer: string; finish: FinishReason }> {
  const { session, world } = conversation;
  const { baseline, slot, totals } = session;
  budget.countRequest(totals);
  const text = cleanText(asked, world.secrets);
  const startedMs = world.clock.monotonicMs();
  const completion = await world.model.stream({
    prompt: [{ role: "user", content: [{ type: "text", text }] }],
    tools: [],
    parameters: { ...baseline.model.parameters, ...own },
    cacheKey: baseline.cacheKey,
    ...(slot === null ? {} : { slot }),
    completionsSoFar: totals.requests,
  }, {
    signal,
    onEvent: (event) => {
      if (event.type === "retry" || event.type === "notice") world.onEvent(event);
    },
  });
  const durationMs = world.clock.monotonicMs() - startedMs;
  const { content, finish, request } = completion;
  const words = content.map((part) => part.type === "text" ? part.text : "").join("");
  const answer = cleanText(words, world.secrets);
  const usage = conversation.usageDraft(purpose, { completion, durationMs });
  const parameters = { ...own };
  session.append([
    { type: "side_request", purpose, about, text, parameters, answer, finish, request },
    usage,
  ]);
  world.onEvent(usageEvent(usage, session.totals));
  return { answer, finish };
}
