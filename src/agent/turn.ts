/**
 * The turn loop: a message, the model's reply, the tools it calls, until the model stops.
 * Rule: the message is on disk before its request is sent; nothing of a reply is recorded before it is complete.
 */
import { ContextOverflow } from "../model/errors.ts";
import type { Completion, FinishReason, ModelEvent } from "../model/port.ts";
import { SessionError } from "../session/errors.ts";
import type { Image } from "../session/images.ts";
import { endsTurn } from "../session/outcome.ts";
import type { AssistantPart, RecordDraft, RecordOf, TurnSubject } from "../session/records.ts";
import { abortedBy, detailsOf } from "./aborted_by.ts";
import { callContext, CUT_OFF_OUTPUT } from "./call_context.ts";
import { recordableResult } from "./call_result.ts";
import { cleanText } from "./clean.ts";
import { compact } from "./compaction.ts";
import type { Conversation } from "./conversation.ts";
import { type TurnEnd, usageEvent } from "./events.ts";
import { TurnBudget } from "./limits.ts";
import { toAssistantParts } from "./prompt.ts";
import { afterRefusal, afterWords, MISSING_CALL, readReply, WAY_WORDS } from "./reading.ts";
import { refuseWithoutImages } from "./taking_images.ts";
import { flawIn } from "./reply_flaw.ts";
import { isNearlyFull } from "./nearly_full.ts";
import { takeSteered } from "./steering.ts";
import { turnClock } from "./turn_clock.ts";
import type { ToolCall } from "./tool_set.ts";
import { stillTooLong } from "./still_too_long.ts";

type UserDraft = Extract<RecordDraft, { type: "user" }>;

/** What the model is told when compaction fell into the middle of a turn. */
const GO_ON: UserDraft = {
  type: "user",
  text: "The conversation was summarized to make room. Go on with what you were doing.",
  source: "brief",
};

/** What a message may have besides its words. */
export interface MessageDetails {
  /** What the message is about, for those of the workflow. */
  about?: TurnSubject;
  /** What the model is told in front of the message. */
  note?: string | undefined;
  images?: readonly Image[];
}

/**
 * Runs one turn to its end.
 *
 * @param signal ends the turn; its reason decides what is recorded: a limit that is reached or an interruption
 * @throws {UsageError} when there are pictures, and the model is known to take none: nothing was recorded
 * @throws {SessionError} when the log cannot be written: then nothing can go on
 */
export async function runTurn(
  conversation: Conversation,
  text: string,
  source: RecordOf<"user">["source"],
  signal: AbortSignal,
  { about, note, images = [] }: MessageDetails = {},
): Promise<TurnEnd> {
  const { world, session } = conversation;
  if (images.length > 0) await refuseWithoutImages(world.model);
  session.append([{
    type: "user",
    text: cleanText(text, world.secrets),
    source,
    ...(images.length === 0 ? {} : { images: [...images] }),
    ...(about === undefined ? {} : { about }),
    ...(note === undefined ? {} : { note: cleanText(note, world.secrets) }),
  }]);
  world.onEvent({ type: "turn_started", turn: session.totals.turns });
  return await runToEnd(conversation, about, signal);
}

/**
 * Goes on with a turn that the end of a process cut off: with the request that its log asks for next,
 * without a new message. Calls that were interrupted must have their results.
 *
 * @throws {SessionError} when the log cannot be written
 */
export async function continueTurn(
  conversation: Conversation,
  about: TurnSubject,
  signal: AbortSignal,
): Promise<TurnEnd> {
  const { world, session, replay } = conversation;
  session.recordInterruptions();
  // Format 1: the process ended right behind a compaction, before the message that opened the epoch.
  if (replay.isEmpty) session.append([{ ...GO_ON, about }]);
  world.onEvent({ type: "turn_started", turn: session.totals.turns });
  return await runToEnd(conversation, about, signal);
}

async function runToEnd(
  conversation: Conversation,
  about: TurnSubject | undefined,
  signal: AbortSignal,
): Promise<TurnEnd> {
  const { world } = conversation;
  const clock = turnClock(conversation, signal);
  const turn = new Turn(conversation, about, clock.signal);
  let end: TurnEnd;
  try {
    end = await turn.run();
  } catch (error) {
    end = turn.abort(error);
  } finally {
    clock.stop();
  }
  world.onEvent({ type: "turn_ended", end });
  return end;
}

class Turn {
  readonly #conversation: Conversation;
  readonly #signal: AbortSignal;
  readonly #budget: TurnBudget;
  readonly #about: TurnSubject | undefined;
  #hasOverflowed = false;
  #wasAskedAgain = false;
  #hasCalled = false;

  constructor(
    conversation: Conversation,
    about: TurnSubject | undefined,
    signal: AbortSignal,
  ) {
    this.#conversation = conversation;
    this.#about = about;
    this.#signal = signal;
    this.#budget = new TurnBudget(conversation.world.limits);
  }

