/**
 * A chat apart from where its lines come from and where its events go.
 * Rule: a conversation begins with its first message, so that looking in leaves nothing behind.
 */
import { compact } from "../agent/compaction.ts";
import type { Conversation } from "../agent/conversation.ts";
import type { TurnEnd } from "../agent/events.ts";
import {
  changeModel,
  describeModel,
  type Opening,
  resumeConversation,
  startConversation,
} from "../agent/open.ts";
import type { Baseline } from "../session/baseline.ts";
import { ensureSessionsDirectory, listSessionIds } from "../session/layout.ts";
import { resolveSessionId } from "../session/session_id.ts";
import { SessionNotFound } from "../session/errors.ts";
import type { Image } from "../session/images.ts";
import type { WorkflowLink } from "../workflow/link.ts";
import { runPlainTurn } from "../workflow/plain_turn.ts";
import { mentionedImages } from "./mentioned_images.ts";
import { wantedModel } from "./wanted_model.ts";
import { firstOfNewest } from "./newest.ts";
import type { SlashName } from "./slash_commands.ts";

/** Which conversation a chat goes on with: a new one, a named one, or the newest. */
export type ChatStart = { kind: "new" } | { kind: "resume"; id: string } | { kind: "continue" };

/** One chat. */
export class ChatSession {
  #opening: Opening;
  readonly #link: WorkflowLink;
  #conversation: Conversation | undefined;

  private constructor(opening: Opening, link: WorkflowLink) {
    this.#opening = opening;
    this.#link = link;
  }

  /**
   * Opens a chat. What cannot be written is found out here, before a token is spent.
   *
   * @param link the one that `opening` was made with
   * @throws {SessionNotFound} when there is nothing to go on with
   */
  static async open(
    opening: Opening,
    start: ChatStart,
    link: WorkflowLink,
  ): Promise<ChatSession> {
    ensureSessionsDirectory(opening.root);
    const chat = new ChatSession(opening, link);
    if (start.kind === "new") return chat;
    const resume = (id: string) => resumeConversation(opening, id);
    chat.#conversation = start.kind === "resume"
      ? await resume(resolveSessionId(listSessionIds(opening.root), start.id))
      : await firstOfNewest(opening.root, resume);
    if (chat.#conversation !== undefined) return chat;
    throw new SessionNotFound("there is no session to continue yet; begin one: m31a chat");
  }

  /** The conversation, once it has begun. */
  get conversation(): Conversation | undefined {
    return this.#conversation;
  }

  /**
   * Says `text` to the model, with the pictures that it mentions; begins the conversation if this is its first message.
   *
   * @param images others that go along
   * @throws {UsageError} when there are pictures, and the model is known to take none
   */
  async say(text: string, signal: AbortSignal, images: readonly Image[] = []): Promise<TurnEnd> {
    return await this.withConversation((conversation) => {
      const { root, onEvent } = conversation.world;
      const tell = (text: string) => onEvent({ type: "notice", text });
      const shown = [...images, ...mentionedImages(root, text, tell)];
      return runPlainTurn(conversation, this.#link, text, signal, shown);
    });
  }

  /**
   * Hands the conversation to `work`; begins one if there is none yet.
   *
   * @param memory what one that begins now is given of the past
   */
  async withConversation<T>(
    work: (conversation: Conversation) => Promise<T>,
    memory: Baseline["memory"] = null,
  ): Promise<T> {
    this.#conversation ??= await startConversation({ ...this.#opening, memory });
    return await work(this.#conversation);
  }

  /**
   * Carries out a command that needs nothing of whoever shows the chat; the others do nothing here.
   *
   * @returns lines to show, besides what the conversation itself tells
   * @throws {UsageError} when it cannot be; all stays as it was
   */
  async obey(name: SlashName, argument: string, signal: AbortSignal): Promise<string[]> {
    switch (name) {
      case "session":
        return [this.#describe()];
      case "tools":
        return [this.#opening.tools.definitions.map((tool) => tool.name).join(", ")];
      case "model":
        return await this.#changeModel(argument);
      case "compact":
        if (this.#conversation === undefined) return ["There is nothing to summarize yet."];
        await compact(this.#conversation, "summarize", signal);
        return [];
      default:
        return [];
    }
  }

  /**
   * Goes on with another model, in this conversation and in those that the chat begins after it.
   *
   * @param argument a model, an effort, or both; empty for the model as it is
   */
  async #changeModel(argument: string): Promise<string[]> {
    const opening = { ...this.#opening, ...wantedModel(argument, this.#opening) };
    const conversation = this.#conversation;
    if (conversation === undefined) {
      const name = await describeModel(opening);
      this.#opening = opening;
      return [`Your first message begins a session with ${name}.`];
    }
    const isAnother = argument.trim() !== "" && await changeModel(opening, conversation);
    this.#opening = opening;
    return isAnother ? [] : [`This session is with ${modelOf(conversation.session.baseline)}.`];
  }

  /** Leaves the conversation; the next message begins another. */
  renew(): void {
    this.#conversation?.close();
    this.#conversation = undefined;
  }

  /** Closes the session and stops what the tools started. */
  async close(): Promise<void> {
    this.#conversation?.close();
    await this.#opening.tools.close();
  }

  /** The session in a few lines: its id, its model, what it used. */
  #describe(): string {
    if (this.#conversation === undefined) {
      return "No session yet: it begins with your first message.";
    }
    const { baseline, totals } = this.#conversation.session;
    const cost = totals.cost > 0 ? `, $${totals.cost.toFixed(4)}` : "";
    return [
      `session  ${baseline.session}${baseline.epoch > 0 ? `, epoch ${baseline.epoch}` : ""}`,
      `model    ${modelOf(baseline)}`,
      `used     ${totals.turns} turns, ${totals.requests} requests, ${totals.tokens} tokens${cost}`,
    ].join("\n");
  }

  /** What to say on leaving: the session's id and how to go on with it. Undefined when none began. */
  get farewell(): string | undefined {
    const id = this.#conversation?.session.id;
    return id === undefined ? undefined : `Session ${id}. To go on: m31a chat --resume ${id}`;
  }
}

/** The model, and how much it is asked to reason where that was said. */
function modelOf({ model: { provider, name, parameters: { reasoning } } }: Baseline): string {
  return `${provider}:${name}${reasoning === undefined ? "" : `, effort ${String(reasoning)}`}`;
}
