/**
 * The digest of a project: its MEMORY.md, the newest part of its ledger, its repository's commits.
 * Rule: what is read is bounded, however old the project.
 */
import { join } from "@std/path";
import { lstatOrUndefined, naming, refuseSymlinks } from "../platform/files.ts";
import { type Digest, digest } from "./digest.ts";
import { entryKey, type LedgerEntry } from "./entry.ts";
import { LedgerDamaged } from "./errors.ts";
import { entryOfLine, readLedger } from "./ledger.ts";
import { readLines } from "../platform/byte_lines.ts";
import { withFileIfExists } from "./existing_file.ts";
import { readBlock } from "./memory.ts";
import { readMemory } from "./memory_file.ts";
import { type KnownCommits, NO_COMMITS } from "./past/known_commits.ts";
import { LEDGER_PATH } from "./paths.ts";

/** How much of the end of a ledger a digest looks at: some thousands of entries. */
const LEDGER_TAIL_BYTES = 4 * 1024 * 1024;

/** How many of the newest blocks a digest looks at; MEMORY.md has more only when its blocks are very small. */
const MOST_BLOCKS = 2_000;

/**
 * What would be given to a model for `goal`.
 *
 * @param root the project's folder
 * @param others entries of the team's ledger
 * @throws {LedgerDamaged} when the newest part of the ledger is damaged
 */
export async function projectDigest(
  root: string,
  goal: string,
  budgetTokens: number,
  commits: KnownCommits = NO_COMMITS,
  others: readonly LedgerEntry[] = [],
): Promise<Digest> {
  const blocks = readMemory(root).blocks.slice(-MOST_BLOCKS).map(readBlock);
  refuseSymlinks(root, LEDGER_PATH);
  const own = await newestEntries(join(root, LEDGER_PATH));
  const known = new Set(own.map(entryKey));
  const entries = [...others.filter((entry) => !known.has(entryKey(entry))), ...own];
  const exists = (path: string) => lstatOrUndefined(join(root, path)) !== undefined;
  return digest({ goal, blocks, entries, commits, exists, budgetTokens });
}

/** The entries in the last {@linkcode LEDGER_TAIL_BYTES} of a ledger, oldest first, each key once. */
export async function newestEntries(
  path: string,
  tailBytes: number = LEDGER_TAIL_BYTES,
): Promise<LedgerEntry[]> {
  try {
    return withFileIfExists(path, (file) => [...tailEntries(file, path, tailBytes)]) ?? [];
  } catch (error) {
    if (!(error instanceof LedgerDamaged)) throw error;
    // From the beginning, so that the message counts lines as an editor does and a line in progress is told from a torn one.
    return (await readLedger(path)).map(({ entry }) => entry);
  }
}

function* tailEntries(file: Deno.FsFile, path: string, tailBytes: number): Generator<LedgerEntry> {
  const start = Math.max(0, file.statSync().size - tailBytes);
  naming(path, "read", () => file.seekSync(start, Deno.SeekMode.Start));
  const keys = new Set<string>();
  let isFirst = start > 0;
  for (const line of readLines(file)) {
    // Somewhere within a line.
    if (isFirst) {
      isFirst = false;
      continue;
    }
    if (!line.isEnded) throw new LedgerDamaged(path, line.number, "the line is not finished");
    const entry = entryOfLine(line, path);
    if (keys.has(entryKey(entry))) continue;
    keys.add(entryKey(entry));
    yield entry;
  }
}
