/**
 * Asks for a line (or several) at a terminal, with history, search and completion.
 * Rule: thin; what keys do and how it looks is decided by pure functions elsewhere.
 */
import { stripControlSequences } from "../../platform/text.ts";
import { createPaint, type Paint } from "./ansi.ts";
import { applyCompletion, type Completer } from "./completion.ts";
import { pressKey } from "./editor_keys.ts";
import { type EditorState, newEditorState } from "./editor_state.ts";
import { layoutEditor } from "./editor_view.ts";
import { Frame } from "./frame.ts";
import type { TerminalInput } from "./terminal_input.ts";

/**
 * What came of asking: text, Ctrl-C on an empty line, Ctrl-D on an empty line (or no terminal any more), or nothing yet
 * because something else needed the terminal.
 */
export type LineResult =
  | { type: "line"; text: string }
  | { type: "interrupt" }
  | { type: "end" }
  | { type: "taken" };

/** Where earlier inputs are kept. */
export interface HistoryStore {
  /** The earlier inputs, the newest last. */
  load(): readonly string[] | Promise<readonly string[]>;
  /** Keeps one more. */
  save(entry: string): void | Promise<void>;
}

/** What a line editor works with. */
export interface LineEditorOptions {
  input: TerminalInput;
  isColour: boolean;
  history?: HistoryStore;
  complete?: Completer;
}

/** A line that is being edited. */
interface Editing {
  taken: AbortController;
  /** Resolves when it is edited no more. */
  ended: Promise<void>;
  /** Runs what writes to the terminal with the line out of its way. */
  around(show: () => void): void;
}

/** Reads lines from a terminal. */
export class LineEditor {
  readonly #options: LineEditorOptions;
  readonly #paint: Paint;
  #history: string[] | undefined;
  /** What was typed when the terminal was taken. */
  #draft = "";
  #editing: Editing | undefined;

  constructor(options: LineEditorOptions) {
    this.#options = options;
    this.#paint = createPaint(options.isColour);
  }

  /** Asks with `prompt` (one line) until there is an answer. Throws the signal's reason when it is aborted. */
  async readLine(prompt: string, signal?: AbortSignal): Promise<LineResult> {
    const history = await this.#loadHistory();
    const { input } = this.#options;
    const taken = new AbortController();
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    const editing: Editing = { taken, ended, around: (show) => show() };
    this.#editing = editing;
    try {
      const result = await input.withRaw(async (exitSignal) => {
        const signals = [exitSignal, taken.signal, ...(signal === undefined ? [] : [signal])];
        const start = newEditorState(history, this.#draft);
        this.#draft = "";
        return await this.#edit(
          start,
          stripControlSequences(prompt),
          AbortSignal.any(signals),
          editing,
        );
      });
      if (result.type === "line") await this.#keep(result.text);
      return result;
    } catch (error) {
      if (!taken.signal.aborted) throw error;
      return { type: "taken" };
    } finally {
      this.#editing = undefined;
      end();
    }
  }

  /** Whether a line is being edited. */
  get isEditing(): boolean {
    return this.#editing !== undefined;
  }

  /** Shows something above the line that is being edited, which is drawn again. */
  showAbove(show: () => void): void {
    this.#editing?.around(show);
  }

  /** Takes the terminal away from a line that is being edited; what was typed stands there again the next time. */
  async take(): Promise<void> {
    const editing = this.#editing;
    editing?.taken.abort(new Error("the terminal is needed"));
    await editing?.ended;
  }

  async #edit(
    start: EditorState,
    prompt: string,
    signal: AbortSignal,
    editing: Editing,
  ): Promise<LineResult> {
    const { input } = this.#options;
    const { device } = input;
    const frame = new Frame();
    let state = start;
    let hints: string[] = [];
    const draw = () => {
      const { columns, rows } = device.size();
      const view = layoutEditor(state, prompt, hints, columns, rows);
      const [first = "", ...others] = view.rows;
      const painted = this.#paint(first.slice(0, view.promptWidth), "bold", "cyan") +
        first.slice(view.promptWidth);
      device.write(frame.draw(view, [painted, ...others]));
    };
    editing.around = (show) => {
      device.write(frame.erase());
      show();
      draw();
    };
    const stopListening = device.onResize(() => {
      frame.reflow(device.size().columns);
      draw();
    });
    try {
      while (true) {
        if (!input.hasKey) draw();
        const key = await input.next(signal);
        hints = [];
        if (key === undefined) return { type: "end" };
        const step = pressKey(state, key);
        state = step.state;
        if (step.effect === "clearScreen") {
          frame.erase();
          device.write("\x1b[H\x1b[2J");
        }
        if (step.effect === "complete") {
          const completion = await this.#options.complete?.(state.text, state.cursor);
          if (completion === undefined) continue;
          const { columns } = device.size();
          ({ state, hints } = applyCompletion(state, completion, columns));
        }
        if (step.effect === "interrupt" || step.effect === "end") return { type: step.effect };
        if (step.effect === "submit") return { type: "line", text: state.text };
      }
    } finally {
      stopListening();
      hints = [];
      if (editing.taken.signal.aborted) this.#draft = state.text;
      state = { ...state, cursor: state.text.length };
      if (editing.taken.signal.aborted) {
        device.write(frame.erase());
      } else {
        draw();
        device.write(frame.leave());
      }
    }
  }

  async #loadHistory(): Promise<readonly string[]> {
    this.#history ??= [...await this.#options.history?.load() ?? []].map(stripControlSequences);
    return this.#history;
  }

  async #keep(text: string): Promise<void> {
    if (text.trim() === "" || this.#history?.at(-1) === text) return;
    this.#history?.push(text);
    await this.#options.history?.save(text);
  }
}
