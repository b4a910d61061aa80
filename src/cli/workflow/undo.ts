/**
 * `m31a undo`: takes back what the last tasks changed, or the last commit.
 * Rule: shows what would change before anything does.
 */
import { type ExitCode, UsageError } from "../../platform/errors.ts";
import type { CommandContext } from "../command_context.ts";
import { takeBack, type UndoOptions, withWorkflow } from "./undo_command.ts";
import { runUndoShip } from "./undo_ship.ts";

/** Runs the command. */
export async function run(
  count: string | undefined,
  options: UndoOptions & { ship?: true | undefined },
  context: CommandContext,
): Promise<ExitCode> {
  if (options.ship) {
    if (count !== undefined) throw new UsageError("--ship takes one commit back; give no number");
    return await runUndoShip(options, context);
  }
  const steps = stepsOf(count ?? "1");
  return await withWorkflow(
    options,
    context,
    (workflow) => takeBack(workflow, { kind: "undo", steps }, options, context),
  );
}

function stepsOf(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new UsageError(
    `${JSON.stringify(text)}: how many checkpoints to take back is a number, from 1`,
  );
}
