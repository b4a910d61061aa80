/**
 * `m31a status`: how far a workflow is.
 * Rule: reads the log of whoever is working, without a lock, and changes nothing.
 */
import { listEpochs, logPath } from "../../session/layout.ts";
import { hasWriter } from "../../session/session_reader.ts";
import type { ExitCode } from "../../platform/errors.ts";
import { stripControlSequences } from "../../platform/text.ts";
import { progressOf } from "../../workflow/documents.ts";
import { approvedPlan, changedNothing, type WorkflowState } from "../../workflow/state.ts";
import { oneLine } from "../../app/telling/call_summary.ts";
import { printLine, sayAside } from "../../platform/output.ts";
import { jsonLine } from "../../platform/json_line.ts";
import { findWorkflow, noWorkflow } from "../../app/find/find_workflow.ts";

/** Runs the command. */
export async function run(
  given: string | undefined,
  options: { json?: true | undefined },
): Promise<ExitCode> {
  const found = await findWorkflow(given, sayAside);
  if (found === undefined) {
    console.error(noWorkflow(given));
    return 1;
  }
  const { id, state } = found;
  const isRunning = await hasWriter(".", logPath(id, listEpochs(".", id).at(-1) ?? 0));
  if (options.json) printLine(jsonLine(statusOf(id, state, isRunning)));
  if (!options.json) printLine(stripControlSequences(statusText(id, state, isRunning)));
  return 0;
}

function statusOf(session: string, state: WorkflowState, isRunning: boolean) {
  const { goal, phase, tasks, lastAction, at } = state;
  return { session, isRunning, goal: goal?.text, phase, tasks, lastAction, at };
}

/** The status in words. */
function statusText(session: string, state: WorkflowState, isRunning: boolean): string {
  const { goal, phase, tasks, lastAction, at } = state;
  const plan = approvedPlan(state);
  const detail = phase?.detail ? `: ${oneLine(phase.detail)}` : "";
  const lines = [
    `Session      ${session} (${isRunning ? "running" : "not running"})`,
    `Goal         ${oneLine(goal?.text ?? "")}`,
    `Phase        ${phase === null ? "not begun" : `${phase.phase} ${phase.status}${detail}`}`,
    `Progress     ${progressOf(state) || "no plan yet"}`,
    `Last action  ${oneLine(lastAction)} (${at})`,
  ];
  for (const task of tasks) {
    const title = plan?.tasks.find(({ id }) => id === task.id)?.title ?? "";
    const why = [task.cause, task.detail].filter((part) => part !== null).map(oneLine).join(": ");
    const heals = task.heals === 0 ? "" : `, ${task.heals} ${task.heals === 1 ? "heal" : "heals"}`;
    const nothing = changedNothing(state, task) ? ", nothing changed" : "";
    lines.push(`  ${task.status.padEnd(8)} ${task.id}. ${oneLine(title)}${heals}${nothing}`);
    if (why !== "" && task.status !== "done") lines.push(`           ${why}`);
  }
  return lines.join("\n");
}
