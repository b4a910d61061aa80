/**
 * Which entries of the project's ledger a team's ledger has not been told of.
 * Rule: how far it was told is only a mark in the cache; where the ledger's beginning is not what it was, or in
 * any doubt, everything is owed again: telling twice changes nothing.
 */
import { createHash, type Hash } from "node:crypto";
import { join } from "@std/path";
import { refuseSymlinks } from "../../platform/files.ts";
import { keepInCache } from "../cache_folder.ts";
import type { LedgerEntry } from "../entry.ts";
import { entryOfLine } from "../ledger.ts";
import { readLines, withFileIfExists } from "../lines.ts";
import { LEDGER_PATH } from "../paths.ts";

const MARK_PATH = "planning/.cache/team-told.json";

/** How far a server was told. */
interface Mark {
  /** The server's address, as it may be shown. */
  server: string;
  lines: number;
  /** SHA-256 of those lines. */
  hash: string;
}

/** An entry that is owed, and the mark that stands behind it. */
interface OwedEntry {
  entry: LedgerEntry;
  mark: Mark;
}

/**
 * The entries that `server` was not told of, oldest first.
 *
 * @throws {LedgerDamaged} when one of them is damaged
 */
export function owedEntries(root: string, server: string): OwedEntry[] {
  refuseSymlinks(root, LEDGER_PATH);
  const told = readMark(root, server);
  const path = join(root, LEDGER_PATH);
  return withFileIfExists(path, (file) => {
    const hash = createHash("sha256");
    let owed: OwedEntry[] = [];
    for (const line of readLines(file)) {
      // Somebody is still writing it, or it is damage that the next append names.
      if (!line.isFinished) break;
      hash.update(line.bytes).update("\n");
      if (line.number === told?.lines && digest(hash) === told.hash) {
        owed = [];
        continue;
      }
      const mark = { server, lines: line.number, hash: "" };
      owed.push({ entry: entryOfLine(line, LEDGER_PATH), mark });
      if (owed.length % MARK_EVERY === 0) mark.hash = digest(hash);
    }
    const last = owed.at(-1);
    if (last !== undefined) last.mark.hash = digest(hash);
    return owed;
  }) ?? [];
}

/** A mark can be set behind each entry of a multiple of so many, and behind the last one. */
export const MARK_EVERY = 500;

function digest(hash: Hash): string {
  return hash.copy().digest("hex");
}

/** Remembers that the server was told of everything up to an entry. */
export function setMark(root: string, { mark }: OwedEntry): void {
  if (mark.hash !== "") keepInCache(root, MARK_PATH, JSON.stringify(mark));
}

function readMark(root: string, server: string): Mark | undefined {
  try {
    refuseSymlinks(root, MARK_PATH);
    const mark: Mark = JSON.parse(Deno.readTextFileSync(join(root, MARK_PATH)));
    return mark.server === server ? mark : undefined;
  } catch {
    // Missing, or of another shape: everything is owed.
    return undefined;
  }
}
