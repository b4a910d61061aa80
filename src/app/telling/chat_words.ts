/**
 * What is said in a conversation of its goal, and what can be typed next.
 * Rule: whatever was not reached, the words end with how to go on.
 */
import type { WorkflowState } from "../../workflow/state.ts";
import type { WorkflowEnd } from "../../workflow/workflow.ts";
import type { ShipEnd } from "../goal/ship_end.ts";
import { WORKFLOW_COMMANDS } from "../slash_commands.ts";
import { oneLine } from "./call_summary.ts";
import { shipOutcomeLines } from "./ship_lines.ts";
import { describeEnd } from "./workflow_lines.ts";

/** What a session that is resumed in the middle of its goal says; undefined where there is none. */
export function mentionOfGoal({ goal, phase }: WorkflowState): string | undefined {
  if (goal === null || phase?.phase === "ship" && phase.status === "done") return undefined;
  if (phase?.phase === "ship" || phase?.phase === "verify" && phase.status === "done") {
    return `This session is verified: ${oneLine(goal.text)}. /ship commits it.`;
  }
  return `This session works on a goal: ${oneLine(goal.text)}. /continue goes on with it.`;
}

/** How the work on a goal ended, and what can be typed next. */
export function describeEndInChat(end: WorkflowEnd): string {
  const line = describeEnd(end);
  if (end.outcome === "verified") return line;
  const command = WORKFLOW_COMMANDS.find((name) => end.outcome === "failed" && name === end.phase);
  const undo = command === "execute" || command === "verify" ? "; /undo takes a task back" : "";
  return `${line}\n/${command ?? "continue"} goes on from here${undo}.`;
}

/** How a ship ended, and what can be typed next. */
export function describeShipInChat(end: ShipEnd, session: string): string[] {
  if (end.outcome !== "failed") return shipOutcomeLines(end, session);
  return [end.reason, `Not shipped. To try again: /ship, or m31a ship ${session}`];
}
