/**
 * `m31a rewind`: takes a conversation, and the files with it, back to the end of a turn.
 * Rule: shows what would change before anything does; without a turn it only lists.
 */
import { type ExitCode, UsageError } from "../../platform/errors.ts";
import type { UndoableWorkflow } from "../../workflow/undo.ts";
import { printLine, sayAside } from "../../platform/output.ts";
import type { CommandContext } from "../command_context.ts";
import { jsonLine } from "../../platform/json_line.ts";
import { amongSessions } from "../../app/find/find_workflow.ts";
import { takeBack, type UndoOptions, withWorkflow } from "./undo_command.ts";
import { turnLines } from "../../faces/terminal/undo_view.ts";

/** Runs the command. */
export async function run(
  turn: string | undefined,
  options: UndoOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const target = turn === undefined ? undefined : { kind: "rewind", turn: numberOf(turn) } as const;
  return await withWorkflow(
    options,
    context,
    (workflow) =>
      target === undefined ? list(workflow, options) : takeBack(workflow, target, options, context),
    newest,
  );
}

/** Any conversation can go back, whether it has changed a file or not. */
async function newest(given: string | undefined): Promise<string> {
  const id = await amongSessions(given, (id) => Promise.resolve(id), sayAside);
  if (id === undefined) throw new UsageError("there is no session here yet; begin one: m31a chat");
  return id;
}

async function list(workflow: UndoableWorkflow, { json }: UndoOptions): Promise<ExitCode> {
  const turns = await workflow.turns();
  if (json) {
    printLine(jsonLine({ session: workflow.id, turns }));
    return 0;
  }
  printLine(`Turns of session ${workflow.id}:`);
  printLine("0. before the first turn");
  for (const line of turnLines(turns)) printLine(line);
  console.error("To go back to the end of one: m31a rewind TURN");
  return 0;
}

function numberOf(text: string): number {
  if (/^(0|[1-9]\d{0,8})$/.test(text)) return Number(text);
  throw new UsageError(`${JSON.stringify(text)}: a turn is a number; m31a rewind lists them`);
}
