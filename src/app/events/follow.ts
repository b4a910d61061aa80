/**
 * Following a conversation: first what came before, from the log, then what happens.
 * Rule: nothing is lost or doubled where the one goes over into the other; whoever takes too long is dropped with a word,
 * and holds nobody up.
 */
import { utf8ByteLength } from "../../platform/text.ts";
import type { ConversationEvent, ConversationState, EventBody } from "./conversation_event.ts";
import type { EventHub } from "./event_hub.ts";
import {
  BEFORE_ALL,
  comparePlaces,
  type EventNumber,
  type EventPlace,
  numberOf,
  placeOf,
} from "./event_number.ts";
import { readHistory } from "./history.ts";

/** How many events wait for a listener at the most. */
export const MAX_WAITING_EVENTS = 1_000;

/** How much text waits for a listener at the most, in bytes. */
export const MAX_WAITING_BYTES = 4 * 1024 * 1024;

/** How a listener follows. */
export interface FollowOptions {
  /** The last number that it has; left out for all of the conversation. */
  after?: EventNumber | undefined;
  /** Ends it. */
  signal?: AbortSignal | undefined;
}

/** What is followed. */
export interface Followed {
  root: string;
  hub: EventHub;
  /** How it stands now. */
  state(): ConversationState;
}

/**
 * Gives the events behind `after`, then how it stands, then each event as it happens, until the conversation is closed or
 * the signal is aborted.
 *
 * @throws {UsageError} when `after` is no number {@linkcode SessionIo} when the log cannot be read
 */
export async function* follow(
  { root, hub, state }: Followed,
  { after, signal }: FollowOptions = {},
): AsyncGenerator<ConversationEvent> {
  const from = after === undefined ? BEFORE_ALL : placeOf(after);
  const ended = AbortSignal.any([hub.closed, ...(signal === undefined ? [] : [signal])]);
  let last = from;
  if (after !== undefined && hub.tail.hasLost(from)) {
    const text = `Some of what happened behind event ${after} is in no log, and is not told again.`;
    yield eventAt(hub, from, { type: "notice", text });
  }
  while (comparePlaces(last, hub.place) < 0) {
    if (ended.aborted) return;
    const until = hub.place;
    yield* earlier({ root, hub }, last, until);
    last = until;
  }
  // In the same breath: nothing can happen between the last look and the first event that waits.
  const waiting = new WaitingEvents();
  const stopListening = hub.listen((event) => waiting.push(event));
  const stop = () => waiting.end();
  ended.addEventListener("abort", stop, { once: true });
  if (ended.aborted) stop();
  try {
    yield eventAt(hub, last, { type: "state", ...state() });
    for (;;) {
      const event = waiting.shift();
      if (event !== undefined) {
        last = placeOf(event.number);
        yield event;
        continue;
      }
      if (waiting.hasOverflowed) {
        const reason =
          `more than ${MAX_WAITING_EVENTS} events, or ${MAX_WAITING_BYTES} bytes, waited to be taken`;
        yield eventAt(hub, last, { type: "dropped", reason });
        return;
      }
      if (waiting.hasEnded) return;
      await waiting.next();
    }
  } finally {
    stopListening();
    ended.removeEventListener("abort", stop);
  }
}

/** What the log and the tail have between two places, in order. */
async function* earlier(
  { root, hub }: Pick<Followed, "root" | "hub">,
  after: EventPlace,
  until: EventPlace,
): AsyncGenerator<ConversationEvent> {
  const { session } = hub;
  const unlogged = hub.tail.after(after);
  if (session !== null) {
    for await (const event of readHistory(root, session, after, until)) {
      yield* unlogged.splice(0, countBefore(unlogged, placeOf(event.number)));
      yield event;
    }
  }
  yield* unlogged;
}

function countBefore(events: readonly ConversationEvent[], place: EventPlace): number {
  const index = events.findIndex(({ number }) => comparePlaces(placeOf(number), place) > 0);
  return index === -1 ? events.length : index;
}

function eventAt({ session }: EventHub, place: EventPlace, body: EventBody): ConversationEvent {
  return { session, number: numberOf(place), turn: 0, body };
}

/** The events that a listener has not taken yet. */
class WaitingEvents {
  #events: ConversationEvent[] = [];
  #bytes = 0;
  #hasEnded = false;
  #hasOverflowed = false;
  #wake: () => void = () => {};

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  get hasOverflowed(): boolean {
    return this.#hasOverflowed;
  }

  push(event: ConversationEvent): void {
    if (this.#hasOverflowed) return;
    this.#events.push(event);
    this.#bytes += sizeOf(event);
    if (this.#events.length > MAX_WAITING_EVENTS || this.#bytes > MAX_WAITING_BYTES) {
      this.#hasOverflowed = true;
      this.#events = [];
    }
    this.#wake();
  }

  shift(): ConversationEvent | undefined {
    const event = this.#events.shift();
    if (event !== undefined) this.#bytes -= sizeOf(event);
    return event;
  }

  end(): void {
    this.#hasEnded = true;
    this.#wake();
  }

  /** Resolves when there is something to look at. */
  async next(): Promise<void> {
    if (this.#events.length > 0 || this.#hasEnded || this.#hasOverflowed) return;
    await new Promise<void>((resolve) => this.#wake = resolve);
  }
}

function sizeOf({ body }: ConversationEvent): number {
  if (body.type === "tool_finished") return utf8ByteLength(body.output);
  return "text" in body ? utf8ByteLength(body.text) : 0;
}
