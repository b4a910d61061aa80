/**
 * A file held under its exclusive lock, for as long as one change takes.
 * Rule: what is locked is the file that the path names, even when git or an editor has just replaced it.
 */
import { lstatOrUndefined, naming } from "../platform/files.ts";
import { tryLock } from "../platform/lock.ts";
import { FileInUse, LedgerDamaged, tornLineAdvice } from "./errors.ts";

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

/** Whether some process holds the exclusive lock of `file` at this moment. The file must not be used afterwards but to close it. */
export async function isBeingWritten(path: string): Promise<boolean> {
  const file = naming(path, "open", () => Deno.openSync(path));
  if (!await tryLock(file, { shared: true, waitMs: 0 })) return true;
  file.close();
  return false;
}

/** @throws {LedgerDamaged} when the unfinished line `line` is nobody's work in progress */
export async function refuseUnlessBeingWritten(path: string, line: number): Promise<void> {
  if (await isBeingWritten(path)) return;
  throw new LedgerDamaged(path, line, tornLineAdvice(path));
}
