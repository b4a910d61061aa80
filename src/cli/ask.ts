/**
 * The questions that commands ask at a terminal.
 * Rule: where nobody can be asked none is put, and Enter alone is no yes.
 */
import { createPaint, wantsColour } from "../faces/terminal/ansi.ts";
import { askOption } from "../faces/terminal/prompt.ts";
import { systemTerminal } from "../faces/terminal/terminal_device.ts";
import { TerminalInput } from "../faces/terminal/terminal_input.ts";
import { askYesNo } from "../faces/terminal/yes_no.ts";
import { systemClock } from "../platform/clock.ts";
import type { Environment } from "../platform/environment.ts";
import { Interrupted } from "../platform/errors.ts";

/**
 * Asks for a yes or a no; to be called where `isInteractive()` says that somebody is there.
 *
 * @param detail the lines that `d` shows, where there is more to look at
 * @throws {Interrupted} at Ctrl-C, which says that nothing was changed
 */
export async function confirm(
  question: string,
  environment: Environment,
  detail?: readonly string[],
): Promise<boolean> {
  const paint = createPaint(wantsColour(true, environment));
  const input = new TerminalInput(systemTerminal, systemClock);
  const answer = await askYesNo(input, question, paint, detail);
  if (answer === "interrupt") throw new Interrupted("nothing was changed");
  return answer === "yes";
}

/** Lets the user choose one of `options`. Gives its index; undefined when the user did not choose. */
export async function choose(
  question: string,
  options: readonly string[],
  environment: Environment,
): Promise<number | undefined> {
  const input = new TerminalInput(systemTerminal, systemClock);
  return await askOption(input, question, options, wantsColour(true, environment));
}
