/** `m31a session close`: the end of a session that is not to be shipped. */
import { systemClock } from "../../platform/clock.ts";
import type { ExitCode } from "../../platform/errors.ts";
import { closeSession } from "../../workflow/abandoned.ts";
import { printLine, sayAside } from "../../platform/output.ts";
import type { CommandContext } from "../command_context.ts";
import { sessionWithGoal } from "../../app/find/session_with_goal.ts";

/** Runs the command. */
export async function run(
  given: string | undefined,
  { environment }: CommandContext,
): Promise<ExitCode> {
  const root = Deno.realPathSync(".");
  const id = await sessionWithGoal(root, given, sayAside);
  const entry = await closeSession({ root, environment, clock: systemClock }, id);
  printLine(
    entry === undefined
      ? `Session ${id} has no goal that is still open; nothing was changed.`
      : `Session ${id} is ended: the ledger has it as abandoned.`,
  );
  return 0;
}
