/**
 * Signals that end what a command without a terminal does.
 * Rule: told once, what goes on is ended soundly; told again, the process ends at once.
 */
import { listenForSignals } from "../faces/terminal/terminal_device.ts";
import { systemClock } from "../platform/clock.ts";
import { Interrupted } from "../platform/errors.ts";

/** Signals that come within this time are one: a terminal and the process that waits both send it. */
const SAME_SIGNAL_MS = 200;

/** Aborts a controller with {@linkcode Interrupted} when the process is told to end; told again, it ends at once. */
export function interruptible(): { signal: AbortSignal; stop: () => void } {
  const controller = new AbortController();
  let firstMs = 0;
  const onSignal = () => {
    if (!controller.signal.aborted) {
      firstMs = systemClock.monotonicMs();
      return controller.abort(new Interrupted());
    }
    if (systemClock.monotonicMs() - firstMs > SAME_SIGNAL_MS) Deno.exit(130);
  };
  const stop = listenForSignals(["SIGINT", "SIGTERM", "SIGHUP"], onSignal);
  return { signal: controller.signal, stop };
}
