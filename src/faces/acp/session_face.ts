/**
 * One client on one conversation: it is told what happens, and asked what there is to answer.
 * Rule: what the client is sent is in order; one that is slow to take it is left to the conversation, which drops it.
 */
import {
  type AgentContext,
  type ClientCapabilities,
  methods,
  type ReadTextFileResponse,
  type SessionUpdate,
} from "@agentclientprotocol/sdk";
import { join } from "@std/path";
import type { ConversationEvent, EventBody } from "../../app/events/conversation_event.ts";
import {
  BEFORE_ALL,
  comparePlaces,
  type EventNumber,
  type EventPlace,
  placeOf,
} from "../../app/events/event_number.ts";
import type { OpenQuestion } from "../../app/questions.ts";
import { messageOf } from "../../platform/errors.ts";
import { sayAside } from "../../platform/output.ts";
import { configOptions } from "./config_options.ts";
import type { HeldConversation, OpenText } from "./held_conversation.ts";
import { EVENT_METHOD, type OwnCapabilities } from "./own_protocol.ts";
import type { AcpPlace } from "./place.ts";
import { Questions } from "./questions.ts";
import { ownUpdate, Translator } from "./translator.ts";

/** Who is on a conversation, and what it can do. */
export interface ClientSide {
  context: AgentContext;
  /** Its name, for the others. */
  name: string;
  capabilities: ClientCapabilities;
  own: OwnCapabilities;
}

/** See the head of this file. */
export class SessionFace {
  readonly held: HeldConversation;
  readonly #client: ClientSide;
  readonly #place: AcpPlace;
  readonly #translator: Translator;
  readonly #questions: Questions;
  readonly #end = new AbortController();
  readonly #leave: (() => void)[];
  readonly #expected: { text: string; onGoal: (() => Promise<void>) | undefined }[] = [];
  #running: number | undefined;
  #sent: EventPlace = BEFORE_ALL;
  #told: EventPlace = BEFORE_ALL;
  #waiting: (() => void)[] = [];

