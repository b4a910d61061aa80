/**
 * The terminal that the process runs at: bytes in, text out, size, signals.
 * Rule: the only file of the terminal layer that touches Deno's standard streams and signals.
 */
import { isHangup, OutputClosed, write } from "../../platform/output.ts";

/** What editing needs of a terminal. */
export interface TerminalDevice {
  /** The next bytes that were typed; null when there will be no more. */
  read(): Promise<Uint8Array | null>;
  write(text: string): void;
  /** Raw: every key at once, no echo, no signals from keys. */
  setRaw(isRaw: boolean): void;
  size(): TerminalSize;
  /** Calls `listener` when the size changes, until the returned function is called. */
  onResize(listener: () => void): () => void;
  /** Calls `listener` when the process is told to end or ends, until the returned function is called. */
  onExit(listener: (cause: ExitCause) => void): () => void;
}

/** The size of a terminal in characters. */
export interface TerminalSize {
  columns: number;
  rows: number;
}

/** Told to end by a signal, or about to end without a chance to do anything asynchronous. */
export type ExitCause = "signal" | "unload";

/** Whether standard input and output are both a terminal, so that somebody can be asked. */
export function isInteractive(): boolean {
  return Deno.stdin.isTerminal() && Deno.stdout.isTerminal();
}

/** The size of the terminal at standard output; 80 by 24 where there is none. */
function terminalSize(): TerminalSize {
  try {
    const { columns, rows } = Deno.consoleSize();
    return columns > 0 && rows > 0 ? { columns, rows } : { columns: 80, rows: 24 };
  } catch {
    return { columns: 80, rows: 24 };
  }
}

/** The process's own terminal. Ask {@linkcode isInteractive} first. */
export const systemTerminal: TerminalDevice = {
  async read() {
    const buffer = new Uint8Array(4096);
    try {
      const count = await Deno.stdin.read(buffer);
      return count === null ? null : buffer.subarray(0, count);
    } catch (error) {
      if (isHangup(error)) return null;
      throw error;
    }
  },
  write: (text) => unlessGone(() => write(text)),
  setRaw: (isRaw) => unlessGone(() => Deno.stdin.setRaw(isRaw)),
  size: terminalSize,
  onResize: (listener) => listenForSignals(["SIGWINCH"], listener),
  onExit(listener) {
    const onUnload = () => listener("unload");
    const onSignal = () => listener("signal");
    const events = ["unload", "error", "unhandledrejection"];
    for (const event of events) globalThis.addEventListener(event, onUnload);
    const stop = listenForSignals(["SIGTERM", "SIGHUP"], onSignal);
    return () => {
      stop();
      for (const event of events) globalThis.removeEventListener(event, onUnload);
    };
  },
};

/** Does `action`; at a terminal that is gone nothing happens: nobody sees it, and the next read says so. */
function unlessGone(action: () => void): void {
  try {
    action();
  } catch (error) {
    if (!(error instanceof OutputClosed || isHangup(error))) throw error;
  }
}

/** Listens for those of `signals` that the system has; gives the function that stops it. */
export function listenForSignals(signals: readonly Deno.Signal[], listener: () => void) {
  const isWindows = Deno.build.os === "windows";
  const known = signals.filter((signal) =>
    !isWindows || signal === "SIGINT" || signal === "SIGBREAK"
  );
  for (const signal of known) Deno.addSignalListener(signal, listener);
  return () => {
    for (const signal of known) Deno.removeSignalListener(signal, listener);
  };
}
