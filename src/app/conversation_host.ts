/**
 * The inside of a live conversation: its session, its events, its questions and its queue, tied together.
 * Rule: nothing of the outside is known here but who listens; {@linkcode LiveConversation} is what others call.
 */
import type { Conversation } from "../agent/conversation.ts";
import { resumeConversation, startConversation } from "../agent/open.ts";
import { messageOf } from "../platform/errors.ts";
import type { Baseline } from "../session/baseline.ts";
import { SessionNotFound } from "../session/errors.ts";
import { ensureSessionsDirectory, listSessionIds } from "../session/layout.ts";
import { resolveSessionId } from "../session/session_id.ts";
import { WorkflowLink } from "../workflow/link.ts";
import type { EventBody } from "./events/conversation_event.ts";
import { EventHub, type EventListener } from "./events/event_hub.ts";
import { firstOfNewest } from "./find/newest.ts";
import type { GoalParts } from "./goal/goal_parts.ts";
import type { Holder, PreparedOpening } from "./opening.ts";
import { QuestionBroker } from "./questions.ts";
import { CallQueue, type QueueOwner } from "./queue/call_queue.ts";
import { type QueuedMessage, readQueue, writeQueue } from "./queue/queue_file.ts";

/** Which conversation is gone on with: a new one, a named one (its id or the beginning of it), or the newest. */
export type ChatStart = { kind: "new" } | { kind: "resume"; id: string } | { kind: "continue" };

/** How a conversation is held. */
export interface HostOptions {
  /** Somebody can be asked. Where nobody can, what would need a question is refused or decided as recommended. */
  isAttended: boolean;
  /** Gets every event from the first one on. */
  onEvent?: EventListener;
}

/** Makes what a conversation is opened with. */
export type Prepare = (holder: Holder) => Promise<PreparedOpening>;

/** See the head of this file. */
export class ConversationHost {
  readonly hub = new EventHub();
  readonly questions: QuestionBroker;
  readonly queue: CallQueue;
  readonly #isAttended: boolean;
  readonly #link: WorkflowLink;
  readonly #sayLeft: (message: QueuedMessage, signal: AbortSignal) => Promise<unknown>;
  #opening: PreparedOpening | undefined;
  #conversation: Conversation | undefined;

