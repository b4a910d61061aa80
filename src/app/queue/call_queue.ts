/**
 * What is called for in a conversation, one thing after the other.
 * Rule: one writer: a second call waits, and what waits can be seen, changed and taken out; a message that waits is on disk
 * before whoever typed it is told that it is accepted, and stays there until the log has it.
 */
import { Interrupted, UsageError } from "../../platform/errors.ts";
import type { Image } from "../../session/images.ts";
import type { QueuedMessage } from "./queue_file.ts";
import type { CallKind, WaitingCall } from "./waiting_call.ts";

/** What a queue works for. */
export interface QueueOwner {
  /** Makes durable which messages wait; false while there is no session to keep them in. */
  keep(messages: readonly QueuedMessage[]): boolean;
  /** The turn that the next message opens. */
  nextTurn(): number;
  /** What goes on has changed; undefined when nothing does any more. */
  onRunning(kind: CallKind | undefined): void;
  onWaiting(calls: readonly WaitingCall[]): void;
  /** Says a message that an earlier process has left. It throws nothing. */
  sayLeft(message: QueuedMessage, signal: AbortSignal): Promise<void>;
}

/** What is called. */
export interface Call {
  kind: CallKind;
  text: string;
  /** Pictures that go along with a message. */
  images?: readonly Image[] | undefined;
  /** Called when what was typed is on disk. */
  onAccepted?: (() => void) | undefined;
}

interface Entry extends WaitingCall {
  work(text: string, signal: AbortSignal): Promise<void>;
  drop(reason: Error): void;
  images: readonly Image[] | undefined;
  onAccepted: (() => void) | undefined;
  isKept: boolean;
  /** It is about to be recorded, as the message that opens this turn. */
  turn?: number;
}

/** See the head of this file. */
export class CallQueue {
  readonly #owner: QueueOwner;
  #entries: Entry[] = [];
  #running: { entry: Entry; controller: AbortController; end: Promise<void> } | undefined;

  constructor(owner: QueueOwner) {
    this.#owner = owner;
  }

  /** What goes on; undefined when nothing does. */
  get running(): CallKind | undefined {
    return this.#running?.entry.kind;
  }

