/**
 * Ctrl-C: once ends the turn, twice leaves. Rule: what a press means is a pure function of the state and the time.
 */
import type { Clock } from "../../platform/clock.ts";
import { listenForSignals } from "./terminal_device.ts";

/** A second press within this time of the first leaves, unless another turn has begun in between. */
const TWICE_MS = 2000;

/** What is known when Ctrl-C is pressed. */
export interface InterruptState {
  isTurnRunning: boolean;
  /** When it was pressed last (milliseconds, monotonic), if it was. */
  lastPressMs: number | undefined;
  /** It was pressed in this turn already. */
  isTurnInterrupted: boolean;
}

/** `abort`: end the turn. `hint`: nothing runs, say that pressing again leaves. `leave`: end the program. */
export type InterruptAction = "abort" | "hint" | "leave";

/** The state before anything runs. */
const IDLE: InterruptState = {
  isTurnRunning: false,
  lastPressMs: undefined,
  isTurnInterrupted: false,
};

/** What a press at `nowMs` does. */
function pressInterrupt(
  state: InterruptState,
  nowMs: number,
): { state: InterruptState; action: InterruptAction } {
  const isTwice = state.lastPressMs !== undefined && nowMs - state.lastPressMs <= TWICE_MS;
  const next = { ...state, lastPressMs: nowMs, isTurnInterrupted: state.isTurnRunning };
  if (isTwice || (state.isTurnRunning && state.isTurnInterrupted)) {
    return { state: next, action: "leave" };
  }
  return { state: next, action: state.isTurnRunning ? "abort" : "hint" };
}

/** Counts presses over turns and hands their meaning on. */
export class Interrupts {
  #state = IDLE;
  readonly #clock: Clock;
  readonly #onAction: (action: InterruptAction) => void;

  constructor(clock: Clock, onAction: (action: InterruptAction) => void) {
    this.#clock = clock;
    this.#onAction = onAction;
  }

  /** A turn begins. */
  startTurn(): void {
    this.#state = { ...IDLE, isTurnRunning: true };
  }

  /** The turn has ended. */
  endTurn(): void {
    this.#state = { ...this.#state, isTurnRunning: false, isTurnInterrupted: false };
  }

  /** Ctrl-C was pressed: the signal came, or the line editor saw the key. */
  press(): InterruptAction {
    const { state, action } = pressInterrupt(this.#state, this.#clock.monotonicMs());
    this.#state = state;
    this.#onAction(action);
    return action;
  }

  /** Takes SIGINT (and SIGBREAK on Windows) for a press until the returned function is called. */
  listen(): () => void {
    const isWindows = Deno.build.os === "windows";
    return listenForSignals(isWindows ? ["SIGINT", "SIGBREAK"] : ["SIGINT"], () => this.press());
  }
}
