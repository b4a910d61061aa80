/**
 * A line that says what is being waited for, and for how long.
 * Rule: nothing of it stays on the screen, and nothing is written where there is no terminal.
 */
import type { Clock } from "../../platform/clock.ts";
import type { Paint } from "./ansi.ts";
import { formatDuration } from "./numbers.ts";
import type { TerminalSize } from "./terminal_device.ts";
import { oneLine, truncate } from "./width.ts";
import { stripControlSequences } from "../../platform/text.ts";

const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const ASCII_FRAMES = ["|", "/", "-", "\\"];
const FRAME_MS = 100;

/** Where a spinner turns. */
export interface SpinnerOptions {
  write(text: string): void;
  clock: Clock;
  size(): TerminalSize;
  paint: Paint;
  isTerminal: boolean;
  isUnicode: boolean;
}

/** A line with a turning sign, a text and the seconds since {@linkcode Spinner.start}. */
export class Spinner {
  readonly #options: SpinnerOptions;
  #text = "";
  #startMs = 0;
  #frame = 0;
  #stop: AbortController | undefined;

  constructor(options: SpinnerOptions) {
    this.#options = options;
  }

  /** Shows `text` ("thinking") on the empty row where the cursor is, until {@linkcode stop}. Starting again changes the text. */
  start(text: string): void {
    this.#text = oneLine(stripControlSequences(text));
    this.#startMs = this.#options.clock.monotonicMs();
    if (!this.#options.isTerminal || this.#stop !== undefined) return;
    this.#stop = new AbortController();
    this.#turn(this.#stop.signal);
  }

  /** Leaves a line above the spinner: a retry, a notice. Without a spinner it is written just so. */
  notice(text: string): void {
    const { write, paint, isTerminal } = this.#options;
    if (!isTerminal) return;
    write(`${this.#stop === undefined ? "" : "\r\x1b[K"}${paint(oneLine(text), "yellow")}\n`);
    if (this.#stop !== undefined) this.#draw();
  }

  /** Takes the line away; the cursor is at the start of the same, empty row. */
  stop(): void {
    if (this.#stop === undefined) return;
    this.#stop.abort();
    this.#stop = undefined;
    this.#options.write("\r\x1b[K");
  }

  async #turn(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      this.#draw();
      try {
        await this.#options.clock.sleep(FRAME_MS, signal);
      } catch {
        return;
      }
    }
  }

  #draw(): void {
    const { write, clock, size, paint, isUnicode } = this.#options;
    const frames = isUnicode ? FRAMES : ASCII_FRAMES;
    const sign = frames[this.#frame++ % frames.length] ?? "";
    const seconds = Math.floor((clock.monotonicMs() - this.#startMs) / 1000);
    const time = seconds === 0 ? "" : ` ${formatDuration(seconds * 1000)}`;
    const line = truncate(`${sign} ${this.#text}${time}`, size().columns - 1);
    write(`\r\x1b[K${paint(line, "dim")}`);
  }
}