  constructor(held: HeldConversation, place: AcpPlace, client: ClientSide) {
    this.held = held;
    this.#client = client;
    this.#place = place;
    const { root } = place;
    const { context, capabilities } = client;
    const { notices, compaction } = capabilities.session ?? {};
    const shows = { notices: Boolean(notices), compaction: Boolean(compaction) };
    const windowTokens = () => held.live.conversation?.contextWindowTokens;
    this.#translator = new Translator(root, held.id, shows, windowTokens);
    this.#questions = new Questions(context, capabilities, held.id, root);
    this.#leave = [
      held.company.onMode((currentModeId) => {
        this.#update({ sessionUpdate: "current_mode_update", currentModeId }).catch(() => {});
      }),
    ];
    this.#leave.push(held.live.listen(({ number }) => this.#told = placeOf(number)));
    if (capabilities.fs?.readTextFile) this.#leave.push(held.company.addReader(this.#openText));
  }

  /**
   * Begins to tell the client, and goes on until either has gone.
   *
   * @param after the last event that the client has; left out for all of them
   * @returns what resolves when the client has been told all that came before
   */
  begin(after: EventNumber | undefined): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#tell(after, resolve).catch((error) => {
      // A client that has gone is told nothing more; anything else is for whoever reads stderr.
      if (!this.#end.signal.aborted) sayAside(`${this.held.id}: ${messageOf(error)}`);
    }).finally(() => {
      this.#end.abort();
      this.#wake();
      resolve();
    });
    return promise;
  }

  /** Resolves when the client has been sent all that has happened until now, so that an answer comes behind it. */
  async caughtUp(): Promise<void> {
    const last = this.#told;
    while (!this.#end.signal.aborted && comparePlaces(this.#sent, last) < 0) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }

  /**
   * A message or a goal comes that the client shows already, because it was typed there.
   *
   * @param onGoal called when it has come as a goal: it is on disk
   */
  expect(text: string, onGoal?: () => Promise<void>): void {
    this.#expected.push({ text, onGoal });
  }

  /** What the client has sent is on disk. */
  async accepted(message: string | null): Promise<void> {
    await this.#update(ownUpdate({ accepted: { message } }));
  }

  /** Tells the client something of m31a's own that is no event. */
  async answer(text: string): Promise<void> {
    for (const update of this.#translator.answer(text)) await this.#update(update);
  }

  /** Tells the client what is no event of the conversation's. */
  async tell(update: SessionUpdate): Promise<void> {
    await this.#update(update);
  }

  /** The client has gone. */
  close(): void {
    this.#end.abort();
    this.#wake();
    this.#questions.close();
    for (const leave of this.#leave) leave();
  }

  async #tell(after: EventNumber | undefined, onPresent: () => void): Promise<void> {
    const following = { signal: this.#end.signal, ...(after !== undefined && { after }) };
    for await (const event of this.held.live.follow(following)) {
      await this.#send(event);
      this.#look(event.body);
      this.#sent = placeOf(event.number);
      this.#wake();
      if (event.body.type === "state") onPresent();
    }
  }

  async #send(event: ConversationEvent): Promise<void> {
    const { context, own } = this.#client;
    const { id } = this.held;
    const isShown = await this.#isExpected(event.body);
    if (own.events) return await context.notify(EVENT_METHOD, { sessionId: id, event });
    for (const update of this.#translator.updatesOf(event.body)) {
      if (isShown && update.sessionUpdate === "user_message_chunk") continue;
      await this.#update(update, event.number);
    }
  }

  async #isExpected(body: EventBody): Promise<boolean> {
    if (body.type !== "message" && body.type !== "goal") return false;
    // What was recorded otherwise than it was typed, with a key masked, comes as anybody's; it is expected no more.
    const index = this.#expected.findIndex(({ text }) => text === body.text);
    if (index === -1) return false;
    const expected = this.#expected.splice(0, index + 1).at(-1);
    if (body.type === "goal") await expected?.onGoal?.();
    return true;
  }

  async #update(update: SessionUpdate, event?: EventNumber): Promise<void> {
    await this.#client.context.notify(methods.client.session.update, {
      sessionId: this.held.id,
      update,
      ...(event !== undefined && { _meta: { m31a: { event } } }),
    });
  }

  /** What an event asks of the client. */
  #look(body: EventBody): void {
    if (body.type === "tool_started") this.#running = body.call;
    if (body.type === "tool_finished") this.#running = undefined;
    if (body.type === "question_ended") this.#questions.takeBack(body.id);
    if (this.#client.own.events) return;
    if (body.type === "epoch" && body.from === "model") this.#tellOptions().catch(() => {});
    if (body.type === "question_asked") this.#ask(body.question);
    if (body.type === "state") { for (const question of body.questions) this.#ask(question); }
  }

  async #tellOptions(): Promise<void> {
    const options = configOptions(await this.held.live.model(), this.#place.environment);
    await this.#update({ sessionUpdate: "config_option_update", configOptions: options });
  }

  async #ask(question: OpenQuestion): Promise<void> {
    if (!this.held.mayAnswer) return;
    const { live } = this.held;
    try {
      const answer = await this.#questions.ask(question, this.#running);
      if (answer === "elsewhere") return;
      if (answer === undefined) return live.cancel();
      live.questions.answer(question.id, answer, this.#client.name);
    } catch (error) {
      // A client that has gone has said nothing; another may answer.
      if (this.#end.signal.aborted) return;
      sayAside(`${this.#client.name} could not be asked: ${messageOf(error)}`);
      live.cancel();
    }
  }

  #openText: OpenText = async (path, signal) => {
    const { context } = this.#client;
    try {
      const response: ReadTextFileResponse = await context.request(methods.client.fs.readTextFile, {
        sessionId: this.held.id,
        path: join(this.#place.root, path),
      }, { cancellationSignal: signal, stopWaitingOnCancel: true });
      return response.content;
    } catch {
      // The client has no such file, or does not give it: then it is what is stored.
      return undefined;
    }
  };
}
