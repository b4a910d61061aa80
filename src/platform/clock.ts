/**
 * Time as a value that is passed in, so that tests decide what time it is.
 * Rule: nothing below `cli/` reads the time or sleeps in any other way.
 */

/** A source of time. */
export interface Clock {
  /** The wall-clock time, for what is written down. */
  now(): Date;
  /** Milliseconds from an arbitrary start, never going back, for durations. */
  monotonicMs(): number;
  /** Resolves after `durationMs`; rejects with the signal's reason as soon as it is aborted. */
  sleep(durationMs: number, signal?: AbortSignal): Promise<void>;
}

/** The machine's own clock. */
export const systemClock: Clock = {
  now: () => new Date(),
  monotonicMs: () => performance.now(),
  sleep(durationMs, signal) {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const onAbort = () => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener("abort", onAbort);
        resolve();
      }, durationMs);
      signal?.addEventListener("abort", onAbort, { once: true });
    });
  },
};
