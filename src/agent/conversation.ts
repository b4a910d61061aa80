/**
 * A conversation: a session, the model it talks to, and the tools it may use.
 * Rule: all it knows is a fold over the session's log, so that a resumed one is the same as one that never stopped.
 */
import type { Completion, Model, ModelEvent } from "../model/port.ts";
import { type JsonValue, sha256Hex } from "../platform/canonical_json.ts";
import type { Clock } from "../platform/clock.ts";
import type { Baseline } from "../session/baseline.ts";
import type { Fold, RecordDraft, RecordOf } from "../session/records.ts";
import { changeModelOf } from "../session/change_model.ts";
import { Replay, type ReplayedRequest } from "../session/replay.ts";
import { Session, type SessionOptions } from "../session/session.ts";
import type { AgentEvent } from "./events.ts";
import type { Limits } from "./limits.ts";
import { modelChangeText } from "./model_change_text.ts";
import { ContextFill } from "./context_fill.ts";
import { toModelCall } from "./prompt.ts";
import { settleInterruptedCalls } from "./settle.ts";
import { refuseWithoutImages } from "./taking_images.ts";
import { SeenFiles } from "./seen_files.ts";
import { PendingCalls } from "./pending_calls.ts";
import { UnansweredMessage } from "./unanswered_message.ts";
import type { Approval, Environment, OpenApproval, ToolContext, UserQuestion } from "./tool.ts";
import type { ToolSet } from "./tool_set.ts";

/** What a conversation needs of the world. */
export interface ConversationWorld {
  /** The project's root, a real path. */
  root: string;
  clock: Clock;
  environment: Environment;
  model: Model;
  tools: ToolSet;
  limits: Limits;
  /** Texts that must not reach the log: the keys in use. */
  secrets: readonly string[];
  onEvent(event: AgentEvent): void;
  approve(request: OpenApproval): Promise<Approval>;
  ask(question: UserQuestion): Promise<string>;
  /** Why a tool may not be used at this time. Nothing is forbidden where this is left out. */
  forbid?: ToolContext["forbid"];
  /** As in {@linkcode ToolContext}. */
  openText?: NonNullable<ToolContext["openText"]>;
  /** Folds of those above: the workflow's. Called with each epoch's baseline. */
  folds?: (baseline: Baseline) => readonly Fold[];
  /** Called when what the folds have got is durable. */
  onDurable?: () => void;
  /** Takes the next message that the user has typed for the turn that is under way; undefined where there is none. */
  takeSteered?: () => string | undefined;
  /** What the next epoch's baseline carries for those folds. */
  carriedWorkflow?: () => JsonValue;
}

/** The model that a conversation goes on with. */
export interface NextModel {
  model: Baseline["model"];
  /** The server's slot for the prompt cache; null where it has none. */
  slot: number | null;
}

/** A session with a model at the other end. */
export class Conversation {
  #world: ConversationWorld;
  #session: Session | undefined;
  #replay: Replay | undefined;
  #contextFill: ContextFill | undefined;
  #unanswered = new UnansweredMessage();
  #seenFiles = new SeenFiles();
  #pendingCalls = new PendingCalls();

  private constructor(world: ConversationWorld) {
    this.#world = world;
  }

