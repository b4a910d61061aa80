/**
 * Keys from a terminal, one at a time, while it is in raw mode.
 * Rule: whatever ends the work, the terminal is left as it was; no byte typed is lost between two reads.
 */
import type { Clock } from "../../platform/clock.ts";
import { Interrupted } from "../../platform/errors.ts";
import { type Key, KeyDecoder } from "./keys.ts";
import type { TerminalDevice } from "./terminal_device.ts";

const BRACKETED_PASTE_ON = "\x1b[?2004h";
const BRACKETED_PASTE_OFF = "\x1b[?2004l";
/** After this long without more, ESC was the Escape key. */
const ESCAPE_MS = 50;
/** Input that is there within this time of a question was typed before it was read. */
const TYPED_AHEAD_MS = 60;

/** The keyboard. One a process: it holds what was read and not used yet. */
export class TerminalInput {
  readonly device: TerminalDevice;
  readonly #clock: Clock;
  readonly #decoder = new KeyDecoder();
  #keys: Key[] = [];
  #read: Promise<Uint8Array | null> | undefined;
  #isRaw = false;

  constructor(device: TerminalDevice, clock: Clock) {
    this.device = device;
    this.#clock = clock;
  }

  /**
   * Runs `work` with the terminal in raw mode. The terminal is restored when it ends, throws, or the
   * process is told to end; the signal given to `work` is then aborted with {@linkcode Interrupted}.
   */
  async withRaw<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    if (this.#isRaw) throw new Error("the terminal is in raw mode already");
    const exit = new AbortController();
    const stopListening = this.device.onExit((cause) => {
      this.#restore();
      if (cause === "signal") exit.abort(new Interrupted("told to end"));
    });
    this.#isRaw = true;
    try {
      this.device.setRaw(true);
      this.device.write(BRACKETED_PASTE_ON);
      return await work(exit.signal);
    } finally {
      this.#restore();
      stopListening();
    }
  }

  /** Whether a key can be had without waiting. */
  get hasKey(): boolean {
    return this.#keys.length > 0;
  }

  /** The next key; undefined when the terminal is gone. Throws the signal's reason once it is aborted. */
  async next(signal: AbortSignal): Promise<Key | undefined> {
    while (true) {
      signal.throwIfAborted();
      const key = this.#keys.shift();
      if (key !== undefined) return key;
      const wait = this.#decoder.isWaiting ? ESCAPE_MS : undefined;
      const bytes = await this.#readWithin(wait, signal);
      if (bytes === null) return undefined;
      const keys = bytes === "late" ? this.#decoder.flush() : this.#decoder.push(bytes);
      this.#keys.push(...keys);
    }
  }

  /** Throws away what was typed before now, so that it cannot answer a question that comes next. Ctrl-C stays. */
  async discardTypedAhead(signal: AbortSignal): Promise<void> {
    let bytes: Uint8Array | "late" | null;
    do {
      bytes = await this.#readWithin(TYPED_AHEAD_MS, signal);
      if (bytes !== null && bytes !== "late") this.#keys.push(...this.#decoder.push(bytes));
    } while (bytes !== null && bytes !== "late");
    this.#keys.push(...this.#decoder.flush());
    this.#keys = this.#keys.filter((key) => key.type === "key" && key.ctrl && key.name === "c");
  }

  /** The bytes that come next, or `late` after `durationMs`; the read that is then still open serves the next call. */
  async #readWithin(
    durationMs: number | undefined,
    signal: AbortSignal,
  ): Promise<Uint8Array | "late" | null> {
    this.#read ??= this.device.read();
    const done = new AbortController();
    const late = durationMs === undefined
      ? new Promise<never>(() => {})
      : this.#clock.sleep(durationMs, done.signal).then(() => "late" as const, () =>
        "late" as const);
    try {
      const bytes = await Promise.race([this.#read, late, rejectOnAbort(signal, done.signal)]);
      if (bytes !== "late") this.#read = undefined;
      return bytes;
    } finally {
      done.abort();
    }
  }

  #restore(): void {
    if (!this.#isRaw) return;
    this.#isRaw = false;
    this.device.write(BRACKETED_PASTE_OFF);
    this.device.setRaw(false);
  }
}

/** A promise that rejects when `signal` is aborted, and is forgotten when `done` is. */
function rejectOnAbort(signal: AbortSignal, done: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true, signal: done });
  });
}