  async run(): Promise<TurnEnd> {
    while (true) {
      this.#signal.throwIfAborted();
      takeSteered(this.#conversation, this.#about);
      if (isNearlyFull(this.#conversation)) await this.#compact("summarize");
      this.#budget.countRequest(this.#conversation.session.totals);
      const reply = await this.#nextReply();
      if (reply === undefined) continue;
      const calls = reply.parts.filter(isCall);
      if (calls.length === 0) {
        if (this.#changeAfterWords()) continue;
        const flaw = this.#judge(reply);
        if (flaw === "asked again" || takeSteered(this.#conversation, this.#about)) continue;
        return { outcome: "replied", finish: reply.finish, ...(flaw !== undefined && { flaw }) };
      }
      this.#hasCalled = true;
      if (await this.#runCalls(calls)) return { outcome: "replied", finish: reply.finish };
    }
  }

  /** What is wrong with a reply without a call. It is said, and where that may help the model is asked once more. */
  #judge({ parts, finish }: Reply): string | undefined {
    const { world, session } = this.#conversation;
    const flaw = flawIn(parts, finish, world.tools.definitions);
    if (flaw === undefined) return undefined;
    const { said, nudge } = flaw;
    const isAskedAgain = nudge !== undefined && !this.#wasAskedAgain;
    world.onEvent({ type: "notice", text: isAskedAgain ? `${said} It is asked once more.` : said });
    if (!isAskedAgain) return said;
    this.#wasAskedAgain = true;
    session.append([this.#brief(nudge)]);
    return "asked again";
  }

  #brief(text: string): UserDraft {
    const about = this.#about === undefined ? {} : { about: this.#about };
    return { type: "user", text, source: "brief", ...about };
  }

  /** Whether the model is asked another way from here on, since it has called nothing where a call was due. */
  #changeAfterWords(): boolean {
    const { world, replay } = this.#conversation;
    const change = this.#hasCalled ? undefined : afterWords(replay, this.#about, world.model);
    if (change === undefined) return false;
    this.#change(change, this.#brief(MISSING_CALL));
    return true;
  }

  /** Records another way of asking, and says it. */
  #change(change: Extract<RecordDraft, { type: "actions" }>, ...behind: RecordDraft[]): void {
    const { world, session } = this.#conversation;
    session.append([change, ...behind]);
    const text = `${change.reason}: ${WAY_WORDS[change.way]} ([model] actions).`;
    world.onEvent({ type: "notice", text: text.charAt(0).toUpperCase() + text.slice(1) });
  }

  /** Records how the turn ended without a reply. */
  abort(error: unknown): TurnEnd {
    if (error instanceof SessionError) throw error;
    const end = abortedBy(error);
    const { session } = this.#conversation;
    const unanswered = session.openCalls.map((call): RecordDraft => ({
      type: "tool_result",
      ...call,
      output: CUT_OFF_OUTPUT,
      isError: true,
      interrupted: true,
    }));
    const detail = cleanText(end.detail, this.#conversation.world.secrets);
    const aborted: RecordDraft = { type: "aborted", reason: end.reason, detail };
    session.append([...unanswered, { ...aborted, ...detailsOf(error) }]);
    return { ...end, detail };
  }

  async #compact(how: "summarize" | "excerpt"): Promise<void> {
    const goOn = this.#brief(GO_ON.text);
    await compact(this.#conversation, how, this.#signal, { goOn });
  }

  /** Undefined when the conversation did not fit and was compacted instead. */
  async #nextReply(): Promise<Reply | undefined> {
    const { world, session } = this.#conversation;
    world.onEvent({ type: "request_started", request: this.#budget.requests });
    let answer: { completion: Completion; durationMs: number };
    try {
      answer = await this.#conversation.request(
        this.#conversation.replay.request(),
        this.#signal,
        (event) => this.#show(event),
      );
    } catch (error) {
      const { replay } = this.#conversation;
      const change = afterRefusal(replay, error, world.model);
      if (change !== undefined) {
        this.#change(change);
        return undefined;
      }
      if (!(error instanceof ContextOverflow)) throw error;
      if (this.#hasOverflowed) throw stillTooLong(this.#conversation, error);
      this.#hasOverflowed = true;
      await this.#compact("excerpt");
      return undefined;
    }
    const { request } = answer.completion;
    const { replay } = this.#conversation;
    const { content, finish, change } = readReply(
      answer.completion,
      replay,
      world.tools.definitions,
    );
    const parts = toAssistantParts(content, session.totals.calls + 1, world.secrets);
    const usage = this.#conversation.usageDraft("turn", answer);
    session.append([{ type: "assistant", parts, finish, request }, usage]);
    if (change !== undefined) this.#change(change);
    world.onEvent({ type: "reply", text: textOf(parts), finish });
    world.onEvent(usageEvent(usage, session.totals));
    return { parts, finish };
  }

  #show(event: ModelEvent): void {
    const { onEvent } = this.#conversation.world;
    if (event.type === "text-delta") return onEvent({ type: "text", text: event.text });
    if (event.type === "reasoning-delta") return onEvent({ type: "reasoning", text: event.text });
    if (event.type === "restart") return onEvent({ type: "restarted" });
    if (event.type === "retry" || event.type === "notice") return onEvent(event);
  }

  /** Resolves to whether one of the calls has ended the turn. */
  async #runCalls(calls: readonly ToolCall[]): Promise<boolean> {
    const { world, session } = this.#conversation;
    for (const { tool, input } of calls) this.#budget.countCall(tool, input);
    let hasEnded = false;
    await world.tools.runCalls(calls, callContext(this.#conversation, this.#signal), {
      onStart: ({ call, tool, input }) => {
        world.onEvent({ type: "tool_started", call, tool, input });
      },
      onResult: (call, outcome) => {
        const result = recordableResult(call, outcome, world.secrets);
        session.append([result]);
        hasEnded ||= endsTurn(result.outcome);
        const { type: _type, ...event } = result;
        world.onEvent({ type: "tool_finished", ...event });
      },
    });
    if (!hasEnded) this.#signal.throwIfAborted();
    return hasEnded;
  }
}

interface Reply {
  parts: AssistantPart[];
  finish: FinishReason;
}

function isCall(part: AssistantPart): part is Extract<AssistantPart, { kind: "call" }> {
  return part.kind === "call";
}

function textOf(parts: readonly AssistantPart[]): string {
  return parts.map((part) => part.kind === "text" ? part.text : "").join("");
}