  /**
   * Begins a new conversation.
   *
   * @param slot the server's slot for the prompt cache, null where it has none
   * @throws {SessionIo} when the session's files cannot be written
   */
  static async start(
    world: ConversationWorld,
    baseline: Baseline,
    slot: number | null,
  ): Promise<Conversation> {
    const conversation = new Conversation(world);
    conversation.#session = await Session.create(
      world.root,
      baseline,
      slot,
      conversation.#options(),
    );
    conversation.#announce(false);
    return conversation;
  }

  /**
   * Goes on with an earlier one. If the request that its last reply answered cannot be rebuilt byte
   * for byte, a notice says so: the provider will not find it in its cache.
   *
   * @param next another model to go on with
   * @throws what {@linkcode Session.open} throws
   */
  static async resume(
    world: ConversationWorld,
    id: string,
    next?: NextModel,
  ): Promise<Conversation> {
    const conversation = new Conversation(world);
    conversation.#session = await Session.open(world.root, id, conversation.#options());
    if (next === undefined) {
      conversation.#announce(true);
      await conversation.#checkCache();
    }
    try {
      if (next !== undefined) await conversation.changeModel(world, next);
    } catch (error) {
      conversation.close();
      throw error;
    }
    conversation.#tellUnanswered();
    return conversation;
  }

  /** What the conversation needs of the world; its model is the present one. */
  get world(): ConversationWorld {
    return this.#world;
  }

  /**
   * Goes on with another model, or another effort, in a new epoch: all that was said goes along, word for word. Says what
   * that costs, and what stays behind.
   *
   * @param world the present one, with the other model
   * @throws {UsageError} when there are pictures in it, and the model is known to take none
   * @throws {SessionIo} when the epoch cannot be written; the present one goes on then
   */
  async changeModel(world: ConversationWorld, { model, slot }: NextModel): Promise<void> {
    const { session } = this;
    const { provider, name } = session.baseline.model;
    const isCutOffWorkflow = session.interruptedCalls.length > 0 &&
      this.unansweredMessage?.about !== undefined;
    if (this.replay.hasImages) await refuseWithoutImages(world.model);
    this.#world = world;
    if (isCutOffWorkflow) await settleInterruptedCalls(this, new AbortController().signal);
    const workflow = world.carriedWorkflow?.() ?? null;
    const leftOut = await changeModelOf(world.root, session, model, slot, workflow);
    this.#announce(true);
    if (this.replay.isEmpty) return;
    const window = this.contextWindowTokens;
    const text = modelChangeText({
      from: `${provider}:${name}`,
      to: model,
      tokens: this.contextTokens,
      leftOut,
      ...(window !== undefined && { windowTokens: window }),
    });
    world.onEvent({ type: "notice", text });
  }

  /** A message of the workflow's is taken up again by the workflow; one of the user's waits for the user. */
  #tellUnanswered(): void {
    const { unansweredMessage } = this;
    if (unansweredMessage === undefined || unansweredMessage.about !== undefined) return;
    const [line = ""] = unansweredMessage.text.split("\n", 1);
    const shown = line.length > 60 ? `${line.slice(0, 60).toWellFormed()}…` : line;
    this.world.onEvent({
      type: "notice",
      text: `The last message has had no answer, because m31a was ended: "${shown}". ` +
        "The model sees it before the next one.",
    });
  }

  #options(): SessionOptions {
    return {
      clock: this.world.clock,
      ...(this.world.onDurable !== undefined && { onDurable: this.world.onDurable }),
      folds: (baseline) => {
        this.#replay = new Replay(baseline);
        this.#contextFill = new ContextFill(baseline);
        this.#unanswered = new UnansweredMessage();
        // What was shown behind the turn that a conversation goes back to was never seen in it.
        if (baseline.parent?.rewind !== undefined) this.#seenFiles = new SeenFiles();
        const others = this.world.folds?.(baseline) ?? [];
        return [
          this.#replay,
          this.#contextFill,
          this.#unanswered,
          this.#seenFiles,
          this.#pendingCalls,
          ...others,
        ];
      },
    };
  }

  #announce(isResumed: boolean): void {
    const { baseline, totals } = this.session;
    this.world.onEvent({
      type: "session",
      session: baseline.session,
      epoch: baseline.epoch,
      provider: baseline.model.provider,
      model: baseline.model.name,
      isResumed,
      turns: totals.turns,
    });
  }

  async #checkCache(): Promise<void> {
    const last = this.replay.lastRequest();
    if (last === undefined) return;
    const call = toModelCall(last.request, this.session.slot, 0);
    const bytes = await this.world.model.encode(call, last.sha256);
    if (sha256Hex(bytes) === last.sha256) return;
    const { provider, name } = this.world.model.id;
    this.world.onEvent({
      type: "notice",
      text: `The provider's prompt cache is lost for this conversation: the last request was ` +
        `${last.sizeBytes} bytes, and is ${bytes.byteLength} different bytes when it is built now for ` +
        `${provider}:${name}. Another version of m31a, or other settings, began this conversation.`,
    });
  }

  get session(): Session {
    if (this.#session === undefined) throw new Error("the session is not open yet");
    return this.#session;
  }

  get replay(): Replay {
    if (this.#replay === undefined) throw new Error("the session is not open yet");
    return this.#replay;
  }

  /** The content that the model last saw of each file: SHA-256 by path. */
  get seenFiles(): SeenFiles {
    return this.#seenFiles;
  }

  /** Calls that have no result. */
  get pendingCalls(): PendingCalls {
    return this.#pendingCalls;
  }

  /** The message that waits for its answer; undefined when none does. */
  get unansweredMessage(): UnansweredMessage["message"] {
    return this.#unanswered.message;
  }

  /** How many tokens of the model's context window are taken. */
  get contextTokens(): number {
    return this.#contextFill?.tokens ?? 0;
  }

  /** The size of the context window in tokens; undefined when nobody knows. */
  get contextWindowTokens(): number | undefined {
    return this.world.model.contextWindowTokens ??
      this.session.baseline.model.contextWindowTokens ?? undefined;
  }

  /**
   * Sends a request and waits for the whole reply. Nothing is recorded.
   *
   * @param request the one that comes next by the log, or another one over the same conversation
   */
  async request(
    request: ReplayedRequest,
    signal: AbortSignal,
    onEvent: (event: ModelEvent) => void,
  ): Promise<{ completion: Completion; durationMs: number }> {
    const { model, clock } = this.world;
    const startedMs = clock.monotonicMs();
    const call = toModelCall(request, this.session.slot, this.session.totals.requests);
    const completion = await model.stream(call, { signal, onEvent });
    return { completion, durationMs: clock.monotonicMs() - startedMs };
  }

  /** The record of what a request took. */
  usageDraft(
    purpose: RecordOf<"usage">["purpose"],
    { completion, durationMs }: { completion: Completion; durationMs: number },
  ): Extract<RecordDraft, { type: "usage" }> {
    const { input, output, cacheRead, cacheWrite, isReported, cost, costSource } = completion.usage;
    return {
      type: "usage",
      requestId: completion.requestId,
      purpose,
      provider: this.world.model.id.provider,
      model: this.world.model.id.name,
      input,
      output,
      cacheRead,
      cacheWrite,
      isReported,
      cost: cost ?? null,
      costSource,
      durationMs,
      retries: completion.retries,
    };
  }

  /** Ends the conversation for this process; the session can be resumed. */
  close(): void {
    this.#session?.close();
  }
}
