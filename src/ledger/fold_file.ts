/**
 * Folds an open ledger, a large one on two cores.
 * Rule: the result is that of reading it from front to back on one.
 */
import { naming } from "../platform/files.ts";
import { mergeFolds } from "./fold_merge.ts";
import { foldElsewhere, partOf } from "./fold_worker.ts";
import type { LedgerFold } from "./ledger_fold.ts";
import { foldLines, type ScanPosition } from "./stats_scan.ts";

/** From this many bytes on a second core is worth its start. */
const PARALLEL_FROM_BYTES = 128 * 1024 * 1024;

/**
 * Folds the lines of `file` from `start` on.
 *
 * @param path where the file is
 * @param name what it is called in messages
 * @throws {LedgerDamaged} at the first line that is no entry
 */
export async function foldFile(
  file: Deno.FsFile,
  path: string,
  name: string,
  fold: LedgerFold,
  start: ScanPosition = { bytes: 0, lines: 0 },
  parallelFromBytes: number = PARALLEL_FROM_BYTES,
): Promise<ScanPosition & { isTorn: boolean }> {
  const sizeBytes = naming(path, "look at", () => file.statSync()).size;
  const middle = sizeBytes - start.bytes < parallelFromBytes || navigator.hardwareConcurrency < 2
    ? undefined
    : lineStartBehind(file, Math.floor((start.bytes + sizeBytes) / 2));
  if (middle === undefined) {
    file.seekSync(start.bytes, Deno.SeekMode.Start);
    return await foldLines(file, name, fold, start);
  }
  const elsewhere = foldElsewhere({ path, from: middle, to: sizeBytes, filter: fold.filter });
  file.seekSync(start.bytes, Deno.SeekMode.Start);
  const first = foldLines(partOf(file, start.bytes, middle), name, fold, start);
  const [half, other] = await Promise.all([first, elsewhere]);
  if (other !== undefined && mergeFolds(fold, other.fold)) {
    return { bytes: sizeBytes, lines: half.lines + other.lines, isTorn: false };
  }
  file.seekSync(middle, Deno.SeekMode.Start);
  return await foldLines(file, name, fold, { bytes: middle, lines: half.lines });
}

/** How far a line's start is looked for. */
const LOOK_BYTES = 1 << 20;

/** Where the first line behind `position` starts; `undefined` when none does nearby. */
function lineStartBehind(file: Deno.FsFile, position: number): number | undefined {
  const bytes = new Uint8Array(LOOK_BYTES);
  file.seekSync(position, Deno.SeekMode.Start);
  const read = file.readSync(bytes) ?? 0;
  const newline = bytes.subarray(0, read).indexOf(10);
  return newline < 0 ? undefined : position + newline + 1;
}
