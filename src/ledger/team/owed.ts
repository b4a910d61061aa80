/**
 * Which entries of the project's ledger a team's ledger has not been told of.
 * Rule: how far it was told is only a mark in the cache; where the ledger's beginning is not what it was, or in
 * any doubt, everything is owed again: telling twice changes nothing. Read is only what is behind the mark.
 */
import { join } from "@std/path";
import { refuseSymlinks } from "../../platform/files.ts";
import { keepInCache } from "../cache_folder.ts";
import type { LedgerEntry } from "../entry.ts";
import { entryOfLine } from "../ledger.ts";
import { readLines } from "../../platform/byte_lines.ts";
import { withFileIfExists } from "../existing_file.ts";
import { LEDGER_PATH } from "../paths.ts";
import { sampleHash } from "../sample_hash.ts";

const MARK_PATH = "planning/.cache/team-told.json";

/** How far a server was told. */
interface Mark {
  /** The server's address, as it may be shown. */
  server: string;
  bytes: number;
  lines: number;
  /** See {@linkcode sampleHash}. */
  sample: string;
}

/** The next entries that are owed, oldest first. */
export interface OwedPart {
  entries: LedgerEntry[];
  /** Stands behind the last of them. */
  mark: Mark;
  /** Whether more are owed behind it. */
  isMore: boolean;
}

/** So many entries are told of at once. */
export const OWED_PART = 500;

/**
 * The entries that `server` was not told of, at most {@linkcode OWED_PART}.
 *
 * @param told how far it was told; by default what is remembered of that
 * @throws {LedgerDamaged} when one of them is damaged
 */
export function owedPart(root: string, server: string, told = readMark(root, server)): OwedPart {
  refuseSymlinks(root, LEDGER_PATH);
  const nothing = { entries: [], mark: told, isMore: false };
  return withFileIfExists(join(root, LEDGER_PATH), (file) => {
    const isSame = file.statSync().size >= told.bytes &&
      told.sample === sampleHash(file, told.bytes);
    const mark = isSame ? { ...told } : { ...told, bytes: 0, lines: 0 };
    file.seekSync(mark.bytes, Deno.SeekMode.Start);
    const start = mark.lines;
    const entries: LedgerEntry[] = [];
    let isMore = false;
    for (const line of readLines(file)) {
      // Somebody is still writing it, or it is damage that the next append names.
      if (!line.isEnded) break;
      isMore = entries.length === OWED_PART;
      if (isMore) break;
      entries.push(entryOfLine({ ...line, number: start + line.number }, LEDGER_PATH));
      mark.bytes += line.bytes.byteLength + 1;
      mark.lines++;
    }
    return { entries, mark: { ...mark, sample: sampleHash(file, mark.bytes) }, isMore };
  }) ?? nothing;
}

/** Remembers that the server was told of everything up to the end of a part. */
export function setMark(root: string, { mark }: OwedPart): void {
  keepInCache(root, MARK_PATH, JSON.stringify(mark));
}

function readMark(root: string, server: string): Mark {
  const nothing = { server, bytes: 0, lines: 0, sample: "" };
  try {
    refuseSymlinks(root, MARK_PATH);
    const mark: Mark = JSON.parse(Deno.readTextFileSync(join(root, MARK_PATH)));
    const isMark = mark.server === server && Number.isSafeInteger(mark.bytes) &&
      Number.isSafeInteger(mark.lines);
    return isMark ? mark : nothing;
  } catch {
    // Missing, or of another shape: everything is owed.
    return nothing;
  }
}
