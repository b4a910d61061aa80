/**
 * The turn loop: a message, the model's reply, the tools it calls, until the model stops.
 * Rule: nothing of a request is recorded before its reply is complete; what ends a turn early is recorded as such.
 */
import { ContextOverflow } from "../model/errors.ts";
import type { Completion, ModelEvent } from "../model/port.ts";
import { Interrupted, messageOf, WorkFailed } from "../platform/errors.ts";
import { capText } from "../platform/text.ts";
import { SessionError } from "../session/errors.ts";
import type { AssistantPart, RecordDraft, RecordOf } from "../session/records.ts";
import { cleanJson, cleanText, TooDeep } from "./clean.ts";
import { compact } from "./compaction.ts";
import type { Conversation } from "./conversation.ts";
import type { TurnEnd } from "./events.ts";
import { LimitReached, outOfTime, TurnBudget } from "./limits.ts";
import { toAssistantParts } from "./prompt.ts";
import type { ToolContext, ToolOutcome } from "./tool.ts";
import type { ToolCall } from "./tool_set.ts";

/** Above this part of the context window the conversation is compacted before the next request. */
const NEARLY_FULL = 0.85;

/** What a model reads of one tool's output at the most, in bytes. */
const MAX_OUTPUT_BYTES = 64 * 1024;

/** What the model is told when compaction fell into the middle of a turn. */
const GO_ON = "The conversation was summarized to make room. Go on with what you were doing.";

type UserDraft = Extract<RecordDraft, { type: "user" }>;

/**
 * Runs one turn to its end.
 *
 * @param signal ends the turn; its reason decides what is recorded: {@linkcode LimitReached} or an interruption
 * @throws {SessionError} when the log cannot be written: then nothing can go on
 */
