/**
 * `m31a rollback`: goes back to how the files were at a checkpoint.
 * Rule: shows what would change before anything does; without a number it only lists.
 */
import { type ExitCode, UsageError } from "../../platform/errors.ts";
import type { UndoableWorkflow } from "../../workflow/undo.ts";
import { printLine } from "../../platform/output.ts";
import type { CommandContext } from "../command_context.ts";
import { jsonLine } from "../../platform/json_line.ts";
import { takeBack, type UndoOptions, withWorkflow } from "./undo_command.ts";
import { checkpointLines } from "../../faces/terminal/undo_view.ts";

/** Runs the command. */
export async function run(
  checkpoint: string | undefined,
  options: UndoOptions,
  context: CommandContext,
): Promise<ExitCode> {
  if (checkpoint === undefined) {
    return await withWorkflow(options, context, (workflow) => list(workflow, options));
  }
  const to = numberOf(checkpoint);
  return await withWorkflow(
    options,
    context,
    (workflow) => takeBack(workflow, { kind: "rollback", to }, options, context),
  );
}

async function list(workflow: UndoableWorkflow, { json }: UndoOptions): Promise<ExitCode> {
  const checkpoints = await workflow.checkpoints();
  if (json) {
    printLine(jsonLine({ session: workflow.id, checkpoints }));
    return 0;
  }
  printLine(`Checkpoints of session ${workflow.id}:`);
  printLine("0. before the first change");
  for (const line of checkpointLines(checkpoints)) printLine(line);
  console.error("To go back to one: m31a rollback NUMBER");
  return 0;
}

function numberOf(text: string): number {
  if (/^(0|[1-9]\d{0,8})$/.test(text)) return Number(text);
  throw new UsageError(
    `${JSON.stringify(text)}: a checkpoint is a number; m31a rollback lists them`,
  );
}
