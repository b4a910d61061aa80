/**
 * Reading a log from its first byte to its last, a line at a time, in flat memory.
 * Rule: every line is checked against its schema and the chain; the first that is wrong ends the reading.
 */
import { type ByteLine, readLines as readByteLines } from "../platform/byte_lines.ts";
import { messageOf } from "../platform/errors.ts";
import type { EncodedBaseline } from "./baseline.ts";
import { type Damage, SessionIo } from "./errors.ts";
import { type ChainPosition, decodeRecord, LineInvalid, linkTo, positionAfter } from "./line.ts";
import type { SessionRecord } from "./records.ts";
import { Sequence } from "./sequence.ts";

/** The lines of `file` from its present position. @throws {SessionIo} that names `path` */
export function readLines(file: Deno.FsFile, path: string): Generator<ByteLine> {
  return readByteLines({ readSync: (into) => readChunk(file, into, path) });
}

function readChunk(file: Deno.FsFile, chunk: Uint8Array, path: string): number | null {
  try {
    return file.readSync(chunk);
  } catch (error) {
    throw new SessionIo(path, `cannot read: ${messageOf(error)}`, { cause: error });
  }
}

/** What reading a log came to. */
export interface LogReading {
  /** Where the next record would go. */
  position: ChainPosition;
  /** The bytes of the good records. */
  goodBytes: number;
  /** Undefined when all of the file is good. */
  damage: Damage | undefined;
}

/** A record that was read, and how many bytes of the file end with it. */
export interface ReadRecord {
  record: SessionRecord;
  endBytes: number;
}

/** As {@linkcode recordsOf}, each record handed to `onRecord`. */
export function readLog(
  file: Deno.FsFile,
  path: string,
  start: Pick<EncodedBaseline, "bytes" | "baseline">,
  sequence: Sequence,
  onRecord: (record: SessionRecord, endBytes: number) => void,
): LogReading {
  const records = recordsOf(file, path, start, sequence);
  for (;;) {
    const next = records.next();
    if (next.done) return next.value;
    onRecord(next.value.record, next.value.endBytes);
  }
}

/**
 * Reads the log in `file` from the beginning and gives each good record, until the end or the first damage. Only one
 * line is held at a time.
 *
 * @param path what a {@linkcode Damage} names
 * @param start the epoch's baseline: the chain begins with its bytes, and the records are of its format
 * @param sequence checks the order of the records; it has seen what the baseline carries
 */
export function* recordsOf(
  file: Deno.FsFile,
  path: string,
  start: Pick<EncodedBaseline, "bytes" | "baseline">,
  sequence: Sequence,
): Generator<ReadRecord, LogReading> {
  let position: ChainPosition = {
    seq: 1,
    prev: linkTo(start.bytes),
    format: start.baseline.format,
  };
  let goodBytes = 0;
  const lines = readLines(file, path);
  const damaged = (why: string, isTail: boolean): LogReading => ({
    position,
    goodBytes,
    // Without a single record there is nothing that cutting could leave.
    damage: { path, line: position.seq, why, isTail: goodBytes > 0 && isTail, goodBytes },
  });
  for (const { bytes, isEnded } of lines) {
    if (!isEnded) return damaged(whyUnfinished(bytes), true);
    let record: SessionRecord;
    try {
      record = decodeRecord(bytes, position);
      sequence.apply(record);
    } catch (error) {
      if (!(error instanceof LineInvalid)) throw error;
      return damaged(error.message, error.isGarbled && isNothingButZeros(lines));
    }
    position = positionAfter(position, bytes, record);
    goodBytes += bytes.byteLength + 1;
    yield { record, endBytes: goodBytes };
  }
  if (position.seq > 1) return { position, goodBytes, damage: undefined };
  return damaged("the log is empty; its first record is lost", false);
}

function whyUnfinished(bytes: Uint8Array): string {
  const size = `${bytes.byteLength} bytes without a newline at the end`;
  if (bytes.every((byte) => byte === 0)) return `${size}, all NUL, as a power cut leaves them`;
  return `truncated tail: ${size}; this record was never acknowledged`;
}

function isNothingButZeros(lines: Iterable<ByteLine>): boolean {
  for (const { bytes } of lines) {
    if (!bytes.every((byte) => byte === 0)) return false;
  }
  return true;
}
