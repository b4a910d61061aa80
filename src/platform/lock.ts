/**
 * Advisory locks (flock) that give up instead of waiting.
 * Rule: a lock lives as long as its open file, so a process that is killed frees it.
 */

/** How long {@linkcode tryLock} waits before it says that another process holds the lock, in milliseconds. */
const LOCK_WAIT_MS = 400;

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
  let timer: number | undefined;
  const locked = file.lock(!options.shared).then(() => true);
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), options.waitMs ?? LOCK_WAIT_MS);
  });
  try {
    const isOurs = await Promise.race([locked, late]);
    if (!isOurs) locked.then(() => file.close(), () => file.close());
    return isOurs;
  } finally {
    clearTimeout(timer);
  }
}
