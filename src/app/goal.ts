/**
 * Working on a goal inside a chat: the workflow, with the user at its gates.
 * Rule: what the user says at a gate is recorded by the workflow; here it is only asked.
 */
import type { Conversation } from "../agent/conversation.ts";
import type { WorkflowPhase } from "../workflow/machine.ts";
import type { PlanReview } from "../workflow/gates.ts";
import type { WorkflowEvent } from "../workflow/events.ts";
import type { WorkflowLink } from "../workflow/link.ts";
import type { WorkflowState } from "../workflow/state.ts";
import { runWorkflow, type WorkflowEnd } from "../workflow/workflow.ts";
import type { PreparedOpening } from "./opening.ts";
import { oneLine } from "./telling/call_summary.ts";
import { WORKFLOW_COMMANDS, type WorkflowCommand } from "./slash_commands.ts";
import { describeEnd } from "./telling/workflow_lines.ts";

/** What the user asked for: a new goal, to go on, or to enter a phase again. */
export interface Pursuit {
  goal?: string;
  from?: WorkflowPhase;
}

/** What a command asks for. */
export function pursuitOf(command: WorkflowCommand, argument: string): Pursuit {
  if (command === "goal") return { goal: argument };
  return command === "continue" ? {} : { from: command };
}

/** Works on the goal of `conversation` until it is verified, has failed, or the user stops it. */
export async function pursue(
  conversation: Conversation,
  link: WorkflowLink,
  { sandbox, configuration }: PreparedOpening,
  pursuit: Pursuit,
  onEvent: (event: WorkflowEvent) => void,
  signal: AbortSignal,
): Promise<WorkflowEnd> {
  return await runWorkflow({
    conversation,
    link,
    mode: "chat",
    sandbox,
    commands: configuration.commands,
    configuredChecks: configuration.ship.checks,
    onEvent,
    signal,
    ...pursuit,
  });
}

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

/** The answers to a plan; any other answer is a wish for changes. */
export const PLAN_ANSWERS = {
  approve: "carry it out",
  edited: "edit planning/plan.md first",
  stop: "stop here, and keep the plan",
} as const;

/** What an answer to a plan means. */
export function reviewOf(answer: string): PlanReview {
  if (answer === PLAN_ANSWERS.approve) return { decision: "approve" };
  if (answer === PLAN_ANSWERS.edited) return { decision: "edited" };
  if (answer === PLAN_ANSWERS.stop) return { decision: "stop" };
  return { decision: "change", wish: answer };
}
