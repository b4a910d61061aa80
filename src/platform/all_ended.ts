/**
 * Waiting for several things at once.
 * Rule: what was begun has ended when the waiting ends, also when one of it fails.
 */

/**
 * As `Promise.all`, but a failure is thrown only when everything has ended: no process of a failed
 * operation goes on behind its caller's back.
 *
 * @throws what the first of `promises` threw that failed
 */
export async function allEnded<T extends readonly unknown[] | []>(
  promises: T,
): Promise<{ -readonly [P in keyof T]: Awaited<T[P]> }> {
  await Promise.allSettled(promises);
  return await Promise.all(promises);
}
