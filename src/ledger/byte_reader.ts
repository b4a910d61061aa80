/**
 * Reads the pieces of a line of JSON whose layout is known: fixed text, numbers, names, times.
 * Rule: each method moves on only when it returns true; what it read last is in `value`.
 */
import { dayNumber } from "./entry_view.ts";
import { hashStep, type NameTable } from "./names_table.ts";

/** How many bytes a session's id has. */
export const SESSION_BYTES = 20;
/** How many bytes an entry's id has. */
export const ID_BYTES = 36;
const INSTANT_BYTES = 24;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const DOT = 0x2e;
const ZERO = 0x30;
const LETTER_U = 0x75;
const ESCAPES = new Set(new TextEncoder().encode('"\\/bfnrtu'));
const HEX_DIGITS = new Set(new TextEncoder().encode("0123456789abcdefABCDEF"));
const NULL = literalOf("null");
/** Powers of ten that a double holds exactly: a cost has at most nine decimals. */
const POWERS = Array.from({ length: 10 }, (_, digits) => 10 ** digits);
/** So many decimal digits always fit in a double. */
const MOST_DIGITS = 15;

/** A text to compare with, as 32-bit little-endian words; the last word is its last four bytes. */
export interface Literal {
  length: number;
  words: Int32Array;
}

/** Prepares a text of at least four bytes. */
export function literalOf(text: string): Literal {
  const bytes = new TextEncoder().encode(text);
  const view = new DataView(bytes.buffer);
  const starts = Array.from(
    { length: Math.ceil(bytes.length / 4) },
    (_, index) => Math.min(index * 4, bytes.length - 4),
  );
  return { length: bytes.length, words: Int32Array.from(starts, (at) => view.getInt32(at, true)) };
}

function isHexDigit(byte: number): boolean {
  return (byte >= 0x30 && byte <= 0x39) || (byte >= 0x61 && byte <= 0x66);
}

/** A position in bytes and the value read last. */
export class ByteReader {
  protected bytes: Uint8Array = new Uint8Array();
  protected view: DataView = new DataView(new ArrayBuffer(0));
  protected at = 0;
  protected end = 0;
  /** The number, index or day that was read last. */
  protected value = 0;

  /** Starts at `from`. */
  protected start(bytes: Uint8Array, from: number): void {
    if (this.bytes !== bytes) {
      this.bytes = bytes;
      this.end = bytes.byteLength;
      this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    }
    this.at = from;
  }

  protected byte(byte: number): boolean {
    if (this.bytes[this.at] !== byte) return false;
    this.at++;
    return true;
  }

  /** Passes a text; four bytes are compared at a time, the last four perhaps again. */
  protected literal(text: Literal): boolean {
    const at = this.at;
    const length = text.length;
    if (at + length > this.end) return false;
    const view = this.view;
    const words = text.words;
    const last = words.length - 1;
    for (let index = 0; index < last; index++) {
      if (view.getInt32(at + index * 4, true) !== words[index]) return false;
    }
    if (view.getInt32(at + length - 4, true) !== words[last]) return false;
    this.at = at + length;
    return true;
  }

  /** Passes one of `names`, of which those before `from` do not count; the value is its index. */
  protected oneOf(names: readonly Literal[], from = 0): boolean {
    for (let index = from; index < names.length; index++) {
      const name = names[index];
      if (name === undefined || !this.literal(name)) continue;
      this.value = index;
      return true;
    }
    return false;
  }

  /** A whole number of up to 15 digits. */
  protected count(): boolean {
    const bytes = this.bytes;
    const start = this.at;
    let at = start;
    let value = 0;
    for (let digit = (bytes[at] ?? 0) - ZERO; digit >= 0 && digit <= 9;) {
      value = value * 10 + digit;
      digit = (bytes[++at] ?? 0) - ZERO;
    }
    const digits = at - start;
    if (digits === 0 || digits > MOST_DIGITS) return false;
    if (digits > 1 && bytes[start] === ZERO) return false;
    this.at = at;
    this.value = value;
    return true;
  }

  /** A number with at most nine decimals and 15 digits in all: one exact division gives the nearest double. */
  protected amount(): boolean {
    const start = this.at;
    if (!this.count()) return false;
    if (!this.byte(DOT)) return true;
    const whole = this.value;
    const wholeDigits = this.at - 1 - start;
    const bytes = this.bytes;
    let value = whole;
    let decimals = 0;
    for (let digit = (bytes[this.at] ?? 0) - ZERO; digit >= 0 && digit <= 9;) {
      value = value * 10 + digit;
      decimals++;
      digit = (bytes[++this.at] ?? 0) - ZERO;
    }
    const power = POWERS[decimals];
    if (decimals === 0 || power === undefined || wholeDigits + decimals > MOST_DIGITS) return false;
    this.value = value / power;
    return true;
  }

