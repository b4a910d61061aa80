/**
 * An index file of git's, read: what each path holds, and how large it was in the tree.
 * Rule: reading only; only git writes one. The format is gitformat-index(5), versions 2 to 4.
 */
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { DamagedData } from "../../platform/errors.ts";
import { decodeLatin1 } from "../../platform/text.ts";
import { type GitPath, gitPath } from "../path.ts";

/** A path's bytes, one character a byte: equal and different as the bytes are, and quick to look up. */
export type ByteName = string;

/** A path of its bytes. */
export function pathOf(name: ByteName): GitPath {
  return gitPath(new Uint8Array(Buffer.from(name, "latin1")));
}

/** What an index holds at a path. */
export class IndexEntry {
  /** 100644, 100755, 120000, 160000 (a submodule), 040000 (a folder outside of a sparse checkout). */
  readonly mode: string;
  /** The size in the tree when it was read, modulo 2^32; 0 where the entry was never compared with the tree. */
  readonly sizeBytes: number;
  /** The bytes of the id, one character each: few of very many entries are asked for more than whether they are equal. */
  readonly #id: string;

  constructor(mode: string, id: string, sizeBytes: number) {
    this.mode = mode;
    this.sizeBytes = sizeBytes;
    this.#id = id;
  }

  /** The id of the content as git stores it: what a commit would have. */
  get blob(): string {
    return Buffer.from(this.#id, "latin1").toString("hex");
  }

  /** Whether git takes both for the same. */
  isLike(other: IndexEntry): boolean {
    return this.mode === other.mode && this.#id === other.#id;
  }
}

/** Where the fields of an entry stand. Before the mode: two times, device and inode; after it: user and group. */
const MODE = 24;
const SIZE = 36;
const ID = 40;

const HAS_MORE_FLAGS = 0x4000;
const STAGE = 0x3000;

/**
 * Reads an index. Entries in conflict (stages 1 to 3) are left out.
 *
 * @param idBytes 20 for SHA-1, 32 for SHA-256
 * @throws {DamagedData} when it is none that is understood
 */
export function parseIndex(file: Uint8Array, idBytes: number): Map<ByteName, IndexEntry> {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  // Decoded at once: there are many entries, and each call would cost more than its work.
  const text = decodeLatin1(file);
  const entries = new Map<ByteName, IndexEntry>();
  const version = file.byteLength < 12 ? 0 : view.getUint32(4);
  if (!text.startsWith("DIRC") || version < 2 || version > 4) {
    throw new DamagedData("the index is none of versions 2 to 4");
  }
  let at = 12;
  let name = "";
  for (let left = view.getUint32(8); left > 0; left--) {
    if (at + ID + idBytes + 2 > file.byteLength) throw new DamagedData("the index is cut off");
    const flags = view.getUint16(at + ID + idBytes);
    let nameAt = at + ID + idBytes + ((flags & HAS_MORE_FLAGS) === 0 ? 2 : 4);
    if (version === 4) {
      const shared = readOffset(file, nameAt);
      name = name.slice(0, name.length - shared.value);
      nameAt = shared.end;
    }
    const end = file.indexOf(0, nameAt);
    if (end === -1) throw new DamagedData("the index is cut off");
    name = version === 4 ? name + text.slice(nameAt, end) : text.slice(nameAt, end);
    if ((flags & STAGE) === 0) {
      const mode = modeName(view.getUint32(at + MODE));
      const id = text.slice(at + ID, at + ID + idBytes);
      entries.set(name, new IndexEntry(mode, id, view.getUint32(at + SIZE)));
    }
    // Up to version 3 an entry is filled up with NULs, at least one, to a multiple of eight bytes.
    at = version === 4 ? end + 1 : at + ((end - at + 8) & ~7);
  }
  return entries;
}

function modeName(mode: number): string {
  return mode === 0o100644 ? "100644" : mode.toString(8).padStart(6, "0");
}

/** Whether an index ends in the checksum of what is before it, or in the zeros that stand for none. */
export function isIndexWhole(file: Uint8Array, idBytes: number): boolean {
  if (file.byteLength < 12 + idBytes) return false;
  const end = file.byteLength - idBytes;
  const stated = Buffer.from(file.subarray(end)).toString("hex");
  const hash = createHash(idBytes === 32 ? "sha256" : "sha1").update(file.subarray(0, end));
  return /^0+$/.test(stated) || stated === hash.digest("hex");
}

/** The number of bytes to cut from the name before, in the encoding of a pack's offsets. */
function readOffset(bytes: Uint8Array, start: number): { value: number; end: number } {
  let end = start;
  let byte = bytes[end++] ?? 0;
  let value = byte & 0x7f;
  while ((byte & 0x80) !== 0) {
    byte = bytes[end++] ?? 0;
    value = (value + 1) * 128 + (byte & 0x7f);
  }
  return { value, end };
}
