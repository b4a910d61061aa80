/**
 * A question at a terminal: which of these.
 * Rule: nothing is chosen by a key that was typed before the question stood there.
 */
import { createPaint } from "./ansi.ts";
import { Frame } from "./frame.ts";
import type { Key } from "./keys.ts";
import { LineEditor } from "./line_editor.ts";
import type { TerminalInput } from "./terminal_input.ts";
import { showHidden } from "../../platform/visible.ts";
import { displayWidth, oneLine, truncate } from "./width.ts";
import { wrapText } from "./wrap.ts";

const OWN_ANSWER = "something else: type an answer";

/**
 * Asks `question` with `options` to choose from, the recommended one first, and an answer of one's own.
 * Gives the answer's text; undefined when the user interrupted.
 */
export async function askChoice(
  input: TerminalInput,
  question: string,
  options: readonly string[],
  isColour: boolean,
  signal?: AbortSignal,
): Promise<string | undefined> {
  writeQuestion(input, question, isColour);
  const labels = [...options, OWN_ANSWER];
  const index = options.length === 0 ? 0 : await chooseOption(input, labels, isColour, signal);
  if (index === undefined) return undefined;
  const chosen = options[index];
  if (chosen !== undefined) return chosen;
  const answer = await new LineEditor({ input, isColour }).readLine("> ", signal);
  return answer.type === "line" ? answer.text : undefined;
}

/** Asks `question` with `options` to choose from, and nothing else. Gives the index; undefined when the user interrupted. */
export async function askOption(
  input: TerminalInput,
  question: string,
  options: readonly string[],
  isColour: boolean,
): Promise<number | undefined> {
  writeQuestion(input, question, isColour);
  return await chooseOption(input, options, isColour);
}

function writeQuestion({ device }: TerminalInput, question: string, isColour: boolean): void {
  const paint = createPaint(isColour);
  const title = wrapText(showHidden(question), device.size().columns - 1);
  device.write(title.map((line) => paint(line, "bold") + "\n").join(""));
}

async function chooseOption(
  input: TerminalInput,
  options: readonly string[],
  isColour: boolean,
  signal?: AbortSignal,
): Promise<number | undefined> {
  const { device } = input;
  const paint = createPaint(isColour);
  const labels = options.map((option) => showHidden(oneLine(option)));
  return await input.withRaw(async (exitSignal) => {
    const ended = signal === undefined ? exitSignal : AbortSignal.any([exitSignal, signal]);
    await input.discardTypedAhead(ended);
    const frame = new Frame();
    let selected = 0;
    const draw = () => {
      const { columns, rows } = device.size();
      const shown = visibleRange(labels.length, selected, rows - 1);
      const lines = labels.slice(shown.from, shown.to).map((label, index) => {
        const number = shown.from + index;
        return truncate(`${number === selected ? "❯" : " "} ${number + 1}. ${label}`, columns - 1);
      });
      const cursorRow = selected - shown.from;
      const painted = lines.map((line, index) => index === cursorRow ? paint(line, "cyan") : line);
      const cursorColumn = Math.min(displayWidth(lines[cursorRow] ?? ""), columns - 1);
      device.write(frame.draw({ rows: lines, cursorRow, cursorColumn }, painted));
    };
    const stopListening = device.onResize(() => {
      frame.reflow(device.size().columns);
      draw();
    });
    try {
      while (true) {
        draw();
        const key = await input.next(ended);
        if (key === undefined) return undefined;
        const step = pressChoice(key, selected, labels.length);
        if (step === "interrupt") return undefined;
        selected = step.selected;
        if (!step.isTaken) continue;
        draw();
        return selected;
      }
    } finally {
      stopListening();
      device.write(frame.leave());
    }
  });
}

/** What a key does to a list of `count` options. Enter and a digit take one. */
function pressChoice(key: Key, selected: number, count: number) {
  if (key.type === "text") {
    const digit = /^[1-9]$/.test(key.text) ? Number(key.text) : 0;
    if (digit >= 1 && digit <= count) return { selected: digit - 1, isTaken: true };
    return { selected, isTaken: false };
  }
  if (key.type !== "key") return { selected, isTaken: false };
  if (key.name === "escape" || (key.ctrl && (key.name === "c" || key.name === "d"))) {
    return "interrupt";
  }
  const move = key.name === "up" ? -1 : key.name === "down" ? 1 : 0;
  return { selected: (selected + move + count) % count, isTaken: key.name === "enter" };
}

/** The at most `room` of `count` options around `selected`. */
function visibleRange(count: number, selected: number, room: number): { from: number; to: number } {
  const size = Math.max(1, Math.min(count, room));
  const from = Math.max(0, Math.min(selected - Math.floor(size / 2), count - size));
  return { from, to: from + size };
}
