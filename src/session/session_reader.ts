/**
 * Reading sessions without a lock: for list, show, search, export and statistics.
 * Rule: a reader never waits, and takes an unfinished last line for a record in progress while a writer is there.
 */
import { join } from "@std/path";
import { messageOf } from "../platform/errors.ts";
import { refuseSymlinks } from "../platform/files.ts";
import { tryLock } from "../platform/lock.ts";
import type { Baseline } from "./baseline.ts";
import { SessionIo, SessionTorn } from "./errors.ts";
import { listEpochs, logPath } from "./layout.ts";
import { type LogReading, type ReadRecord, recordsOf } from "./log_reader.ts";
import type { SessionRecord } from "./records.ts";
import { Sequence, type Totals } from "./sequence.ts";
import { readBaseline } from "./epoch_files.ts";
import { isTakenOver } from "./taken_over.ts";

/** What reading an epoch gave. */
export interface EpochReading extends LogReading {
  baseline: Baseline;
  /** Of the whole conversation up to the end of this epoch. */
  totals: Readonly<Totals>;
}

/**
 * Reads one epoch and gives each of its good records to `onRecord`, with the number of bytes that
 * end with it. Damage is part of the result.
 *
 * @throws {BaselineInvalid} {@linkcode SessionIo}
 */
export function scanEpoch(
  root: string,
  id: string,
  epoch: number,
  onRecord: (record: SessionRecord, endBytes: number) => void,
): EpochReading {
  const ended: { reading?: EpochReading } = {};
  const records = function* () {
    ended.reading = yield* recordsOfEpoch(root, id, epoch);
  };
  // The loop ends the reading, and closes its file, whatever ends the loop.
  for (const { record, endBytes } of records()) onRecord(record, endBytes);
  if (ended.reading === undefined) {
    throw new SessionIo(logPath(id, epoch), "was not read to its end");
  }
  return ended.reading;
}

/**
 * As {@linkcode scanEpoch}, one record at a time, for whoever must not hold up others meanwhile. The file is closed when
 * the reading ends or is given up.
 */
export function* recordsOfEpoch(
  root: string,
  id: string,
  epoch: number,
): Generator<ReadRecord, EpochReading> {
  const path = logPath(id, epoch);
  const encoded = readBaseline(root, id, epoch);
  const { baseline, hash } = encoded;
  const sequence = new Sequence(baseline, hash);
  const file = openToRead(root, path);
  try {
    const reading = yield* recordsOf(file, path, encoded, sequence);
    return { ...reading, baseline, totals: sequence.totals };
  } finally {
    file.close();
  }
}

/** As {@linkcode scanEpoch}, but an unfinished end that a writer is working on is not damage. */
export async function readEpoch(
  root: string,
  id: string,
  epoch: number,
  onRecord: (record: SessionRecord, endBytes: number) => void,
): Promise<EpochReading> {
  const reading = scanEpoch(root, id, epoch, onRecord);
  const isInProgress = reading.damage?.isTail === true && await hasWriter(root, logPath(id, epoch));
  return isInProgress ? { ...reading, damage: undefined } : reading;
}

/**
 * Reads all epochs of a session, oldest first. What an epoch took over from an earlier one is given once, where it
 * stood first.
 *
 * @returns the reading of the newest epoch
 * @throws {SessionTorn} at the first damage {@linkcode SessionNotFound} {@linkcode BaselineInvalid}
 */
export async function readSession(
  root: string,
  id: string,
  onRecord: (record: SessionRecord, baseline: Baseline) => void,
): Promise<EpochReading> {
  let newest: EpochReading | undefined;
  for (const epoch of listEpochs(root, id)) {
    const { baseline } = readBaseline(root, id, epoch);
    newest = await readEpoch(root, id, epoch, (record) => {
      if (!isTakenOver(record, baseline)) onRecord(record, baseline);
    });
    if (newest.damage !== undefined) throw new SessionTorn(id, newest.damage);
  }
  if (newest === undefined) throw new SessionIo(logPath(id, 0), "vanished while it was read");
  return newest;
}

/** Whether a process has this log open for writing. */
export async function hasWriter(root: string, path: string): Promise<boolean> {
  const file = openToRead(root, path);
  const isFree = await tryLock(file, { shared: true, waitMs: 50 });
  if (isFree) file.close();
  return !isFree;
}

/**
 * Opens a file of a session's, `path` being relative to the root.
 *
 * @throws {FileError} when it is a link or a named pipe, or on the way to it is one
 * @throws {SessionIo} when it cannot be opened
 */
export function openToRead(root: string, path: string): Deno.FsFile {
  refuseSymlinks(root, path);
  try {
    return Deno.openSync(join(root, path));
  } catch (error) {
    throw new SessionIo(path, `cannot read: ${messageOf(error)}`, { cause: error });
  }
}
