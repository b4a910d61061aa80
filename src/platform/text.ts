/**
 * Text that comes from outside: capped, stripped of control sequences, masked.
 * Rule: pure functions from text to text, never splitting a code point.
 */
import { Buffer } from "node:buffer";

export { ControlSequenceStripper, stripControlSequences } from "./control_sequences.ts";

const encoder = new TextEncoder();

/** The number of bytes that `text` takes in UTF-8. */
export function utf8ByteLength(text: string): number {
  return Buffer.byteLength(text);
}

/** How many bytes are handed to a function as its arguments at once. */
const CHUNK_BYTES = 8_192;

/** One character a byte, so that a pattern sees every byte and an index into the text is one into the bytes. */
export function decodeLatin1(bytes: Uint8Array): string {
  let text = "";
  for (let start = 0; start < bytes.byteLength; start += CHUNK_BYTES) {
    const chunk = bytes.subarray(start, start + CHUNK_BYTES);
    text += Reflect.apply(String.fromCharCode, undefined, chunk);
  }
  return text;
}

/** What {@linkcode capText} gives: the text to keep and how many UTF-8 bytes of the original it leaves out. */
export interface CappedText {
  text: string;
  omittedBytes: number;
}

/**
 * Caps `text` at about `maxBytes` UTF-8 bytes: keeps its head (two thirds) and its tail (one third),
 * cut between code points, with a line between them that says how many bytes were left out.
 */
export function capText(text: string, maxBytes: number): CappedText {
  const bytes = encoder.encode(text);
  if (bytes.byteLength <= maxBytes) return { text, omittedBytes: 0 };
  const headEnd = codePointBoundary(bytes, Math.floor((maxBytes * 2) / 3));
  const tailStart = codePointBoundary(bytes, bytes.byteLength - Math.floor(maxBytes / 3));
  const omittedBytes = tailStart - headEnd;
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const head = decoder.decode(bytes.subarray(0, headEnd));
  const tail = decoder.decode(bytes.subarray(tailStart));
  return { text: `${head}\n[… ${omittedBytes} bytes left out …]\n${tail}`, omittedBytes };
}

/** The largest index at or before `index` at which no UTF-8 sequence of `bytes` is split. */
function codePointBoundary(bytes: Uint8Array, index: number): number {
  let boundary = index;
  while (boundary > 0 && ((bytes[boundary] ?? 0) & 0xc0) === 0x80) boundary--;
  return boundary;
}

/** What stands in place of a secret. */
export const MASK = "[masked]";

/** Replaces each of `secrets` (API keys in use; those under 8 characters are ignored) in `text` by {@linkcode MASK}. */
export function maskSecrets(text: string, secrets: readonly string[]): string {
  let masked = text;
  // The longest first: one key may be the beginning of another.
  for (const secret of secrets.toSorted((a, b) => b.length - a.length)) {
    if (secret.length >= 8) masked = masked.replaceAll(secret, MASK);
  }
  return masked;
}

// Made once: names of files are decoded by the ten thousand, and making a decoder costs more than its work.
const lossyDecoder = new TextDecoder("utf-8", { ignoreBOM: true });
const strictDecoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Decodes bytes of unknown origin as UTF-8; what is not UTF-8 becomes U+FFFD. A byte order mark is kept as data. */
export function decodeLossy(bytes: Uint8Array): string {
  return lossyDecoder.decode(bytes);
}

/** Decodes bytes that must be UTF-8; `undefined` when they are not. A byte order mark is kept as data. */
export function decodeStrict(bytes: Uint8Array): string | undefined {
  try {
    return strictDecoder.decode(bytes);
  } catch {
    return undefined;
  }
}

/** A number with its noun: `1 file`, `2 files`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
