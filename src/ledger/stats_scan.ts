/**
 * Folds a ledger into counts, from bytes.
 * Rule: reads in pieces of fixed size, takes no lock; a line that the scanner declines is parsed and checked in full.
 */
import { decodeStrict } from "../platform/text.ts";
import { EntryScanner } from "./entry_scanner.ts";
import { EntryView, viewEntry } from "./entry_view.ts";
import { LedgerDamaged } from "./errors.ts";
import type { LedgerFold } from "./ledger_fold.ts";
import type { ByteSource } from "../platform/byte_lines.ts";

/** How much is read at a time; a longer line makes the buffer grow. */
const BUFFER_BYTES = 1 << 20;

/** How far a fold has come in a file. */
export interface ScanPosition {
  /** Bytes of whole lines folded. */
  bytes: number;
  /** Lines folded. */
  lines: number;
}

/** A line that has to be parsed. */
interface DeclinedLine {
  number: number;
  bytes: Uint8Array;
}

/**
 * Folds the lines of `source`, which stands at `from`, into `fold`.
 *
 * @param path for messages
 * @returns where it got to, and whether an unfinished line follows there
 * @throws {LedgerDamaged} at the first line that is no entry
 */
export async function foldLines(
  source: ByteSource,
  path: string,
  fold: LedgerFold,
  from: ScanPosition = { bytes: 0, lines: 0 },
): Promise<ScanPosition & { isTorn: boolean }> {
  const scanner = new EntryScanner(fold.names);
  const view = new EntryView();
  let buffer = new Uint8Array(BUFFER_BYTES);
  let end = 0;
  let { bytes, lines } = from;
  for (;;) {
    const read = source.readSync(buffer.subarray(end));
    if (read === null) return { bytes, lines, isTorn: end > 0 };
    end += read;
    const declined: DeclinedLine[] = [];
    let start = 0;
    const filled = buffer.subarray(0, end);
    for (;;) {
      const taken = scanner.scan(filled, start, view);
      const newline = taken >= 0 ? taken : filled.indexOf(10, start);
      if (newline < 0) break;
      lines++;
      if (taken >= 0) fold.add(view);
      else declined.push({ number: lines, bytes: buffer.slice(start, newline) });
      start = newline + 1;
    }
    if (declined.length > 0) await foldDeclined(declined, path, fold, view);
    bytes += start;
    buffer.copyWithin(0, start, end);
    end -= start;
    if (end === buffer.byteLength) buffer = grown(buffer);
  }
}

function grown(buffer: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(buffer.byteLength * 2);
  larger.set(buffer);
  return larger;
}

async function foldDeclined(
  declined: readonly DeclinedLine[],
  path: string,
  fold: LedgerFold,
  view: EntryView,
): Promise<void> {
  // The schema takes a while to load, and most ledgers never need it here.
  const { decodeEntry } = await import("./entry.ts");
  for (const { number, bytes } of declined) {
    const text = decodeStrict(bytes);
    const decoded = text === undefined ? { why: "not UTF-8 text" } : decodeEntry(text);
    if ("why" in decoded) throw new LedgerDamaged(path, number, decoded.why);
    viewEntry(decoded.entry, fold.names, view);
    fold.add(view);
  }
}
