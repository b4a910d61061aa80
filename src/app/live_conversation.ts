/**
 * A conversation that is held by this process, and may be seen from many places: what can be called for in it.
 * Rule: one writer. What is called for goes on one after the other; what happens is told to all; a message is on disk
 * before whoever typed it is told so. It begins with its first message, so that looking in leaves nothing behind; what a
 * plain turn has no use for is loaded when it is called for.
 */
import type { AnsweredCommand } from "./answers/answers.ts";
import { compact, type CompactionWishes } from "../agent/compaction.ts";
import type { Conversation } from "../agent/conversation.ts";
import type { TurnEnd } from "../agent/events.ts";
import { changeModel, type ModelInWords, modelToBeginWith } from "../agent/open.ts";
import { Interrupted, messageOf } from "../platform/errors.ts";
import type { Image } from "../session/images.ts";
import { runPlainTurn } from "../workflow/plain_turn.ts";
import type { WorkflowState } from "../workflow/state.ts";
import type { ListedTurn } from "../workflow/undo_preview.ts";
import {
  type ChatStart,
  ConversationHost,
  type HostOptions,
  type Prepare,
} from "./conversation_host.ts";
import type { ConversationEvent, ConversationState } from "./events/conversation_event.ts";
import type { EventListener } from "./events/event_hub.ts";
import { type EventNumber, numberOf } from "./events/event_number.ts";
import { follow, type FollowOptions } from "./events/follow.ts";
import type { GoalEnd, Pursuit } from "./goal/pursue.ts";
import type { ShipEnd } from "./goal/ship_end.ts";
import type { QuestionBroker } from "./questions.ts";
import { mentionedImages } from "./mentioned_images.ts";
import { modelInWords, modelOf } from "./telling/session_lines.ts";
import type { UndoRequest } from "./undo_in_conversation.ts";
import { wantedModel } from "./wanted_model.ts";

/** How something is said. */
export interface SayOptions {
  /** Ends the turn. */
  signal?: AbortSignal | undefined;
  /** Pictures that go along, besides those that the text mentions. */
  images?: readonly Image[] | undefined;
  /** Called once, when the message is on disk: in the log or, where it has to wait, in the queue. */
  onAccepted?: (() => void) | undefined;
}

/** See the head of this file. */
export class LiveConversation {
  readonly #host: ConversationHost;

