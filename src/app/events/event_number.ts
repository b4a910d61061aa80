/**
 * The number of an event: `EPOCH.SEQ.PART`.
 * Rule: it follows from the log. An event of a record has the record's place and part 0; one that is in no log comes behind
 * the last record, as part 1, 2, 3 …; so a number means the same to a process that takes over.
 */
import { UsageError } from "../../platform/errors.ts";

/** See the head of this file: `0.41.0`. */
export type EventNumber = string;

/** A number taken apart. */
export interface EventPlace {
  epoch: number;
  seq: number;
  part: number;
}

/** The place before every event. */
export const BEFORE_ALL: EventPlace = { epoch: 0, seq: 0, part: 0 };

/** Writes a place as a number. */
export function numberOf({ epoch, seq, part }: EventPlace): EventNumber {
  return `${epoch}.${seq}.${part}`;
}

/**
 * Reads a number.
 *
 * @throws {UsageError} when it is none
 *
 * @example
 * ```ts
 * import { comparePlaces, placeOf } from "./event_number.ts";
 * import assert from "node:assert/strict";
 *
 * assert(comparePlaces(placeOf("0.9.2"), placeOf("0.10.0")) < 0);
 * ```
 */
export function placeOf(number: EventNumber): EventPlace {
  const match = /^(\d{1,15})\.(\d{1,15})\.(\d{1,15})$/.exec(number);
  if (match === null) {
    throw new UsageError(`${JSON.stringify(number)}: is no event's number, such as 0.41.0`);
  }
  const [, epoch, seq, part] = match;
  return { epoch: Number(epoch), seq: Number(seq), part: Number(part) };
}

/** Below 0 when `a` comes before `b`, 0 when they are the same, above 0 when it comes after. */
export function comparePlaces(a: EventPlace, b: EventPlace): number {
  return a.epoch - b.epoch || a.seq - b.seq || a.part - b.part;
}
