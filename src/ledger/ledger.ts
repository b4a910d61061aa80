/**
 * planning/ledger.jsonl: one line a finished session, only ever appended to.
 * Rule: an entry is on disk (written whole, then synced) before it is reported as appended; readers take no lock.
 */
import { dirname, join } from "@std/path";
import { sha256Hex } from "../platform/canonical_json.ts";
import {
  ensureDirectory,
  naming,
  refuseSymlinks,
  syncDirectory,
  writeAllSync,
} from "../platform/files.ts";
import { decodeStrict } from "../platform/text.ts";
import { decodeEntry, encodeEntry, entryKey, type LedgerEntry } from "./entry.ts";
import { LedgerDamaged, tornLineAdvice } from "./errors.ts";
import { type ByteLine, readLines } from "../platform/byte_lines.ts";
import { withFileIfExists } from "./existing_file.ts";
import { isBeingWritten, refuseUnlessBeingWritten, withLockedFile } from "./locked_file.ts";
import { LEDGER_PATH } from "./paths.ts";

/**
 * Appends an entry to the project's ledger, unless its key is there already.
 *
 * @param root the project's folder
 * @returns whether the entry was appended; false: one with this key was there
 * @throws {LedgerDamaged} when the last line is unfinished, or a line is in the way that is no entry
 * @throws {FileInUse} when another process holds the lock
 * @throws {FileError} when it cannot be written; what had been written of it is taken back
 */
export async function appendEntry(root: string, entry: LedgerEntry): Promise<boolean> {
  const line = new TextEncoder().encode(`${encodeEntry(entry)}\n`);
  refuseSymlinks(root, LEDGER_PATH);
  const path = join(root, LEDGER_PATH);
  ensureDirectory(dirname(path));
  return await withLockedFile(path, (file) => {
    if (holdsKey(file, entry)) return false;
    naming(path, "append to", () => appendBytes(file, line));
    syncDirectory(dirname(path));
    return true;
  });
}

/** Whether the ledger has an entry with this key. Lines as m31a writes them are told by their first bytes. */
function holdsKey(
  file: Deno.FsFile,
  key: Pick<LedgerEntry, "id" | "session" | "attempt">,
): boolean {
  const encoder = new TextEncoder();
  const starts = ['{"version":1,"session":"', '{"version":2,"id":"'].map((text) =>
    encoder.encode(text)
  );
  const wanted = encoder.encode(
    key.id === null ? `${key.session}","attempt":${key.attempt},` : `${key.id}"`,
  );
  for (const line of readLines(file)) {
    if (!line.isEnded) {
      throw new LedgerDamaged(LEDGER_PATH, line.number, tornLineAdvice(LEDGER_PATH));
    }
    const start = starts.find((known) => startsWith(line.bytes, known, 0));
    if (start !== undefined) {
      if (startsWith(line.bytes, wanted, start.byteLength)) return true;
      continue;
    }
    if (entryKey(entryOfLine(line, LEDGER_PATH)) === entryKey(key)) return true;
  }
  return false;
}

function startsWith(bytes: Uint8Array, part: Uint8Array, from: number): boolean {
  for (let index = 0; index < part.byteLength; index++) {
    if (bytes[from + index] !== part[index]) return false;
  }
  return true;
}

/** Appends under the lock. When it fails half-way the file is cut back to what it was: the half is ours alone. */
function appendBytes(file: Deno.FsFile, bytes: Uint8Array): void {
  const sizeBytes = file.seekSync(0, Deno.SeekMode.End);
  try {
    writeAllSync(file, bytes);
    file.syncDataSync();
  } catch (error) {
    try {
      file.truncateSync(sizeBytes);
    } catch {
      // The disk takes nothing any more. The half line is then refused, by its number, at the next append.
    }
    throw error;
  }
}

/** An entry and where it stands. */
export interface LocatedEntry {
  entry: LedgerEntry;
  /** The line's number, from 1. */
  line: number;
}

/**
 * All entries of a ledger in file order, each key once. No file: no entries.
 *
 * @throws {LedgerDamaged} at the first line that is no entry; an unfinished last line is left out while a process is writing it
 */
export async function readLedger(path: string): Promise<LocatedEntry[]> {
  const keys = new Set<string>();
  const entries: LocatedEntry[] = [];
  const torn = withFileIfExists(path, (file) => {
    for (const line of readLines(file)) {
      if (!line.isEnded) return line.number;
      const entry = entryOfLine(line, path);
      if (keys.has(entryKey(entry))) continue;
      keys.add(entryKey(entry));
      entries.push({ entry, line: line.number });
    }
    return undefined;
  });
  if (torn !== undefined) await refuseUnlessBeingWritten(path, torn);
  return entries;
}

/** @throws {LedgerDamaged} when the line is no entry */
export function entryOfLine(line: Pick<ByteLine, "bytes" | "number">, path: string): LedgerEntry {
  const decoded = decodeBytes(line.bytes);
  if ("why" in decoded) throw new LedgerDamaged(path, line.number, decoded.why);
  return decoded.entry;
}

function decodeBytes(bytes: Uint8Array): ReturnType<typeof decodeEntry> {
  const text = decodeStrict(bytes);
  if (text === undefined) return { why: "not UTF-8 text" };
  return decodeEntry(text);
}

/** What {@linkcode verifyLedger} finds. */
export interface LedgerVerdict {
  /** Entries that count: each key once. */
  entries: number;
  /** Lines whose key had come before; they do not count and do no harm. */
  duplicates: number;
  /** What is wrong, in file order. */
  findings: { line: number; why: string }[];
}

/** Checks every line of a ledger against the whole schema and goes on past damage. */
export async function verifyLedger(path: string): Promise<LedgerVerdict> {
  const verdict: LedgerVerdict = { entries: 0, duplicates: 0, findings: [] };
  const seen = new Map<string, SeenLine>();
  const torn = withFileIfExists(path, (file) => {
    for (const line of readLines(file)) {
      if (!line.isEnded) return line.number;
      verifyLine(line, seen, verdict);
    }
    return undefined;
  });
  if (torn !== undefined && !await isBeingWritten(path)) {
    verdict.findings.push({ line: torn, why: tornLineAdvice(path) });
  }
  return verdict;
}

/** A line that counts: its number and the hash of its canonical text. */
interface SeenLine {
  line: number;
  hash: string;
}

function verifyLine(
  line: ByteLine,
  seen: Map<string, SeenLine>,
  verdict: LedgerVerdict,
): void {
  const decoded = decodeBytes(line.bytes);
  if ("why" in decoded) {
    verdict.findings.push({ line: line.number, why: decoded.why });
    return;
  }
  const key = entryKey(decoded.entry);
  const hash = sha256Hex(encodeEntry(decoded.entry));
  const earlier = seen.get(key);
  if (earlier === undefined) {
    seen.set(key, { line: line.number, hash });
    verdict.entries++;
    return;
  }
  verdict.duplicates++;
  if (earlier.hash === hash) return;
  verdict.findings.push({
    line: line.number,
    why: `says something else about session ${decoded.entry.session}, attempt ` +
      `${decoded.entry.attempt}, than line ${earlier.line}, which counts. Remove one of the two`,
  });
}