  /** `YYYYMMDD-HHMMSS-xxxx`. */
  protected sessionId(): boolean {
    const bytes = this.bytes;
    const at = this.at;
    for (let index = 0; index < SESSION_BYTES; index++) {
      const byte = bytes[at + index] ?? 0;
      const isDigit = byte >= 0x30 && byte <= 0x39;
      const fits = index === 8 || index === 15
        ? byte === 0x2d
        : isDigit || (index > 15 && byte >= 0x61 && byte <= 0x66);
      if (!fits) return false;
    }
    this.at = at + SESSION_BYTES;
    return true;
  }

  /** A UUID in lower case, as RFC 9562 has it: a version from 1 to 8 and its variant. */
  protected uuid(): boolean {
    const at = this.at;
    for (let index = 0; index < ID_BYTES; index++) {
      const isDash = index === 8 || index === 13 || index === 18 || index === 23;
      const byte = this.bytes[at + index] ?? 0;
      if (isDash ? byte !== 0x2d : !isHexDigit(byte)) return false;
    }
    const version = this.bytes[at + 14] ?? 0;
    const variant = this.bytes[at + 19] ?? 0;
    if (version < 0x31 || version > 0x38) return false;
    if (variant !== 0x38 && variant !== 0x39 && variant !== 0x61 && variant !== 0x62) return false;
    this.at = at + ID_BYTES;
    return true;
  }

  /** A full id of a commit: 40 or 64 digits. */
  protected commitId(): boolean {
    let end = this.at;
    while (isHexDigit(this.bytes[end] ?? 0)) end++;
    const length = end - this.at;
    if (length !== 40 && length !== 64) return false;
    this.at = end;
    return true;
  }

  /** `2026-11-29T23:12:05.000Z`; the value is its day. */
  protected instant(): boolean {
    const bytes = this.bytes;
    const at = this.at;
    if (bytes[at + 4] !== 0x2d || bytes[at + 7] !== 0x2d || bytes[at + 10] !== 0x54) return false;
    if (bytes[at + 13] !== 0x3a || bytes[at + 16] !== 0x3a || bytes[at + 19] !== DOT) return false;
    if (bytes[at + 23] !== 0x5a) return false;
    const century = this.twoDigits(at);
    const year = this.twoDigits(at + 2);
    const month = this.twoDigits(at + 5);
    const day = this.twoDigits(at + 8);
    if (century < 0 || year < 0 || month < 1 || month > 12 || day < 0 || day > 31) return false;
    const hour = this.twoDigits(at + 11);
    const minute = this.twoDigits(at + 14);
    const second = this.twoDigits(at + 17);
    if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 59) {
      return false;
    }
    const isDigit = (byte: number | undefined) =>
      byte !== undefined && byte >= 0x30 && byte <= 0x39;
    if (!isDigit(bytes[at + 20]) || !isDigit(bytes[at + 21]) || !isDigit(bytes[at + 22])) {
      return false;
    }
    this.value = dayNumber(century * 100 + year, month, day);
    this.at = at + INSTANT_BYTES;
    return true;
  }

  private twoDigits(at: number): number {
    const tens = (this.bytes[at] ?? 0) - ZERO;
    const ones = (this.bytes[at + 1] ?? 0) - ZERO;
    if (tens < 0 || tens > 9 || ones < 0 || ones > 9) return -1;
    return tens * 10 + ones;
  }

  /** A string after its opening quote, up to and with its closing one; an escape or a control character is declined. */
  protected name(table: NameTable): boolean {
    const bytes = this.bytes;
    const start = this.at;
    let hash = 0;
    let at = start;
    for (; at < this.end; at++) {
      const byte = bytes[at] ?? 0;
      if (byte === QUOTE) break;
      if (byte === BACKSLASH || byte < 0x20) return false;
      hash = hashStep(hash, byte);
    }
    if (at >= this.end) return false;
    this.value = table.idOfBytes(bytes, start, at, hash);
    if (this.value < 0) return false;
    this.at = at + 1;
    return true;
  }

  /** Passes a string after its opening quote. */
  protected skipText(): boolean {
    const bytes = this.bytes;
    for (let at = this.at; at < this.end; at++) {
      const byte = bytes[at] ?? 0;
      if (byte === QUOTE) {
        this.at = at + 1;
        return true;
      }
      if (byte < 0x20) return false;
      if (byte !== BACKSLASH) continue;
      const escaped = bytes[++at] ?? 0;
      if (!ESCAPES.has(escaped)) return false;
      if (escaped !== LETTER_U) continue;
      for (let digit = 1; digit <= 4; digit++) {
        if (!HEX_DIGITS.has(bytes[at + digit] ?? 0)) return false;
      }
      at += 4;
    }
    return false;
  }

  protected skipTextOrNull(): boolean {
    return this.byte(QUOTE) ? this.skipText() : this.literal(NULL);
  }
}
