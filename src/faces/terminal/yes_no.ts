/**
 * A question at a terminal that is answered by yes or no.
 * Rule: as for any approval, Enter is no answer, and neither is what was typed before the question stood there.
 */
import type { TerminalInput } from "./terminal_input.ts";
import type { Paint } from "./ansi.ts";

/** What the user says. */
export type YesNo = "yes" | "no" | "interrupt";

/**
 * Asks at a terminal.
 *
 * @param diff the lines that `d` shows; left out where there is nothing more to show
 * @param signal ends the question
 */
export async function askYesNo(
  input: TerminalInput,
  question: string,
  paint: Paint,
  diff?: readonly string[],
  signal?: AbortSignal,
): Promise<YesNo> {
  const { device } = input;
  const keys = diff === undefined ? "y yes · n no" : "y yes · n no · d show the change";
  return await input.withRaw(async (exitSignal) => {
    const ended = signal === undefined ? exitSignal : AbortSignal.any([exitSignal, signal]);
    await input.discardTypedAhead(ended);
    let answer: YesNo | undefined;
    while (answer === undefined) {
      device.write(`${paint(question, "bold")} ${paint(keys, "dim")} `);
      const key = await awaitAnswer(input, diff !== undefined, ended);
      if (key !== "diff") answer = key;
      device.write(`${paint(key, "bold")}\r\n`);
      if (key === "diff") device.write(`${(diff ?? []).join("\n")}\n`.replaceAll("\n", "\r\n"));
    }
    return answer;
  });
}

async function awaitAnswer(
  input: TerminalInput,
  hasDiff: boolean,
  signal: AbortSignal,
): Promise<YesNo | "diff"> {
  while (true) {
    const key = await input.next(signal);
    if (key === undefined) return "no";
    if (key.type === "text") {
      const letter = key.text.toLowerCase();
      if (letter === "y") return "yes";
      if (letter === "n") return "no";
      if (letter === "d" && hasDiff) return "diff";
    }
    if (key.type !== "key") continue;
    if (key.ctrl && key.name === "c") return "interrupt";
    if (key.name === "escape" || (key.ctrl && key.name === "d")) return "no";
  }
}
