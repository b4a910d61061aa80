/**
 * A chat apart from where its lines come from and where its events go.
 * Rule: a conversation begins with its first message, so that looking in leaves nothing behind.
 */
import { compact } from "../agent/compaction.ts";
import type { Conversation } from "../agent/conversation.ts";
import type { TurnEnd } from "../agent/events.ts";
import { type Opening, resumeConversation, startConversation } from "../agent/open.ts";
import type { Baseline } from "../session/baseline.ts";
import { ensureSessionsDirectory, listSessionIds } from "../session/layout.ts";
import { resolveSessionId } from "../session/session_id.ts";
import { SessionNotFound } from "../session/errors.ts";
import type { WorkflowLink } from "../workflow/link.ts";
import { runPlainTurn } from "../workflow/plain_turn.ts";
import { firstOfNewest } from "./newest.ts";

/** Which conversation a chat goes on with: a new one, a named one, or the newest. */
export type ChatStart = { kind: "new" } | { kind: "resume"; id: string } | { kind: "continue" };

/** One chat. */
export class ChatSession {
  readonly #opening: Opening;
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

  /** Says `text` to the model; begins the conversation if this is its first message. */
  async say(text: string, signal: AbortSignal): Promise<TurnEnd> {
    return await this.withConversation((conversation) =>
      runPlainTurn(conversation, this.#link, text, signal)
    );
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

  /** Summarizes the conversation; resolves to false when there is nothing to summarize. */
  async compact(signal: AbortSignal): Promise<boolean> {
    if (this.#conversation === undefined) return false;
    await compact(this.#conversation, "summarize", signal);
    return true;
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

  /** The names of the tools that the model has. */
  get toolNames(): string[] {
    return this.#opening.tools.definitions.map(({ name }) => name);
  }

  /** The session in a few lines: its id, its model, what it used. */
  describe(): string {
    if (this.#conversation === undefined) {
      return "No session yet: it begins with your first message.";
    }
    const { baseline, totals } = this.#conversation.session;
    const cost = totals.cost > 0 ? `, $${totals.cost.toFixed(4)}` : "";
    return [
      `session  ${baseline.session}${baseline.epoch > 0 ? `, epoch ${baseline.epoch}` : ""}`,
      `model    ${baseline.model.provider}:${baseline.model.name}${effortOf(baseline)}`,
      `used     ${totals.turns} turns, ${totals.requests} requests, ${totals.tokens} tokens${cost}`,
    ].join("\n");
  }

  /** What to say on leaving: the session's id and how to go on with it. Undefined when none began. */
  get farewell(): string | undefined {
    const id = this.#conversation?.session.id;
    return id === undefined ? undefined : `Session ${id}. To go on: m31a chat --resume ${id}`;
  }
}

/** How much the model is asked to reason, where that was said. */
function effortOf({ model: { parameters } }: Baseline): string {
  return parameters.reasoning === undefined ? "" : `, effort ${String(parameters.reasoning)}`;
}
