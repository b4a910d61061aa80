/**
 * A set of 64-bit hashes of entry keys, small enough for millions of them.
 * Rule: it answers "was this key there before"; with n keys it errs with a probability of about n² / 2⁶⁵.
 */

/** A hash of an entry's key, in two halves; signed 32-bit integers. */
export interface KeyHash {
  high: number;
  low: number;
}

/** Open addressing with linear probing; the key (0, 0) stands for an empty slot and is stored as (0, 1). */
export class KeySet {
  #slots: Int32Array<ArrayBuffer>;
  #mask: number;
  #size = 0;

  /** @param slots what {@linkcode KeySet.slots} gave, to go on from there */
  constructor(slots: Int32Array<ArrayBuffer> = new Int32Array(2048), size = 0) {
    this.#slots = slots;
    this.#mask = slots.length / 2 - 1;
    this.#size = size;
  }

  /** How many keys are in it. */
  get size(): number {
    return this.#size;
  }

  /** The table itself, for a cache. */
  get slots(): Int32Array<ArrayBuffer> {
    return this.#slots;
  }

  /** Adds a key; false when it was there. */
  add(high: number, low: number): boolean {
    if (this.#size * 10 > this.#mask * 6) this.#grow();
    const slot = this.#find(high, low);
    if (this.#slots[slot] !== 0 || this.#slots[slot + 1] !== 0) return false;
    this.#slots[slot] = high;
    this.#slots[slot + 1] = high === 0 && low === 0 ? 1 : low;
    this.#size++;
    return true;
  }

  /** Whether the key is in it. */
  has(high: number, low: number): boolean {
    const slot = this.#find(high, low);
    return this.#slots[slot] !== 0 || this.#slots[slot + 1] !== 0;
  }

  /** The slot of the key, or the empty one where it belongs. */
  #find(high: number, low: number): number {
    const stored = high === 0 && low === 0 ? 1 : low;
    const slots = this.#slots;
    for (let index = stored & this.#mask;; index = (index + 1) & this.#mask) {
      const slot = index * 2;
      const found = slots[slot];
      if (found === high && slots[slot + 1] === stored) return slot;
      if (found === 0 && slots[slot + 1] === 0) return slot;
    }
  }

  #grow(): void {
    const old = this.#slots;
    this.#slots = new Int32Array(old.length * 2);
    this.#mask = this.#slots.length / 2 - 1;
    for (let slot = 0; slot < old.length; slot += 2) {
      const high = old[slot] ?? 0;
      const low = old[slot + 1] ?? 0;
      if (high === 0 && low === 0) continue;
      const free = this.#find(high, low);
      this.#slots[free] = high;
      this.#slots[free + 1] = low;
    }
  }
}

/**
 * The hash of a session's id, read from `bytes` at `from` on, together with an attempt. Two
 * multiplicative hashes with different constants, each finished as MurmurHash3 finishes.
 */
export function hashKey(
  bytes: Uint8Array,
  from: number,
  length: number,
  attempt: number,
  into: KeyHash,
): void {
  let high = Math.imul(attempt, 0x9e3779b1);
  let low = Math.imul(attempt, 0x85ebca6b) ^ 0x5bd1e995;
  for (let index = from; index < from + length; index++) {
    const byte = bytes[index] ?? 0;
    high = Math.imul(high ^ byte, 0x01000193);
    low = Math.imul(low + byte, 0x2c1b3c6d) ^ (low >>> 15);
  }
  into.high = finished(high ^ (low >>> 7));
  into.low = finished(low ^ Math.imul(high, 0x27d4eb2f));
}

function finished(hash: number): number {
  let mixed = hash ^ (hash >>> 16);
  mixed = Math.imul(mixed, 0x85ebca6b);
  mixed ^= mixed >>> 13;
  mixed = Math.imul(mixed, 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}
