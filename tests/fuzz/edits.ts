/**
 * Edits of text, as storage, people and programs make them: bytes changed, pieces lost, doubled, moved, put in.
 * Rule: plain data, so that a failing input can be made smaller and kept as a seed.
 */
import fc from "fast-check";

/** Where in a text, in millionths of its length, so that it fits any text; then on to the begin or end of a line. */
interface Place {
  at: number;
  snap: "no" | "behind newline" | "before newline";
}

/** One edit. */
type TextEdit =
  | { kind: "insert"; place: Place; text: string }
  | { kind: "delete"; place: Place; length: number }
  | { kind: "double"; place: Place; length: number }
  | { kind: "move"; place: Place; length: number; to: Place }
  | { kind: "cut"; place: Place }
  | { kind: "flip"; place: Place; bit: number };

const place: fc.Arbitrary<Place> = fc.record({
  at: fc.nat(1_000_000),
  snap: fc.constantFrom("no", "no", "behind newline", "before newline"),
});
/** Negative: a whole line. */
const length = fc.oneof(fc.constant(-1), fc.nat(3), fc.nat(40), fc.nat(2_000));

/** A few edits; `words` are put in more often than anything else. */
export function editsWith(words: readonly string[]): fc.Arbitrary<TextEdit[]> {
  const text = fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom(...words) },
    { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 6 }) },
    { weight: 1, arbitrary: fc.nat(3_000).map((count) => "x".repeat(count)) },
  );
  const edit: fc.Arbitrary<TextEdit> = fc.oneof(
    { weight: 4, arbitrary: fc.record({ kind: fc.constant("insert" as const), place, text }) },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant("delete" as const), place, length }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant("double" as const), place, length }) },
    {
      weight: 2,
      arbitrary: fc.record({ kind: fc.constant("move" as const), place, length, to: place }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("cut" as const), place }) },
    {
      weight: 3,
      arbitrary: fc.record({ kind: fc.constant("flip" as const), place, bit: fc.nat(7) }),
    },
  );
  return fc.array(edit, { maxLength: 6 });
}

/** The bytes after all of `edits`. */
export function edited(bytes: Uint8Array, edits: readonly TextEdit[]): Uint8Array {
  return edits.reduce(afterEdit, bytes);
}

function afterEdit(bytes: Uint8Array, edit: TextEdit): Uint8Array {
  const start = offsetOf(bytes, edit.place);
  switch (edit.kind) {
    case "insert":
      return joined(bytes.subarray(0, start), encoder.encode(edit.text), bytes.subarray(start));
    case "delete":
      return joined(bytes.subarray(0, start), bytes.subarray(endOf(bytes, start, edit.length)));
    case "double":
      return joined(bytes.subarray(0, endOf(bytes, start, edit.length)), bytes.subarray(start));
    case "move": {
      const end = endOf(bytes, start, edit.length);
      const rest = joined(bytes.subarray(0, start), bytes.subarray(end));
      const to = offsetOf(rest, edit.to);
      return joined(rest.subarray(0, to), bytes.subarray(start, end), rest.subarray(to));
    }
    case "cut":
      return bytes.slice(0, start);
    case "flip": {
      const flipped = bytes.slice();
      flipped[start] = (flipped[start] ?? 0) ^ (1 << edit.bit);
      return flipped;
    }
  }
}

const NEWLINE = 0x0a;

function offsetOf(bytes: Uint8Array, { at, snap }: Place): number {
  const offset = Math.floor(at * bytes.length / 1_000_000);
  if (snap === "no") return offset;
  const newline = bytes.indexOf(NEWLINE, offset);
  if (newline === -1) return bytes.length;
  return snap === "before newline" ? newline : newline + 1;
}

/** Behind `length` bytes from `start` on; behind the line that begins there, when it is negative. */
function endOf(bytes: Uint8Array, start: number, length: number): number {
  if (length >= 0) return Math.min(start + length, bytes.length);
  const newline = bytes.indexOf(NEWLINE, start);
  return newline === -1 ? bytes.length : newline + 1;
}

const encoder = new TextEncoder();

function joined(...parts: Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let offset = 0;
  for (const part of parts) {
    bytes.set(part, offset);
    offset += part.length;
  }
  return bytes;
}
