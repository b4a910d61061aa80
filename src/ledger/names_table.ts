/**
 * Names (models, projects, extensions) as small numbers.
 * Rule: equal names have equal numbers, be they read as text or as bytes.
 */

import { decodeStrict } from "../platform/text.ts";

interface KnownBytes {
  bytes: Uint8Array;
  id: number;
}

/** A table of names that grows. */
export class NameTable {
  readonly names: string[] = [];
  readonly #ids = new Map<string, number>();
  readonly #byHash = new Map<number, KnownBytes>();

  /** @param names in the order of their numbers */
  constructor(names: readonly string[] = []) {
    for (const name of names) this.idOf(name);
  }

  /** The number of a name. */
  idOf(name: string): number {
    const known = this.#ids.get(name);
    if (known !== undefined) return known;
    this.#ids.set(name, this.names.length);
    this.names.push(name);
    return this.names.length - 1;
  }

  /** The number of a name that is written in `bytes` in plain UTF-8; `hash` is {@linkcode hashStep}'s over them. -1: not UTF-8. */
  idOfBytes(bytes: Uint8Array, from: number, to: number, hash: number): number {
    const known = this.#byHash.get(hash);
    if (known !== undefined && isEqual(known.bytes, bytes, from, to)) return known.id;
    const own = bytes.slice(from, to);
    const name = decodeStrict(own);
    if (name === undefined) return -1;
    const id = this.idOf(name);
    if (known === undefined) this.#byHash.set(hash, { bytes: own, id });
    return id;
  }
}

/** One step of the hash of {@linkcode NameTable.idOfBytes}; it starts at 0. */
export function hashStep(hash: number, byte: number): number {
  return Math.imul(hash ^ byte, 0x01000193);
}

function isEqual(known: Uint8Array, bytes: Uint8Array, from: number, to: number): boolean {
  if (known.length !== to - from) return false;
  for (let index = 0; index < known.length; index++) {
    if (known[index] !== bytes[from + index]) return false;
  }
  return true;
}