  private constructor(options: HostOptions) {
    this.#host = new ConversationHost(
      options,
      (message, signal) => this.#turn(message.text, signal, message.images),
    );
  }

  /**
   * Opens a conversation; a face calls {@linkcode Project.converse}.
   *
   * @throws {SessionNotFound} {@linkcode SessionInUse} {@linkcode SessionTorn} {@linkcode UsageError}
   */
  static async open(
    prepare: Prepare,
    start: ChatStart,
    options: HostOptions,
  ): Promise<LiveConversation> {
    const live = new LiveConversation(options);
    try {
      await live.#host.open(prepare, start);
      return live;
    } catch (error) {
      await live.close();
      throw error;
    }
  }

  /** The questions that are open, and the way to answer one. */
  get questions(): Pick<QuestionBroker, "open" | "answer"> {
    return this.#host.questions;
  }

  /** The session's id, once the conversation has begun. */
  get session(): string | null {
    return this.#host.conversation?.session.id ?? null;
  }

  /** The last event that the log tells: whoever follows behind it sees what goes on now, and nothing older. */
  get lastRecorded(): EventNumber {
    return numberOf({ ...this.#host.hub.place, part: 0 });
  }

  /** What stands open now. */
  get state(): ConversationState {
    const activity = this.#host.queue.running ?? "idle";
    return { activity, questions: this.questions.open, waiting: this.#host.queue.waiting };
  }

  /** How far the workflow is. */
  get workflow(): WorkflowState {
    return this.#host.parts.link.state;
  }

  /** Model, totals and the like are facts of this; it is for reading alone. Undefined before the conversation has begun. */
  get conversation():
    | Pick<Conversation, "session" | "contextTokens" | "contextWindowTokens">
    | undefined {
    return this.#host.conversation;
  }

  /** The model that it is with, or will begin with. @throws {NoModel} when there is none to begin with */
  async model(): Promise<ModelInWords> {
    const { conversation, opening } = this.#host;
    return conversation === undefined
      ? await modelToBeginWith(opening)
      : modelOf(conversation.session.baseline);
  }

  /** Whether the model's commands run in a sandbox. */
  async isSandboxed(): Promise<boolean> {
    return await this.#host.opening.sandbox.kind() !== "none";
  }

  /** What there is to say to a command that only asks. */
  async answer(command: AnsweredCommand): Promise<string> {
    const { answerTo } = await import("./answers/answers.ts");
    return await answerTo(command, this.#host);
  }

  /** Hands each event to `listener` as it happens, until the returned function is called. What it throws ends what goes on. */
  listen(listener: EventListener): () => void {
    return this.#host.hub.listen(listener);
  }

  /** What came before, then what happens; see {@linkcode follow}. */
  follow(options?: FollowOptions): AsyncGenerator<ConversationEvent> {
    const { root } = this.#host.opening;
    return follow({ root, hub: this.#host.hub, state: () => this.state }, options);
  }

  /** Begins the conversation now, if it has not begun. @returns the session's id */
  async begin(): Promise<string> {
    return (await this.#host.begin()).session.id;
  }

  /**
   * Says `text` to the model, with the pictures that it mentions, and waits for the end of the turn. While something goes
   * on it waits in the queue.
   *
   * @throws {UsageError} when there are pictures, and the model is known to take none
   * @throws {Interrupted} when it is taken out of the queue {@linkcode SessionError} when the log cannot be written
   */
  async say(text: string, { signal, images, onAccepted }: SayOptions = {}): Promise<TurnEnd> {
    return await this.#host.queue.call(
      { kind: "message", text, images, onAccepted },
      (text, ending) => this.#turn(text, anyOf(ending, signal), images),
    );
  }

  /**
   * Says `text` in the turn that is under way: the next request has it. Where that turn ends before, or none goes on, it is
   * the next message. How its turn ends is told as an event.
   */
  steer(text: string, onAccepted?: () => void): void {
    this.#host.queue.call(
      { kind: "steer", text, onAccepted },
      (text, ending) => this.#turn(text, ending),
    ).catch((error) => this.#host.hub.tell({ type: "notice", text: messageOf(error) }));
  }

  /** Works on a goal; see {@linkcode pursueGoal}. */
  async pursue(pursuit: Pursuit, signal?: AbortSignal): Promise<GoalEnd> {
    const { goal } = pursuit;
    return await this.#host.queue.call(
      { kind: "goal", text: goal ?? "go on with the goal" },
      async (text, ending) => {
        const { pursueGoal } = await import("./goal/pursue.ts");
        return await pursueGoal(
          this.#host.parts,
          goal === undefined ? pursuit : { ...pursuit, goal: text },
          this.session ?? undefined,
          (memory) => this.#host.begin(memory),
          anyOf(ending, signal),
        );
      },
    );
  }

  /** Ships what is verified. Undefined when there is nothing yet. */
  async ship(signal?: AbortSignal): Promise<ShipEnd | undefined> {
    return await this.#host.queue.call({ kind: "ship", text: "ship" }, async (_text, ending) => {
      if (this.#host.conversation === undefined) return undefined;
      const { shipGoal } = await import("./goal/ship_goal.ts");
      return await shipGoal(this.#host.parts, this.#host.conversation, anyOf(ending, signal));
    });
  }

  /** Takes changes back: tells what would be, asks, does it. Resolves to false when nothing was said yet. */
  async undo(request: UndoRequest): Promise<boolean> {
    return await this.#host.queue.call(
      { kind: "undo", text: "take changes back" },
      async (_text, signal) => {
        if (this.#host.conversation === undefined) return false;
        const { undoInConversation } = await import("./undo_in_conversation.ts");
        await undoInConversation(this.#host.conversation, request, this.#host.parts, signal);
        return true;
      },
    );
  }

  /** The turns that the conversation can go back to; undefined where something stood in the way, which is told. */
  async turns(): Promise<ListedTurn[] | undefined> {
    return await this.#host.queue.call({ kind: "undo", text: "list the turns" }, async () => {
      if (this.#host.conversation === undefined) return [];
      const { turnsToRewindTo } = await import("./undo_in_conversation.ts");
      return await turnsToRewindTo(this.#host.conversation, this.#host.parts);
    });
  }

  /** Summarizes the conversation, and in it what `keep` names; resolves to false when there is nothing to summarize. */
  async compact(
    { keep, signal }: Pick<SayOptions, "signal"> & Pick<CompactionWishes, "keep"> = {},
  ): Promise<boolean> {
    return await this.#host.queue.call(
      { kind: "compaction", text: "summarize" },
      async (_text, ending) => {
        if (this.#host.conversation === undefined) return false;
        await compact(this.#host.conversation, "summarize", anyOf(ending, signal), { keep });
        return true;
      },
    );
  }

  /**
   * Goes on with another model, in this conversation and in those that are begun after it.
   *
   * @param argument a model, an effort, or both; empty for the model as it is
   * @returns lines to say, besides what is told as events
   * @throws {UsageError} when it cannot be; all stays as it was
   */
  async changeModel(argument: string): Promise<string[]> {
    return await this.#host.queue.call({ kind: "model", text: argument }, async () => {
      const opening = { ...this.#host.opening, ...wantedModel(argument, this.#host.opening) };
      const conversation = this.#host.conversation;
      if (conversation === undefined) {
        const name = modelInWords(await modelToBeginWith(opening));
        this.#host.opening = opening;
        return [`Your first message begins a session with ${name}.`];
      }
      const isAnother = argument.trim() !== "" && await changeModel(opening, conversation);
      this.#host.opening = opening;
      return isAnother
        ? []
        : [`This session is with ${modelInWords(modelOf(conversation.session.baseline))}.`];
    });
  }

  /** Ends what goes on, and with it its open questions. What waits stays in the queue and comes next. */
  cancel(reason: Error = new Interrupted()): void {
    this.#host.queue.cancel(reason);
  }

  /** Changes what waits. @throws {UsageError} when it does not wait any more */
  editWaiting(id: string, text: string): void {
    this.#host.queue.edit(id, text);
  }

  /** Takes out what waits. @throws {UsageError} when it does not wait any more */
  removeWaiting(id: string): void {
    this.#host.queue.remove(id);
  }

  /** Leaves the session; the next message begins another, with the same tools. */
  async renew(): Promise<void> {
    await this.#host.leave();
  }

  /** Ends what goes on, closes the session and stops what the tools have started. */
  async close(): Promise<void> {
    await this.#host.queue.close(new Interrupted("the conversation is closed"));
    await this.#host.close();
  }

  async #turn(
    text: string,
    signal: AbortSignal,
    images: readonly Image[] = [],
  ): Promise<TurnEnd> {
    const conversation = await this.#host.begin();
    const { root, onEvent } = conversation.world;
    const mentioned = mentionedImages(root, text, (text) => onEvent({ type: "notice", text }));
    const shown = [...images, ...mentioned];
    return await runPlainTurn(conversation, this.#host.parts.link, text, signal, shown);
  }
}

function anyOf(ending: AbortSignal, signal: AbortSignal | undefined): AbortSignal {
  return signal === undefined ? ending : AbortSignal.any([ending, signal]);
}
