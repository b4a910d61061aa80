/**
 * The events that the log of a session tells, a part of them at a time.
 * Rule: reads without a lock and in flat memory, and lets others go on in between; ends where it is told to.
 */
import { listEpochs } from "../../session/layout.ts";
import { recordsOfEpoch } from "../../session/session_reader.ts";
import { readBaseline } from "../../session/epoch_files.ts";
import type { ConversationEvent } from "./conversation_event.ts";
import { comparePlaces, type EventPlace } from "./event_number.ts";
import { Retelling } from "./retelling.ts";

/** So many records are read before others have their turn. */
const RECORDS_AT_ONCE = 500;

/**
 * Gives the events of records behind `after`, up to and with those at `until`.
 *
 * @throws {SessionNotFound} {@linkcode BaselineInvalid} {@linkcode SessionIo}
 */
export async function* readHistory(
  root: string,
  id: string,
  after: EventPlace,
  until: EventPlace,
): AsyncGenerator<ConversationEvent> {
  for (const epoch of listEpochs(root, id)) {
    if (epoch < after.epoch || epoch > until.epoch) continue;
    const retelling = new Retelling(readBaseline(root, id, epoch).baseline);
    let count = 0;
    for (const { record } of recordsOfEpoch(root, id, epoch)) {
      const place = { epoch, seq: record.seq, part: 0 };
      if (comparePlaces(place, until) > 0) break;
      retelling.apply(record);
      const event = comparePlaces(place, after) > 0 ? retelling.tell(record) : undefined;
      if (event !== undefined) yield event;
      count += 1;
      if (count % RECORDS_AT_ONCE === 0) await new Promise((resolve) => setTimeout(resolve));
    }
  }
}
