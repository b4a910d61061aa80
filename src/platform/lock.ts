/**
 * Advisory locks (flock) that give up instead of waiting.
 * Rule: a lock lives as long as its open file, so a process that is killed frees it.
 */
import { systemClock } from "./clock.ts";

/**
 * How long {@linkcode tryLock} waits before it says that another process holds the lock, in milliseconds. A file that was
 * closed can be locked for a moment longer: a program that is being started at that time has a copy of it until its own
 * code is loaded.
 */
const LOCK_WAIT_MS = 1500;

/**
 * How many other questions to the file system must have been answered besides. They queue up behind the
 * attempt: where a busy machine has not come to these, it may not have come to the attempt either.
 */
const ANSWERS_AWAITED = 20;

/** Attempts that came too late and are not over yet: flock cannot be called off. */
const lateAttempts = new Set<Promise<void>>();

/** Resolves when no attempt that was given up is under way any more. */
export async function lateAttemptsEnded(): Promise<void> {
  await Promise.all(lateAttempts);
}

/**
 * Takes an advisory lock on `file`: exclusive unless `shared`. Resolves to false when another open
 * file holds it and does not let go within `waitMs`. Closing the file frees it.
 *
 * Deno offers only the waiting form of flock; an attempt that comes too late is freed again at once.
 * The caller whose attempt failed must not use `file` any more: it is closed here, when the attempt ends.
 */
export async function tryLock(
  file: Deno.FsFile,
  options: { shared?: boolean; waitMs?: number } = {},
): Promise<boolean> {
  const locked = file.lock(!options.shared).then(() => true);
  const answered = new AbortController();
  const late = patience(options.waitMs ?? LOCK_WAIT_MS, answered.signal).then(() => false);
  try {
    const isOurs = await Promise.race([locked, late]);
    if (!isOurs) {
      const closed = locked.then(() => file.close(), () => file.close());
      lateAttempts.add(closed);
      closed.finally(() => lateAttempts.delete(closed));
    }
    return isOurs;
  } finally {
    answered.abort();
    await late;
  }
}

/** Resolves when an attempt that was begun before has had its time and its turn, or at the signal. */
async function patience(waitMs: number, signal: AbortSignal): Promise<void> {
  await systemClock.sleep(waitMs, signal).catch(() => {});
  for (let answers = 0; answers < ANSWERS_AWAITED && !signal.aborted; answers++) {
    await Deno.stat(".");
  }
}
