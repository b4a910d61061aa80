/**
 * The events of one conversation, numbered, and those who listen.
 * Rule: an event that tells of a record is told when the record is durable, and only by the record; of what is in no log
 * the newest is kept, so that whoever joins sees a reply as far as it has come.
 */
import type { Baseline } from "../../session/baseline.ts";
import type { Fold } from "../../session/records.ts";
import type { ConversationEvent, EventBody } from "./conversation_event.ts";
import { BEFORE_ALL, type EventPlace, numberOf } from "./event_number.ts";
import { EventTail } from "./event_tail.ts";
import { isToldOfRecord, Retelling } from "./retelling.ts";

/** Gets each event as it happens. What it throws ends what is under way: it is for the process's own screen. */
export type EventListener = (event: ConversationEvent) => void;

/** A record that the folds have got: where it stands, and what it tells. */
interface Taken {
  place: EventPlace;
  turn: number;
  event: ConversationEvent | undefined;
}

/** See the head of this file. */
export class EventHub {
  readonly #listeners = new Set<EventListener>();
  #closing = new AbortController();
  #tail = new EventTail();
  /** Records that may not be durable yet. */
  #taken: Taken[] = [];
  /** Records are news, and no longer those that an opened log begins with. */
  #isLive = false;
  #session: string | null = null;
  #epoch = 0;
  #turn = 0;
  #call: number | undefined;
  #place = BEFORE_ALL;

  /** The session, once there is one. */
  get session(): string | null {
    return this.#session;
  }

  /** The place of the last event or record. */
  get place(): EventPlace {
    return this.#place;
  }

  /** What is in no log and not too old. */
  get tail(): EventTail {
    return this.#tail;
  }

  /** Aborted when there will be no more events of this session. */
  get closed(): AbortSignal {
    return this.#closing.signal;
  }

  /** Makes the fold that tells of the records of an epoch. */
  fold(baseline: Baseline): Fold {
    this.#session = baseline.session;
    const retelling = new Retelling(baseline);
    return {
      apply: (record) => {
        retelling.apply(record);
        // What an epoch had begun with that could not be made is no record.
        if (this.#epoch !== baseline.epoch) this.#taken = [];
        this.#epoch = baseline.epoch;
        const place = { epoch: baseline.epoch, seq: record.seq, part: 0 };
        const { turn } = retelling;
        if (!this.#isLive) return this.#goTo({ place, turn });
        this.#taken.push({ place, turn, event: retelling.tell(record) });
      },
    };
  }

  /** From now on a record is news. To be called before a session is made, and when one has been opened. */
  goLive(): void {
    this.#isLive = true;
  }

  /** Tells of the records that are durable now. */
  onDurable(): void {
    const durable = this.#taken;
    this.#taken = [];
    for (const taken of durable) {
      this.#goTo(taken);
      if (taken.event === undefined) continue;
      this.#tail.supersede(taken.event.body);
      this.#dispatch(taken.event);
    }
  }

  /** Tells what is in no log; what is in one has been told already, and is passed over. */
  tell(body: EventBody): void {
    if (this.#isLive && isToldOfRecord(body)) return;
    if (body.type === "tool_started") this.#call = body.call;
    const isOfCall = body.type === "tool_started" || body.type === "tool_output";
    this.#place = { ...this.#place, part: this.#place.part + 1 };
    const event: ConversationEvent = {
      session: this.#session,
      number: numberOf(this.#place),
      turn: this.#turn,
      ...(isOfCall && this.#call !== undefined && { call: this.#call }),
      body,
    };
    this.#tail.add(event, this.#place);
    this.#dispatch(event);
  }

  /** Hands each event to `listener` from now on, until the returned function is called. */
  listen(listener: EventListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Forgets the session: what comes is another one, which is followed anew. */
  reset(): void {
    this.#closing.abort();
    this.#closing = new AbortController();
    this.#tail = new EventTail();
    this.#taken = [];
    this.#isLive = false;
    this.#session = null;
    this.#turn = 0;
    this.#place = BEFORE_ALL;
  }

  /** There will be no more events. */
  close(): void {
    this.#closing.abort();
    this.#listeners.clear();
  }

  #goTo({ place, turn }: Pick<Taken, "place" | "turn">): void {
    this.#place = place;
    this.#turn = turn;
  }

  #dispatch(event: ConversationEvent): void {
    for (const listener of [...this.#listeners]) listener(event);
  }
}
