/**
 * A file held under its exclusive lock, for as long as one change takes.
 * Rule: what is locked is the file that the path names, even when git or an editor has just replaced it.
 */
import { lstatOrUndefined, naming } from "../platform/files.ts";
import { tryLock } from "../platform/lock.ts";
import { FileInUse, LedgerDamaged, tornLineAdvice } from "./errors.ts";

const NEWLINE = 10;

/** How long to wait for another writer, in milliseconds; an append takes a few. */
const WRITER_WAIT_MS = 5_000;

/**
 * Opens `path` (made, with mode 0644, when it is missing), locks it, runs `change` and lets go.
 *
 * @throws {FileInUse} when another process holds the lock for over five seconds
 */
export async function withLockedFile<T>(
  path: string,
  change: (file: Deno.FsFile) => T,
  waitMs: number = WRITER_WAIT_MS,
): Promise<T> {
  for (;;) {
    const file = naming(
      path,
      "open",
      () => Deno.openSync(path, { read: true, write: true, create: true, mode: 0o644 }),
    );
    if (!await tryLock(file, { waitMs })) throw new FileInUse(path);
    try {
      if (isAt(file, path)) return change(file);
    } finally {
      file.close();
    }
  }
}

function isAt(file: Deno.FsFile, path: string): boolean {
  const open = file.statSync();
  const named = lstatOrUndefined(path);
  return named !== undefined && named.ino === open.ino && named.dev === open.dev;
}

/** How long a reader that has met an unfinished last line waits for whoever may be writing it, in milliseconds. */
const READER_WAIT_MS = 1_000;

/**
 * Whether the unfinished last line that a reader has just met is somebody's work in progress: the
 * lock is held, or by the time that it is free the line has been finished.
 */
export async function isBeingWritten(path: string): Promise<boolean> {
  const file = naming(path, "open", () => Deno.openSync(path));
  if (!await tryLock(file, { shared: true, waitMs: READER_WAIT_MS })) return true;
  try {
    const sizeBytes = file.statSync().size;
    const last = new Uint8Array(1);
    file.seekSync(Math.max(0, sizeBytes - 1), Deno.SeekMode.Start);
    return file.readSync(last) === null || last[0] === NEWLINE;
  } finally {
    file.close();
  }
}

/** @throws {LedgerDamaged} when the unfinished line `line` is nobody's work in progress */
export async function refuseUnlessBeingWritten(path: string, line: number): Promise<void> {
  if (await isBeingWritten(path)) return;
  throw new LedgerDamaged(path, line, tornLineAdvice(path));
}
