/**
 * Where ledgers come from: the project's own, files, folders of projects, standard input.
 * Rule: a source that is named and has no ledger is an error; the project's own may be missing.
 */
import { join } from "@std/path";
import { naming, refuseSymlinks } from "../platform/files.ts";
import { FileError, messageOf, UsageError } from "../platform/errors.ts";
import { LedgerDamaged, tornLineAdvice } from "./errors.ts";
import { foldFile } from "./fold_file.ts";
import { type EntryFilter, LedgerFold } from "./ledger_fold.ts";
import { refuseUnlessBeingWritten } from "./locked_file.ts";
import { LEDGER_PATH } from "./paths.ts";
import { loadFold, saveFold } from "./stats_cache.ts";
import { foldLines } from "./stats_scan.ts";

/** Standard input, as a source's name. */
const STANDARD_INPUT = "-";

/** After folding this many new bytes the fold is kept for the next call. */
const KEEP_AFTER_BYTES = 4 * 1024 * 1024;

/**
 * The ledgers that `sources` name: a file is itself; a folder is its own planning/ledger.jsonl or, one
 * level below, those of the projects in it; `-` is standard input.
 *
 * @throws {UsageError} when one of them has no ledger
 */
export function findLedgers(sources: readonly string[]): string[] {
  return [...new Set(sources.flatMap(ledgersOf))];
}

function ledgersOf(source: string): string[] {
  if (source === STANDARD_INPUT) return [source];
  const info = statOf(source);
  if (info === undefined) throw new UsageError(`${source}: there is no such file or folder.`);
  if (!info.isDirectory) return [source];
  const own = join(source, LEDGER_PATH);
  if (statOf(own)?.isFile) return [own];
  const below = naming(source, "list", () => [...Deno.readDirSync(source)])
    .map((entry) => join(source, entry.name, LEDGER_PATH))
    .filter((path) => statOf(path)?.isFile).sort();
  if (below.length > 0) return below;
  throw new UsageError(
    `${source}: neither ${LEDGER_PATH} nor */${LEDGER_PATH} is in this folder. Name a ledger, a project or a folder of projects.`,
  );
}

function statOf(path: string): Deno.FileInfo | undefined {
  try {
    return Deno.statSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory) {
      return undefined;
    }
    if (error instanceof Deno.errors.NotCapable) {
      throw new UsageError(
        `${path}: m31a reads nothing outside the project. Pipe it in: cat ${path} | m31a ledger stats -`,
      );
    }
    throw new FileError(path, `cannot look at it: ${messageOf(error)}`, { cause: error });
  }
}

/**
 * Folds the given ledgers into one; a key that is in several counts once.
 *
 * @throws {LedgerDamaged} at the first line that is no entry
 */
export async function foldLedgers(
  ledgers: readonly string[],
  filter: EntryFilter = {},
): Promise<LedgerFold> {
  const fold = new LedgerFold(filter);
  for (const path of ledgers) {
    if (path !== STANDARD_INPUT) {
      await foldPath(path, fold);
      continue;
    }
    const end = await foldLines(Deno.stdin, "standard input", fold);
    if (end.isTorn) {
      const name = "standard input";
      throw new LedgerDamaged(name, end.lines + 1, tornLineAdvice(name));
    }
  }
  return fold;
}

async function foldPath(path: string, fold: LedgerFold): Promise<void> {
  const file = naming(path, "open", () => Deno.openSync(path));
  try {
    const end = await foldFile(file, path, path, fold);
    if (end.isTorn) await refuseUnlessBeingWritten(path, end.lines + 1);
  } finally {
    file.close();
  }
}

/**
 * Folds the project's own ledger. What was folded before is taken from the cache, unless there is a
 * filter: the cache holds all entries or none. No ledger: an empty fold.
 */
export async function foldOwnLedger(root: string, filter: EntryFilter = {}): Promise<LedgerFold> {
  refuseSymlinks(root, LEDGER_PATH);
  const path = join(root, LEDGER_PATH);
  if (statOf(path) === undefined) return new LedgerFold(filter);
  if (Object.keys(filter).length > 0) return await foldLedgers([path], filter);
  const file = naming(path, "open", () => Deno.openSync(path));
  try {
    const kept = loadFold(root, file);
    const fold = kept?.fold ?? new LedgerFold();
    const start = kept?.position ?? { bytes: 0, lines: 0 };
    const end = await foldFile(file, path, LEDGER_PATH, fold, start);
    if (end.isTorn) await refuseUnlessBeingWritten(path, end.lines + 1);
    if (end.bytes - start.bytes >= KEEP_AFTER_BYTES) {
      saveFold(root, file, fold, { bytes: end.bytes, lines: end.lines });
    }
    return fold;
  } finally {
    file.close();
  }
}
