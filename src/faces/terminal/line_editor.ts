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

/** What came of asking: text, Ctrl-C on an empty line, or Ctrl-D on an empty line (or no terminal any more). */
export type LineResult = { type: "line"; text: string } | { type: "interrupt" } | { type: "end" };

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

/** Reads lines from a terminal. */
export class LineEditor {
  readonly #options: LineEditorOptions;
  readonly #paint: Paint;
  #history: string[] | undefined;

  constructor(options: LineEditorOptions) {
    this.#options = options;
    this.#paint = createPaint(options.isColour);
  }

  /** Asks with `prompt` (one line) until there is an answer. Throws the signal's reason when it is aborted. */
  async readLine(prompt: string, signal?: AbortSignal): Promise<LineResult> {
    const history = await this.#loadHistory();
    const { input } = this.#options;
    const result = await input.withRaw(async (exitSignal) => {
      const ended = signal === undefined ? exitSignal : AbortSignal.any([exitSignal, signal]);
      return await this.#edit(newEditorState(history), stripControlSequences(prompt), ended);
    });
    if (result.type === "line") await this.#keep(result.text);
    return result;
  }

  async #edit(start: EditorState, prompt: string, signal: AbortSignal): Promise<LineResult> {
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
      state = { ...state, cursor: state.text.length };
      draw();
      device.write(frame.leave());
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
