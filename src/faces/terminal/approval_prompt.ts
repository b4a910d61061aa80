/**
 * The question at a terminal whether something may be done.
 * Rule: all of it can be seen, its beginning and its end are; nothing is approved by a key that was typed before the
 * question stood there, nor by Enter alone.
 */
import { counted } from "../../platform/text.ts";
import { abridge } from "./abridge.ts";
import { createPaint, type Span } from "./ansi.ts";
import { isPatch, patchLines } from "./diff.ts";
import { LineEditor } from "./line_editor.ts";
import type { TerminalInput } from "./terminal_input.ts";
import { showHidden } from "../../platform/visible.ts";
import { expandTabs, oneLine } from "./width.ts";

/** What may be done, in full. */
export interface ApprovalQuestion {
  /** One line: what would happen. */
  summary: string;
  /** The command or the patch. */
  detail: string;
  /** What the answer "always" covers, in words; left out where that is no answer. */
  always?: string;
}

/** `always`: yes, and do not ask again. `interrupt`: no, and stop. */
export interface ApprovalReply {
  decision: "yes" | "no" | "always" | "interrupt";
  /** Why not, where the user said so. */
  reason?: string;
}

/** Rows of the screen that the question itself takes. */
const QUESTION_ROWS = 6;

/** Behind so many rows what would happen is said again. */
const MANY_ROWS = 8;

/** What a key that was pressed means. */
type Pressed = ApprovalReply["decision"] | "why" | "view";

/** Shows what would happen and waits for an answer. */
export async function askApproval(
  input: TerminalInput,
  question: ApprovalQuestion,
  isColour: boolean,
  signal?: AbortSignal,
): Promise<ApprovalReply> {
  const decision = await input.withRaw(async (exitSignal) => {
    const ended = signal === undefined ? exitSignal : AbortSignal.any([exitSignal, signal]);
    await input.discardTypedAhead(ended);
    return await decide(input, question, isColour, ended);
  });
  if (decision !== "why") return { decision };
  const why = await new LineEditor({ input, isColour }).readLine("Why not? ", signal);
  if (why.type === "interrupt") return { decision: "interrupt" };
  const reason = why.type === "line" ? why.text.trim() : "";
  return reason === "" ? { decision: "no" } : { decision: "no", reason };
}

async function decide(
  input: TerminalInput,
  { summary, detail, always }: ApprovalQuestion,
  isColour: boolean,
  signal: AbortSignal,
): Promise<Exclude<Pressed, "view">> {
  const paint = createPaint(isColour);
  const { device } = input;
  const subject = showHidden(oneLine(summary));
  const lines = detailLines(detail);
  const write = (shown: readonly Span[]) =>
    device.write(shown.map(({ text, styles }) => `  ${paint(text, ...styles)}\r\n`).join(""));
  device.write(`${paint(subject, "bold", "yellow")}\r\n`);
  // A short command is told by the summary already.
  const isTold = oneLine(summary).endsWith(`: ${detail}`);
  const { rows, columns } = device.size();
  const room = { rows: Math.max(4, rows - QUESTION_ROWS), columns: Math.max(1, columns - 3) };
  let { lines: shown, isAbridged } = isTold
    ? { lines: [], isAbridged: false }
    : abridge(lines, room);
  write(shown);
  let answer: Pressed = "interrupt";
  for (;;) {
    const again = shown.length > MANY_ROWS ? `${paint(subject, "bold", "yellow")}\r\n` : "";
    const keys = [
      "y yes",
      "n no",
      "r no, and say why",
      ...(always === undefined ? [] : [`a always: ${showHidden(oneLine(always))}`]),
      ...(isAbridged ? [`v all ${counted(lines.length, "line")}`] : []),
    ].join(" · ");
    device.write(`${again}${paint("Allow?", "bold")} ${paint(keys, "dim")} `);
    try {
      answer = await awaitAnswer(input, { hasAlways: always !== undefined, isAbridged }, signal);
    } finally {
      // A question that has ended elsewhere has no answer here.
      const said = signal.aborted ? "" : answer === "why" ? "no" : answer;
      device.write(`${paint(said, "bold")}\r\n`);
    }
    if (answer !== "view") return answer;
    write(lines);
    shown = lines;
    isAbridged = false;
    answer = "interrupt";
  }
}

/** The command or the patch as it is shown, with nothing hidden in it. */
function detailLines(detail: string): Span[] {
  if (isPatch(detail)) return patchLines(detail);
  return detail.split("\n").map((line) => ({ text: expandTabs(showHidden(line)), styles: [] }));
}

async function awaitAnswer(
  input: TerminalInput,
  { hasAlways, isAbridged }: { hasAlways: boolean; isAbridged: boolean },
  signal: AbortSignal,
): Promise<Pressed> {
  const answers: Readonly<Record<string, Pressed>> = {
    y: "yes",
    n: "no",
    r: "why",
    ...(hasAlways ? { a: "always" } : {}),
    ...(isAbridged ? { v: "view" } : {}),
  };
  while (true) {
    const key = await input.next(signal);
    if (key === undefined) return "no";
    if (key.type === "text") {
      const letter = key.text.toLowerCase();
      const answer = Object.hasOwn(answers, letter) ? answers[letter] : undefined;
      if (answer !== undefined) return answer;
    }
    if (key.type !== "key") continue;
    if (key.ctrl && key.name === "c") return "interrupt";
    if (key.name === "escape" || (key.ctrl && key.name === "d")) return "no";
  }
}