  /** @param sayLeft says a message that an earlier process has left in the queue */
  constructor(
    { isAttended, onEvent }: HostOptions,
    sayLeft: (message: QueuedMessage, signal: AbortSignal) => Promise<unknown>,
  ) {
    this.#isAttended = isAttended;
    this.#sayLeft = sayLeft;
    if (onEvent !== undefined) this.hub.listen(onEvent);
    this.questions = new QuestionBroker({
      asked: (question) => this.tell({ type: "question_asked", question }),
      ended: (id, answer, by) =>
        this.tell({ type: "question_ended", id, ...(answer && { answer }), ...(by && { by }) }),
    });
    this.queue = new CallQueue(this.#queueOwner());
    this.hub.listen(({ body }) => {
      if (body.type === "message" && body.source === "user") this.queue.recorded(body.turn);
    });
    this.#link = isAttended ? this.#linkToUser() : new WorkflowLink();
  }

  /** The conversation, once it has begun. */
  get conversation(): Conversation | undefined {
    return this.#conversation;
  }

  /** What working on a goal and shipping it needs. */
  get parts(): GoalParts {
    return {
      opening: this.opening,
      link: this.#link,
      isAttended: this.#isAttended,
      questions: this.questions,
      tell: (body) => this.tell(body),
    };
  }

  /** What the next conversation is opened with. */
  get opening(): PreparedOpening {
    if (this.#opening === undefined) throw new Error("the conversation is not open yet");
    return this.#opening;
  }

  set opening(opening: PreparedOpening) {
    this.#opening = opening;
  }

  tell(body: EventBody): void {
    this.hub.tell(body);
  }

  /** See {@linkcode Project.converse}. */
  async open(prepare: Prepare, start: ChatStart): Promise<void> {
    this.#opening = await prepare(this.#holder());
    const { root } = this.opening;
    // Somebody who is there learns before the first word that nothing can be written here.
    if (this.#isAttended) ensureSessionsDirectory(root);
    if (start.kind === "new") return;
    const resume = (id: string) => resumeConversation(this.opening, id);
    this.#conversation = start.kind === "resume"
      ? await resume(resolveSessionId(listSessionIds(root), start.id))
      : await firstOfNewest(root, resume, (text) => this.tell({ type: "notice", text }));
    if (this.#conversation === undefined) {
      throw new SessionNotFound(
        'there is no session to continue yet; begin one: m31a chat, or m31a run "the goal"',
      );
    }
    this.hub.goLive();
    const { id, totals } = this.#conversation.session;
    this.queue.restore(readQueue(root, id, totals.turns));
  }

  /** The conversation; begins it where it has not begun. */
  async begin(memory: Baseline["memory"] = null): Promise<Conversation> {
    if (this.#conversation !== undefined) return this.#conversation;
    this.hub.goLive();
    this.#conversation = await startConversation({ ...this.opening, memory });
    this.queue.keepNow();
    return this.#conversation;
  }

  /** Closes the session; a goal that has failed and is left at that is told to the ledger. */
  async leave(): Promise<void> {
    const conversation = this.#conversation;
    if (conversation === undefined) return;
    try {
      if (this.#isAttended && this.#link.state.phase?.status === "failed") {
        const { tellFailure } = await import("./goal/pursue.ts");
        await tellFailure(this.parts, conversation);
      }
    } finally {
      conversation.close();
      this.#conversation = undefined;
      this.hub.reset();
    }
  }

  /** Leaves the session, stops what the tools have started, and tells nothing more. */
  async close(): Promise<void> {
    try {
      await this.leave();
    } finally {
      await this.#opening?.tools.close();
      this.hub.close();
    }
  }

  #queueOwner(): QueueOwner {
    return {
      keep: (messages) => {
        if (this.#conversation === undefined) return false;
        writeQueue(this.opening.root, this.#conversation.session.id, messages);
        return true;
      },
      nextTurn: () => (this.#conversation?.session.totals.turns ?? 0) + 1,
      onRunning: (kind) => this.tell({ type: "activity", activity: kind ?? "idle" }),
      onWaiting: (calls) => this.tell({ type: "waiting", calls }),
      sayLeft: async (message, signal) => {
        try {
          await this.#sayLeft(message, signal);
        } catch (error) {
          const why = messageOf(error);
          this.tell({ type: "notice", text: `A message that had waited was not answered: ${why}` });
        }
      },
    };
  }

  #linkToUser(): WorkflowLink {
    return new WorkflowLink({
      ask: async (question) => {
        const asked = { kind: "choice", ...question } as const;
        return (await this.questions.ask(asked, this.queue.signal)).text;
      },
      reviewPlan: async (plan, version) => {
        const asked = { kind: "plan", plan, version } as const;
        const { kind: _kind, ...review } = await this.questions.ask(asked, this.queue.signal);
        return review;
      },
    });
  }

  #holder(): Holder {
    return {
      link: this.#link,
      onEvent: (body) => this.tell(body),
      onDurable: () => this.hub.onDurable(),
      takeSteered: () => this.queue.takeSteered(),
      folds: (baseline) => [this.hub.fold(baseline)],
      ...(this.#isAttended && {
        approve: async ({ id, signal, tool, summary, detail, scope }) => {
          try {
            const asked = { kind: "approval", tool, summary, detail, scope } as const;
            return await this.questions.ask(asked, signal, id);
          } catch (error) {
            if (!signal.aborted) throw error;
            return { decision: "no" };
          }
        },
      }),
    };
  }
}
