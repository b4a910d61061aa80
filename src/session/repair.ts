/**
 * Cutting the unfinished end off a log, only when asked.
 * Rule: what is cut is copied first; damage anywhere but at the end is refused.
 */
import { join } from "@std/path";
import { type Clock, systemClock } from "../platform/clock.ts";
import { sha256Hex } from "../platform/canonical_json.ts";
import { FileError, M31aError, messageOf, UsageError } from "../platform/errors.ts";
import { naming, pathExists, syncDirectory } from "../platform/files.ts";
import { SessionIo, SessionTorn } from "./errors.ts";
import { listEpochs, logPath, sessionDirectory } from "./layout.ts";
import { openLocked } from "./epoch_files.ts";
import { Session } from "./session.ts";
import { scanEpoch } from "./session_reader.ts";

/** What a repair did. */
export interface Repair {
  /** The log, relative to the project's root. */
  path: string;
  /** The copy of the log as it was. */
  copyPath: string;
  /** How many bytes were cut. */
  cutBytes: number;
  /** How many records are left, with the one that says that it was repaired. */
  records: number;
}

/**
 * Cuts a torn tail: copies the log to `<epoch>.jsonl.broken-<time>`, cuts what follows the last good
 * record, and appends a `repaired` record with the size and SHA-256 of what was cut.
 *
 * @throws {SessionTorn} when the damage is not at the end; nothing is changed then
 * @throws {UsageError} when nothing is damaged
 * @throws {SessionInUse} when a process has the session open
 */
export async function repairSession(
  root: string,
  id: string,
  options: { clock?: Clock } = {},
): Promise<Repair> {
  const clock = options.clock ?? systemClock;
  const epoch = listEpochs(root, id).at(-1) ?? 0;
  const path = logPath(id, epoch);
  const stamp = clock.now().toISOString().replace(/[-:]|\.\d+/g, "");
  const copyPath = `${path}.broken-${stamp}`;
  const cut = await cutTail(root, id, epoch, copyPath);
  using session = await Session.open(root, id, { clock });
  const [repaired] = session.append([{ type: "repaired", ...cut }]);
  return { path, copyPath, cutBytes: cut.bytes, records: repaired?.seq ?? 0 };
}

async function cutTail(
  root: string,
  id: string,
  epoch: number,
  copyPath: string,
): Promise<{ bytes: number; sha256: string }> {
  const path = logPath(id, epoch);
  const file = await openLocked(root, path, id);
  try {
    const { damage } = scanEpoch(root, id, epoch, () => {});
    if (damage === undefined) {
      throw new UsageError(`${path}: nothing to repair, every record is good`);
    }
    if (!damage.isTail) throw new SessionTorn(id, damage);
    copyDurably(join(root, path), join(root, copyPath));
    syncDirectory(join(root, sessionDirectory(id)));
    const tail = readFrom(file, damage.goodBytes);
    file.truncateSync(damage.goodBytes);
    file.syncSync();
    return { bytes: tail.byteLength, sha256: sha256Hex(tail) };
  } catch (error) {
    if (error instanceof M31aError) throw error;
    throw new SessionIo(path, `cannot repair: ${messageOf(error)}`, { cause: error });
  } finally {
    file.close();
  }
}

/** A copy with bytes of its own: a hard link would be cut along with the log. */
function copyDurably(from: string, to: string): void {
  if (pathExists(to)) throw new FileError(to, "exists already; move it away and repair again");
  naming(to, "copy the log there", () => {
    Deno.copyFileSync(from, to);
    const copy = Deno.openSync(to, { read: true, write: true });
    try {
      copy.syncSync();
    } finally {
      copy.close();
    }
  });
}

function readFrom(file: Deno.FsFile, offset: number): Uint8Array {
  const bytes = new Uint8Array(file.statSync().size - offset);
  file.seekSync(offset, Deno.SeekMode.Start);
  let read = 0;
  while (read < bytes.byteLength) read += file.readSync(bytes.subarray(read)) ?? bytes.byteLength;
  return bytes;
}
