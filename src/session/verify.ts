/**
 * Checking all of a session: every line of every epoch, and that each epoch goes on where the one before ends.
 * Rule: it changes nothing and takes no lock; it says all that is wrong, not only the first.
 */
import { M31aError } from "../platform/errors.ts";
import type { Baseline } from "./baseline.ts";
import { type Damage, SessionTorn } from "./errors.ts";
import { listEpochs, logPath } from "./layout.ts";
import { readEpoch } from "./session_reader.ts";

/** What was found in an epoch. */
export interface EpochVerdict {
  /** The log, relative to the project's root. */
  path: string;
  epoch: number;
  /** Good records. */
  records: number;
  /** Bytes of good records. */
  bytes: number;
  /** What is wrong, with file, line and the command that helps; undefined when nothing is. */
  damage: string | undefined;
}

/**
 * Checks all epochs of a session, oldest first.
 *
 * @throws {SessionNotFound} when there is none, or it was killed while it was made
 */
export async function verifySession(root: string, id: string): Promise<EpochVerdict[]> {
  const verdicts: EpochVerdict[] = [];
  const epochs = listEpochs(root, id);
  for (const epoch of epochs) {
    const isNewest = epoch === epochs.at(-1);
    verdicts.push(await verifyEpoch(root, id, epoch, isNewest, verdicts.at(-1)));
  }
  return verdicts;
}

async function verifyEpoch(
  root: string,
  id: string,
  epoch: number,
  isNewest: boolean,
  before: EpochVerdict | undefined,
): Promise<EpochVerdict> {
  const path = logPath(id, epoch);
  let records = 0;
  try {
    const { damage, goodBytes, baseline } = await readEpoch(root, id, epoch, () => void records++);
    const gap = whyNotNext(path, baseline.parent, epoch, before);
    const found = damage === undefined ? gap : whatIsWrong(id, damage, isNewest);
    return { path, epoch, records, bytes: goodBytes, damage: found };
  } catch (error) {
    if (!(error instanceof M31aError)) throw error;
    return { path, epoch, records, bytes: 0, damage: error.message };
  }
}

/** The commands that help work on the newest epoch; the others are only read. */
function whatIsWrong(id: string, damage: Damage, isNewest: boolean): string {
  if (isNewest) return new SessionTorn(id, damage).message;
  return `${damage.path}:${damage.line}: ${damage.why}`;
}

/** An epoch names the last record of the one before it: that shows records lost at its end. */
function whyNotNext(
  path: string,
  parent: Baseline["parent"],
  epoch: number,
  before: EpochVerdict | undefined,
): string | undefined {
  if (epoch === 0) return undefined;
  if (before?.epoch !== epoch - 1) return `${path}:1: the log of epoch ${epoch - 1} is missing`;
  if (before.damage !== undefined) return undefined;
  const seq = parent?.kind === "compaction" ? parent.seq : parent?.rewind?.leftSeq;
  if (seq === undefined || seq === before.records) return undefined;
  return `${before.path}:${before.records}: ${before.records} records, but the next epoch goes on from record ${seq}`;
}
