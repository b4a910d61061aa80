/**
 * The lines of a file as bytes, whatever the file's size.
 * Rule: a line ends at `\n` and nowhere else; what follows the last `\n` is handed out as unfinished.
 */
/** A line: valid until the next one is asked for (the bytes are a view of the reader's buffer). */
export interface ByteLine {
  /** The line's number, from 1. */
  number: number;
  /** Without the newline. */
  bytes: Uint8Array;
  /** Whether a newline ends it. */
  isEnded: boolean;
}

/** How much is read at a time. */
const CHUNK_BYTES = 1 << 18;

/** What can be read piece by piece: an open file, standard input. */
export interface ByteSource {
  readSync(into: Uint8Array): number | null;
}

/** The lines of `source` from its position on. A line longer than the buffer makes the buffer grow. */
export function* readLines(source: ByteSource): Generator<ByteLine> {
  let buffer = new Uint8Array(CHUNK_BYTES);
  let start = 0;
  let end = 0;
  let number = 0;
  for (;;) {
    let searchFrom = start;
    for (let newline = newlineIn(buffer, searchFrom, end); newline >= 0;) {
      yield { number: ++number, bytes: buffer.subarray(start, newline), isEnded: true };
      start = searchFrom = newline + 1;
      newline = newlineIn(buffer, searchFrom, end);
    }
    if (start > 0) buffer.copyWithin(0, start, end);
    end -= start;
    start = 0;
    if (end === buffer.byteLength) buffer = grown(buffer);
    const read = source.readSync(buffer.subarray(end));
    if (read === null) break;
    end += read;
  }
  if (end > 0) yield { number: ++number, bytes: buffer.subarray(0, end), isEnded: false };
}

function newlineIn(buffer: Uint8Array, from: number, end: number): number {
  const index = buffer.subarray(from, end).indexOf(10);
  return index < 0 ? -1 : from + index;
}

function grown(buffer: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(buffer.byteLength * 2);
  larger.set(buffer);
  return larger;
}
