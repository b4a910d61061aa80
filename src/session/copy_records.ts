/**
 * Copying records from one log into another.
 * Rule: the log that is copied is only read, nothing of it is held in memory, and a copy keeps its time.
 */
import type { RecordDraft, SessionRecord } from "./records.ts";
import { scanEpoch } from "./session_reader.ts";

/** How many records are copied with one write. */
const BATCH = 256;

/** Where a log is copied up to: the last record that is. */
export interface CopySource {
  epoch: number;
  seq: number;
}

/**
 * Hands the records of an epoch to `append`, as far as `pick` makes something of them.
 *
 * @param pick gives what is copied for a record; undefined for one that is left out
 */
export function copyRecords(
  root: string,
  id: string,
  { epoch, seq: lastSeq }: CopySource,
  pick: (record: SessionRecord) => RecordDraft | undefined,
  append: (drafts: readonly RecordDraft[]) => void,
): void {
  let batch: RecordDraft[] = [];
  scanEpoch(root, id, epoch, (record) => {
    if (record.seq > lastSeq) return;
    const draft = pick(record);
    if (draft !== undefined) batch.push(draft);
    if (batch.length < BATCH && record.seq < lastSeq) return;
    if (batch.length > 0) append(batch);
    batch = [];
  });
}

/** A record without the place it has in its log. */
export function toDraft(record: SessionRecord): RecordDraft {
  const { seq: _seq, prev: _prev, ...draft } = record;
  return draft;
}
