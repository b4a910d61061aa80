/**
 * An index of past work as the bytes of a file.
 * Rule: a file that is cut off, changed or of another format gives no index; it is then built again.
 */
import { indexPast, NumberLists, PastIndex, type PastIndexData, TextTable } from "./past_index.ts";

/** Of another format, a file is not read. */
const FORMAT = 1;

interface Header {
  format: number;
  /** What the state beside it names it by. */
  id: string;
  checksum: number;
  /** The bytes of each array, in the order of {@linkcode arraysOf}. */
  sizes: number[];
}

type Numbers = Uint8Array | Uint16Array | Uint32Array | Float64Array;

/** The arrays of an index, in the order in which they are written. */
function arraysOf(data: PastIndexData): Numbers[] {
  const texts = ({ bytes, offsets }: TextTable) => [bytes, offsets];
  const lists = ({ values, offsets }: NumberLists) => [values, offsets];
  return [
    ...texts(data.payloads),
    data.seconds,
    ...texts(data.words),
    data.goalLengths,
    data.pathLengths,
    ...lists(data.worksByGoalWord),
    ...lists(data.worksByPathWord),
    ...lists(data.filesByWord),
    ...texts(data.files),
    data.changes,
    data.lastChange,
    ...lists(data.filesByWork),
  ];
}

/** Writes an index. */
export function indexToBytes(index: PastIndex, id: string): Uint8Array {
  const arrays = arraysOf(index.data)
    .map(({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer, byteOffset, byteLength));
  const sizes = arrays.map(({ byteLength }) => byteLength);
  const body = new Uint8Array(sizes.reduce((sum, size) => sum + size, 0));
  let end = 0;
  for (const array of arrays) {
    body.set(array, end);
    end += array.byteLength;
  }
  const header: Header = { format: FORMAT, id, checksum: checksumOf(body), sizes };
  const head = new TextEncoder().encode(`${JSON.stringify(header)}\n`);
  const bytes = new Uint8Array(head.byteLength + body.byteLength);
  bytes.set(head);
  bytes.set(body, head.byteLength);
  return bytes;
}

/** Reads an index; `undefined` when it is not the one of this id, whole. */
export function indexFromBytes(bytes: Uint8Array, id: string): PastIndex | undefined {
  const newline = bytes.indexOf(10);
  const header: Header = JSON.parse(new TextDecoder().decode(bytes.subarray(0, newline)));
  const body = bytes.subarray(newline + 1);
  if (header.format !== FORMAT || header.id !== id) return undefined;
  if (checksumOf(body) !== header.checksum) return undefined;
  // Copies, because an array of numbers must begin at a multiple of its size.
  let at = 0;
  const buffers = header.sizes.map((size) => body.slice(at, at += size).buffer);
  const take = () => buffers.shift() ?? new ArrayBuffer();
  const texts = () => new TextTable(new Uint8Array(take()), new Uint32Array(take()));
  const lists = () => new NumberLists(new Uint32Array(take()), new Uint32Array(take()));
  return new PastIndex({
    payloads: texts(),
    seconds: new Float64Array(take()),
    words: texts(),
    goalLengths: new Uint16Array(take()),
    pathLengths: new Uint16Array(take()),
    worksByGoalWord: lists(),
    worksByPathWord: lists(),
    filesByWord: lists(),
    files: texts(),
    changes: new Uint32Array(take()),
    lastChange: new Uint32Array(take()),
    filesByWork: lists(),
  });
}

/** The pieces of work that an index was built of, oldest first; `goalOf` tells the goal from a payload. */
export function worksFromIndex(index: PastIndex, goalOf: (payload: string) => string) {
  return Array.from({ length: index.size }, (_, work) => {
    const payload = index.payload(work);
    return {
      payload,
      seconds: index.data.seconds[work] ?? 0,
      goal: goalOf(payload),
      files: index.filesOf(work),
    };
  });
}

/** An index of nothing. */
export const NO_PAST: PastIndex = indexPast([]);

/** FNV-1a over 32-bit words: it tells a cut or a changed file, and is over in milliseconds. */
function checksumOf(bytes: Uint8Array): number {
  const whole = bytes.byteLength - (bytes.byteLength % 4);
  const words = new Int32Array(bytes.slice(0, whole).buffer);
  let hash = 0x811c9dc5 ^ bytes.byteLength;
  for (let index = 0; index < words.length; index++) {
    hash = Math.imul(hash ^ (words[index] ?? 0), 0x01000193);
  }
  for (const byte of bytes.subarray(whole)) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash;
}
