/**
 * Epochs: begun, and opened for writing.
 * Rule: an epoch exists when its log has its name, and then it is whole; opening one changes no byte.
 */
import { join } from "@std/path";
import { type Clock, systemClock } from "../platform/clock.ts";
import {
  createFileDurably,
  pathExists,
  refuseSymlinks,
  removeIfExists,
  syncDirectory,
} from "../platform/files.ts";
import type { Baseline, EncodedBaseline } from "./baseline.ts";
import { openLocked, readBaseline } from "./epoch_files.ts";
import { SessionInUse, SessionTorn } from "./errors.ts";
import { baselinePath, listEpochs, logPath, sessionDirectory } from "./layout.ts";
import { linkTo } from "./line.ts";
import { readLog } from "./log_reader.ts";
import { LogWriter } from "./log_writer.ts";
import type { Fold, RecordDraft } from "./records.ts";
import { Sequence } from "./sequence.ts";

/** What opening a session may be given. */
export interface SessionOptions {
  clock?: Clock;
  /**
   * Called with the baseline of the epoch that is opened; the folds it returns get every record of
   * that epoch, those on disk and those appended later.
   */
  folds?: (baseline: Baseline) => readonly Fold[];
  /** Called when what the folds have got is durable: after each append, and when an epoch exists. */
  onDurable?: () => void;
}

/** Puts records into a log before it has its name; called once, with the means to append. */
export type Fill = (append: (drafts: readonly RecordDraft[]) => void) => void;

/** An epoch that is open for writing. */
export interface OpenedEpoch {
  baseline: Baseline;
  writer: LogWriter;
  sequence: Sequence;
  folds: readonly Fold[];
}

/** Writes the two files of an epoch. The log gets its name last, so that an epoch that has one is whole. */
export async function createEpoch(
  root: string,
  { baseline, bytes, hash }: EncodedBaseline,
  slot: number | null,
  options: SessionOptions,
  fill: Fill = () => {},
): Promise<OpenedEpoch> {
  const { session: id, epoch } = baseline;
  const directory = join(root, sessionDirectory(id));
  const unfinished = `${logPath(id, epoch)}.new`;
  const removeLeftovers = () => {
    for (const leftover of [baselinePath(id, epoch), unfinished]) {
      refuseSymlinks(root, leftover);
      removeIfExists(join(root, leftover));
    }
  };
  removeLeftovers();
  let file: Deno.FsFile | undefined;
  try {
    createFileDurably(join(root, baselinePath(id, epoch)), bytes);
    createFileDurably(join(root, unfinished), new Uint8Array(0));
    file = await openLocked(root, unfinished, id);
    const end = {
      position: { seq: 1, prev: linkTo(bytes), format: baseline.format },
      sizeBytes: 0,
      slot,
    };
    const writer = new LogWriter(root, unfinished, file, end, options.clock ?? systemClock);
    const sequence = new Sequence(baseline, hash);
    const folds = options.folds?.(baseline) ?? [];
    const start: RecordDraft = { type: "session_start", epoch, slot, baseline: hash };
    const append = (drafts: readonly RecordDraft[]) => {
      const records = writer.append(drafts, (record) => sequence.apply(record));
      for (const record of records) for (const fold of folds) fold.apply(record);
    };
    append([start]);
    fill(append);
    // The baseline's entry must be there before the log that names it gets its own.
    syncDirectory(directory);
    writer.rename(logPath(id, epoch));
    syncDirectory(directory);
    return { baseline, writer, sequence, folds };
  } catch (error) {
    file?.close();
    if (!pathExists(join(root, logPath(id, epoch)))) removeLeftovers();
    throw error;
  }
}

/**
 * Opens the newest epoch of a session: locks its log and checks every line.
 *
 * @throws {SessionNotFound} {@linkcode SessionInUse} {@linkcode BaselineInvalid} {@linkcode SessionTorn}
 */
export async function openEpoch(
  root: string,
  id: string,
  options: SessionOptions,
): Promise<OpenedEpoch> {
  const epoch = listEpochs(root, id).at(-1) ?? 0;
  const path = logPath(id, epoch);
  const file = await openLocked(root, path, id);
  try {
    if (listEpochs(root, id).at(-1) !== epoch) throw new SessionInUse(id);
    const encoded = readBaseline(root, id, epoch);
    const { baseline, hash } = encoded;
    const sequence = new Sequence(baseline, hash);
    const folds = options.folds?.(baseline) ?? [];
    let slot: number | null = null;
    const reading = readLog(file, path, encoded, sequence, (record) => {
      if (record.type === "session_start") slot = record.slot;
      for (const fold of folds) fold.apply(record);
    });
    if (reading.damage !== undefined) throw new SessionTorn(id, reading.damage);
    const end = { position: reading.position, sizeBytes: reading.goodBytes, slot };
    const writer = new LogWriter(root, path, file, end, options.clock ?? systemClock);
    return { baseline, writer, sequence, folds };
  } catch (error) {
    file.close();
    throw error;
  }
}