export async function runTurn(
  conversation: Conversation,
  text: string,
  source: RecordOf<"user">["source"],
  signal: AbortSignal,
): Promise<TurnEnd> {
  const { world, session } = conversation;
  session.recordInterruptions();
  const opening: UserDraft = { type: "user", text: cleanText(text, world.secrets), source };
  world.onEvent({ type: "turn_started", turn: session.totals.turns + 1 });
  const clock = turnClock(conversation, signal);
  const turn = new Turn(conversation, opening, clock.signal);
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

/** A signal that is aborted when the caller's is, or when the turn's time is over. */
function turnClock(
  { world }: Conversation,
  signal: AbortSignal,
): { signal: AbortSignal; stop: () => void } {
  const { secondsPerTurn } = world.limits;
  if (secondsPerTurn === 0) return { signal, stop: () => {} };
  const time = new AbortController();
  const stopped = new AbortController();
  world.clock.sleep(secondsPerTurn * 1000, stopped.signal)
    .then(() => time.abort(outOfTime(world.limits)), () => {});
  return { signal: AbortSignal.any([signal, time.signal]), stop: () => stopped.abort() };
}

class Turn {
  readonly #conversation: Conversation;
  readonly #signal: AbortSignal;
  readonly #budget: TurnBudget;
  /** The message that opens the turn, until it is recorded with its reply. */
  #opening: UserDraft | undefined;
  #hasOverflowed = false;

  constructor(conversation: Conversation, opening: UserDraft, signal: AbortSignal) {
    this.#conversation = conversation;
    this.#opening = opening;
    this.#signal = signal;
    this.#budget = new TurnBudget(conversation.world.limits);
  }

  async run(): Promise<TurnEnd> {
    while (true) {
      this.#signal.throwIfAborted();
      if (this.#isNearlyFull()) await this.#compact("summarize");
      this.#budget.countRequest(this.#conversation.session.totals);
      const reply = await this.#nextReply();
      if (reply === undefined) continue;
      const calls = reply.parts.filter(isCall);
      if (calls.length === 0) return { outcome: "replied", finish: reply.finish };
      await this.#runCalls(calls);
    }
  }

  /** Records how the turn ended without a reply. */
  abort(error: unknown): TurnEnd {
    if (error instanceof SessionError) throw error;
    const end = abortedBy(error);
    const { session } = this.#conversation;
    const unanswered = session.openCalls.map((call): RecordDraft => ({
      type: "tool_result",
      ...call,
      output: "Not run to its end: the turn was ended.",
      isError: true,
      interrupted: true,
    }));
    const opening = this.#opening === undefined ? [] : [this.#opening];
    const { reason, detail } = end;
    const cleanDetail = cleanText(detail, this.#conversation.world.secrets);
    session.append([...unanswered, ...opening, { type: "aborted", reason, detail: cleanDetail }]);
    return { ...end, detail: cleanDetail };
  }

  #isNearlyFull(): boolean {
    const window = this.#conversation.contextWindowTokens;
    return window !== undefined && this.#conversation.contextTokens > window * NEARLY_FULL;
  }

  async #compact(how: "summarize" | "excerpt"): Promise<void> {
    await compact(this.#conversation, how, this.#signal);
    this.#opening ??= { type: "user", text: GO_ON, source: "brief" };
  }

  /** Undefined when the conversation did not fit and was compacted instead. */
  async #nextReply(): Promise<{ parts: AssistantPart[]; finish: string } | undefined> {
    const { world, session } = this.#conversation;
    world.onEvent({ type: "request_started", request: this.#budget.requests });
    let answer: { completion: Completion; durationMs: number };
    try {
      answer = await this.#conversation.request(
        this.#opening?.text,
        this.#signal,
        (event) => this.#show(event),
      );
    } catch (error) {
      if (!(error instanceof ContextOverflow) || this.#hasOverflowed) throw error;
      this.#hasOverflowed = true;
      await this.#compact("excerpt");
      return undefined;
    }
    const { content, finish, request } = answer.completion;
    const parts = toAssistantParts(content, session.totals.calls + 1, world.secrets);
    const usage = this.#conversation.usageDraft("turn", answer);
    const opening = this.#opening === undefined ? [] : [this.#opening];
    session.append([...opening, { type: "assistant", parts, finish, request }, usage]);
    this.#opening = undefined;
    world.onEvent({ type: "reply", text: textOf(parts), finish });
    world.onEvent({ type: "usage", usage, totals: { ...session.totals } });
    return { parts, finish };
  }

  #show(event: ModelEvent): void {
    const { onEvent } = this.#conversation.world;
    if (event.type === "text-delta") return onEvent({ type: "text", text: event.text });
    if (event.type === "reasoning-delta") return onEvent({ type: "reasoning", text: event.text });
    if (event.type === "restart") return onEvent({ type: "restarted" });
    if (event.type === "retry") return onEvent(event);
  }

  async #runCalls(calls: readonly ToolCall[]): Promise<void> {
    const { world, session } = this.#conversation;
    for (const { tool, input } of calls) this.#budget.countCall(tool, input);
    await world.tools.runCalls(calls, this.#toolContext(), {
      onStart: ({ call, tool, input }) => {
        world.onEvent({ type: "tool_started", call, tool, input });
      },
      onResult: (call, outcome) => {
        const result = recordableResult(call, outcome, world.secrets);
        session.append([result]);
        const { type: _type, ...facts } = result;
        world.onEvent({ type: "tool_finished", ...facts });
      },
    });
    this.#signal.throwIfAborted();
  }

  #toolContext(): ToolContext {
    const { world, seenFiles } = this.#conversation;
    return {
      root: world.root,
      signal: this.#signal,
      clock: world.clock,
      environment: world.environment,
      approve: (request) => world.approve(request),
      ask: (question) => world.ask(question),
      onOutput: (text) => world.onEvent({ type: "tool_output", text }),
      seenFiles,
    };
  }
}

function isCall(part: AssistantPart): part is Extract<AssistantPart, { kind: "call" }> {
  return part.kind === "call";
}

function textOf(parts: readonly AssistantPart[]): string {
  return parts.map((part) => part.kind === "text" ? part.text : "").join("");
}

function recordableResult(
  { call, tool }: ToolCall,
  { output, isError, facts }: ToolOutcome,
  secrets: readonly string[],
): Extract<RecordDraft, { type: "tool_result" }> {
  const text = capText(cleanText(output, secrets), MAX_OUTPUT_BYTES).text;
  const result = { type: "tool_result", call, tool, output: text, isError } as const;
  if (facts === undefined) return result;
  try {
    const cleaned = Object.entries(facts).map(([name, fact]) => [name, cleanJson(fact, secrets)]);
    return { ...result, facts: Object.fromEntries(cleaned) };
  } catch (error) {
    if (error instanceof TooDeep) return result;
    throw error;
  }
}

function abortedBy(error: unknown): Extract<TurnEnd, { outcome: "aborted" }> {
  const detail = messageOf(error);
  if (error instanceof LimitReached) return { outcome: "aborted", reason: "limit", detail };
  const isInterruption = error instanceof Interrupted ||
    (error instanceof DOMException && error.name === "AbortError");
  if (isInterruption) return { outcome: "aborted", reason: "interrupted", detail };
  if (error instanceof WorkFailed) return { outcome: "aborted", reason: "error", detail };
  throw error;
}
