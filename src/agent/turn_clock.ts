/**
 * The time that a turn may take.
 * Rule: a limit of its own; what has ended leaves no timer behind.
 */
import type { Conversation } from "./conversation.ts";
import { outOfTime } from "./limits.ts";

/** A signal that is aborted when the caller's is, or when the turn's time is over. */
export function turnClock(
  { world }: Conversation,
  signal: AbortSignal,
): { signal: AbortSignal; stop: () => void } {
  const { secondsPerTurn } = world.limits;
  if (secondsPerTurn === 0) return { signal, stop: () => {} };
  const time = new AbortController();
  const stopped = new AbortController();
  world.clock.sleep(secondsPerTurn * 1000, stopped.signal)
    .then(() => time.abort(outOfTime(world.limits)), () => {});
  return { signal: AbortSignal.any([signal, time.signal]), stop: () => stopped.abort() };
}
