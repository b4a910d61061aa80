/**
 * The newest events that are in no log, for those who join or come back.
 * Rule: bounded; what a record tells better is forgotten when the record is there, and the pieces of a text are one text.
 */
import type { ConversationEvent, EventBody } from "./conversation_event.ts";
import { comparePlaces, type EventPlace, numberOf } from "./event_number.ts";

/** How many events are kept. */
export const MAX_KEPT_EVENTS = 500;

/** How much of a running command's output is kept, in characters: the end of it. */
export const LONGEST_KEPT_OUTPUT = 64 * 1024;

type Streamed = Extract<EventBody, { type: "text" | "reasoning" | "tool_output" }>;

/** One event; or pieces of one text, which came one right behind the other. */
interface Entry {
  event: ConversationEvent;
  /** Of the last piece. */
  place: EventPlace;
  /** Where each piece ends in the text. The pieces' parts follow one another. */
  ends: number[];
  text: string;
  /** How much of the beginning is no longer in `text`. */
  dropped: number;
}

/** See the head of this file. */
export class EventTail {
  #entries: Entry[] = [];
  #lostUpTo: EventPlace | undefined;

  /** Takes the event that came last, which has its number from `place`. */
  add(event: ConversationEvent, place: EventPlace): void {
    const { body } = event;
    if (body.type === "restarted") this.#forget(isOfReply);
    const last = this.#entries.at(-1);
    if (isStreamed(body)) {
      if (last !== undefined && continues(last, event, place)) return extend(last, body, place);
      const { text } = body;
      this.#entries.push({ event, place, ends: [text.length], text, dropped: 0 });
    } else {
      this.#entries.push({ event, place, ends: [], text: "", dropped: 0 });
    }
    if (this.#entries.length > MAX_KEPT_EVENTS) this.#lostUpTo = this.#entries.shift()?.place;
  }

  /** Forgets what is told better by `body`, which is in the log. */
  supersede(body: EventBody): void {
    if (body.type === "reply") return this.#forget(isOfReply);
    if (body.type === "turn_ended") return this.#forget((old) => isOfReply(old) || isOfCall(old));
    if (body.type !== "tool_finished") return;
    this.#forget((old, { call }) => isOfCall(old) && call === body.call);
  }

  /** The events behind `after`, the oldest first; of a text, what came of it behind that. */
  after(after: EventPlace): ConversationEvent[] {
    const told: ConversationEvent[] = [];
    for (const entry of this.#entries) {
      if (comparePlaces(entry.place, after) > 0) told.push(restOf(entry, after));
    }
    return told;
  }

  /** Whether something behind `place` is not kept any more. */
  hasLost(place: EventPlace): boolean {
    return this.#lostUpTo !== undefined && comparePlaces(this.#lostUpTo, place) > 0;
  }

  #forget(isVoid: (body: EventBody, event: ConversationEvent) => boolean): void {
    this.#entries = this.#entries.filter(({ event }) => !isVoid(event.body, event));
  }
}

function isStreamed(body: EventBody): body is Streamed {
  return body.type === "text" || body.type === "reasoning" || body.type === "tool_output";
}

function isOfReply({ type }: EventBody): boolean {
  return ["request_started", "text", "reasoning", "retry", "restarted"].includes(type);
}

function isOfCall({ type }: EventBody): boolean {
  return type === "tool_started" || type === "tool_output";
}

function continues(last: Entry, { body, call }: ConversationEvent, place: EventPlace): boolean {
  const next = { ...last.place, part: last.place.part + 1 };
  return last.event.body.type === body.type && last.event.call === call &&
    comparePlaces(next, place) === 0;
}

function extend(entry: Entry, body: Streamed, place: EventPlace): void {
  entry.text += body.text;
  entry.place = place;
  entry.ends.push(entry.dropped + entry.text.length);
  if (body.type !== "tool_output" || entry.text.length <= LONGEST_KEPT_OUTPUT) return;
  const excess = entry.text.length - LONGEST_KEPT_OUTPUT;
  entry.text = entry.text.slice(excess);
  entry.dropped += excess;
}

/** The event, or what of its text came behind `after`. */
function restOf(
  { event, place, ends, text, dropped }: Entry,
  after: EventPlace,
): ConversationEvent {
  const { body } = event;
  if (!isStreamed(body)) return event;
  const firstPart = place.part - ends.length + 1;
  const isInside = after.epoch === place.epoch && after.seq === place.seq &&
    after.part >= firstPart;
  const from = isInside ? ends[after.part - firstPart] ?? 0 : 0;
  const missing = Math.max(0, dropped - from);
  const word = missing > 0 ? `[… ${missing} characters of output are not told again …]\n` : "";
  const rest = word + text.slice(Math.max(0, from - dropped)).toWellFormed();
  return { ...event, number: numberOf(place), body: { ...body, text: rest } };
}