  /** Ends with what goes on. @throws {Error} when nothing does */
  get signal(): AbortSignal {
    if (this.#running === undefined) throw new Error("nothing goes on in the conversation");
    return this.#running.controller.signal;
  }

  /** What waits, the next one first. */
  get waiting(): readonly WaitingCall[] {
    return this.#entries.filter(({ turn }) => turn === undefined)
      .map(({ id, kind, text }) => ({ id, kind, text }));
  }

  /** Puts back what an earlier process has left. It is said in front of what is called for next. */
  restore(messages: readonly QueuedMessage[]): void {
    const left = messages.map((message): Entry => ({
      id: message.id,
      kind: "message",
      text: message.text,
      images: message.images,
      work: (text, signal) => this.#owner.sayLeft({ ...message, text }, signal),
      drop: () => {},
      onAccepted: undefined,
      isKept: true,
    }));
    this.#entries = [...left, ...this.#entries];
    if (left.length > 0) this.#changed();
  }

  /**
   * Runs a call now, or when all before it have ended.
   *
   * @param work gets the text as it is when its turn has come
   * @throws what `work` throws {@linkcode Interrupted} when it is taken out
   */
  async call<T>(
    { kind, text, images, onAccepted }: Call,
    work: (text: string, signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const entry: Entry = {
      id: crypto.randomUUID(),
      kind,
      text,
      images,
      work: (text, signal) => work(text, signal).then(resolve, reject),
      drop: reject,
      onAccepted,
      isKept: false,
    };
    this.#entries.push(entry);
    if (this.#running !== undefined || this.#entries.length > 1) this.#changed();
    this.#runNext();
    return await promise;
  }

  /** Changes the text of what waits. @throws {UsageError} when it does not wait any more, or has none */
  edit(id: string, text: string): void {
    const entry = this.#find(id);
    if (!["message", "steer", "goal"].includes(entry.kind)) {
      throw new UsageError(`a ${entry.kind} has no text of yours to change`);
    }
    entry.text = text;
    this.#changed();
  }

  /** Takes out what waits. @throws {UsageError} when it does not wait any more */
  remove(id: string): void {
    const entry = this.#find(id);
    this.#take(entry);
    this.#changed();
    entry.drop(new Interrupted("taken out of the queue"));
  }

  /** Ends what goes on; what waits stays. */
  cancel(reason: Error): void {
    this.#running?.controller.abort(reason);
  }

  /** Takes the next message that is for the turn under way. */
  takeSteered(): string | undefined {
    const entry = this.#entries.find(({ kind, turn }) => kind === "steer" && turn === undefined);
    if (entry === undefined) return undefined;
    entry.turn = this.#owner.nextTurn();
    this.#changed();
    return entry.text;
  }

  /** The log has the message that opens `turn`. */
  recorded(turn: number): void {
    const entry = this.#entries.find((taken) => taken.turn === turn);
    if (entry !== undefined) {
      this.#take(entry);
      this.#keep();
    }
    accept(entry ?? this.#running?.entry);
  }

  /** There is a session now, which can keep what waits. */
  keepNow(): void {
    if (this.#entries.length > 0) this.#keep();
  }

  /** Ends what goes on and waits for its end; nothing more is run. What is on disk stays there. */
  async close(reason: Error): Promise<void> {
    const dropped = this.#entries;
    this.#entries = [];
    for (const entry of dropped) entry.drop(reason);
    this.cancel(reason);
    await this.#running?.end;
  }

  #find(id: string): Entry {
    const entry = this.#entries.find((waiting) => waiting.id === id && waiting.turn === undefined);
    if (entry === undefined) throw new UsageError(`${id}: does not wait in the queue any more`);
    return entry;
  }

  #take(entry: Entry): void {
    this.#entries = this.#entries.filter((other) => other !== entry);
  }

  #runNext(): void {
    const [entry] = this.#entries;
    if (this.#running !== undefined || entry === undefined) return;
    const controller = new AbortController();
    const { promise: end, resolve: ended } = Promise.withResolvers<void>();
    this.#running = { entry, controller, end };
    if (entry.isKept) entry.turn = this.#owner.nextTurn();
    else this.#take(entry);
    if (entry.isKept || this.#entries.length > 0) this.#changed();
    this.#owner.onRunning(entry.kind);
    void entry.work(entry.text, controller.signal).finally(() => {
      ended();
      this.#ended(entry);
    });
  }

  #ended(entry: Entry): void {
    this.#running = undefined;
    const isUnsaid = this.#entries.includes(entry);
    // What could not be said stays, and waits for the user to call again.
    delete entry.turn;
    for (const steered of this.#entries) delete steered.turn;
    if (this.#entries.length === 0 || isUnsaid) this.#owner.onRunning(undefined);
    if (isUnsaid) return this.#changed();
    this.#runNext();
  }

  #changed(): void {
    this.#keep();
    this.#owner.onWaiting(this.waiting);
  }

  #keep(): void {
    const typed = this.#entries.filter((entry) =>
      entry.kind === "message" || entry.kind === "steer"
    );
    const messages = typed.map(({ id, kind, text, images, turn }): QueuedMessage => ({
      id,
      kind: kind === "steer" ? "steer" : "message",
      text,
      ...(images !== undefined && images.length > 0 && { images: [...images] }),
      ...(turn !== undefined && { turn }),
    }));
    if (!this.#owner.keep(messages)) return;
    for (const entry of typed) {
      entry.isKept = true;
      accept(entry);
    }
  }
}

/** Tells whoever typed it, once, that it is on disk. */
function accept(entry: Entry | undefined): void {
  const { onAccepted } = entry ?? {};
  if (entry !== undefined) entry.onAccepted = undefined;
  onAccepted?.();
}
