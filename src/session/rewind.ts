/**
 * Taking a conversation back to the end of a turn: the next epoch begins with what was said up to there.
 * Rule: nothing is cut off; the epoch that is left stays as it is, and the new one's requests begin with the bytes that
 * were sent then.
 */
import { copyRecords, toDraft } from "./copy_records.ts";
import { readBaseline } from "./epoch_files.ts";
import type { Baseline } from "./baseline.ts";
import type { CallOutcome } from "./outcome.ts";
import type { RecordDraft, SessionRecord } from "./records.ts";
import type { Session } from "./session.ts";
import type { TurnPlace } from "./turns.ts";

/**
 * Begins the next epoch of `session` with the conversation up to `place`. What was used up to now stays counted.
 *
 * @param root the project's root
 * @param workflow the state of the workflow, for its fold to start from; it accounts for what is copied
 * @throws {RecordInvalid} while a tool call has no result
 * @throws {SessionIo} {@linkcode FileError} when the new files cannot be written; the present epoch goes on then
 */
export async function rewindSession(
  root: string,
  session: Session,
  place: TurnPlace,
  workflow: Baseline["carried"]["workflow"],
): Promise<void> {
  const leftSeq = session.endEpoch();
  const { id, totals: { requests, tokens, cost } } = session;
  const { epoch, seq, turn } = place;
  let copied = 0;
  copyRecords(root, id, place, conversationOf, (drafts) => void (copied += drafts.length));
  const { baseline } = readBaseline(root, id, epoch);
  const { turns, calls } = baseline.carried;
  await session.openEpoch(
    {
      ...baseline,
      parent: { kind: "rewind", session: id, epoch, seq, copied, rewind: { turn, leftSeq } },
      carried: { turns, calls, requests, tokens, cost, workflow },
    },
    (append) => copyRecords(root, id, place, conversationOf, append),
  );
}

/** What makes the requests, as it is. */
const SAID: ReadonlySet<SessionRecord["type"]> = new Set([
  "user",
  "assistant",
  "aborted",
  "actions",
]);

/** What a record says to the model, and of what the model has seen; nothing of what it did or took. */
function conversationOf(record: SessionRecord): RecordDraft | undefined {
  if (SAID.has(record.type)) return toDraft(record);
  if (record.type !== "tool_result") return undefined;
  const { outcome, seq: _seq, prev: _prev, ...said } = record;
  const seen = seenBy(outcome);
  return seen === undefined ? said : { ...said, outcome: { kind: "read", seen } };
}

function seenBy(outcome: CallOutcome | undefined) {
  return outcome?.kind === "read" || outcome?.kind === "change" ? outcome.seen : undefined;
}
