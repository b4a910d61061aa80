/**
 * What the model is told at each step.
 * Rule: pure, from the state alone, so that a resumed workflow says the same; evidence is quoted, never summed up.
 */
import { capText } from "../platform/text.ts";
import {
  approvedVersion,
  type Attempt,
  type CheckResult,
  type Plan,
  type WorkflowState,
} from "./state.ts";
import { failedBefore } from "./fold_checks.ts";
import { liveAfter } from "./undo_fold.ts";

/** How many questions the model may ask before planning. */
export const MAX_QUESTIONS = 4;

/** How much of one failed check's output a message quotes, in bytes. */
const EVIDENCE_BYTES = 12 * 1024;

/** The message that opens the discussion. */
export function discussBrief(state: WorkflowState): string {
  return `${goalText(state)}

Before this is planned, find out what you must know. Read what bears on it. Where the answer changes what is to be done and cannot be found in the project, ask the user with ask_user: at most ${MAX_QUESTIONS} questions, each with the likely answers, the one you recommend first. If nothing needs asking, ask nothing.
Nothing is changed in this phase. End with what you found, in a few sentences.`;
}

/** The message that asks for the plan. */
export function planBrief(state: WorkflowState): string {
  const answers = state.questions.map(({ text, answer }) =>
    `- ${text}\n  ${answer === null || answer.text === "" ? "(no answer: decide)" : answer.text}`
  );
  const known = answers.length === 0 ? "" : `\n\nQuestions and answers:\n${answers.join("\n")}`;
  return `${goalText(state)}${known}

${checksText(state)}

Now make the plan and submit it with submit_plan. Small tasks, in an order in which each can be checked; give dependencies where there are any. After each task all checks are run, and each task must leave them passing: put a change and what it breaks into the same task. Name the files. ${
    leftText(state)
  }Nothing is changed in this phase; you may read.`;
}

/** What a plan may say of checks that fail already. */
function leftText(state: WorkflowState): string {
  return failedBefore(state).length === 0
    ? ""
    : "A check that fails before any change is to pass in the end, unless it has nothing to do with the goal: " +
      "then name it in leaves_failing. ";
}

/** The message to a model that ended its turn without a plan. */
export const PLAN_REMINDER =
  "There is no plan yet. Submit it with submit_plan; words alone are not a plan.";

/** The message that hands back a plan with what the user wants otherwise. */
export function planChange(wish: string): string {
  return `The user asks for changes to the plan:\n\n${wish}\n\nSubmit the whole plan again with submit_plan.`;
}

/** The message that opens a task. */
export function taskBrief(state: WorkflowState, plan: Plan, id: string): string {
  const task = plan.tasks.find((candidate) => candidate.id === id);
  if (task === undefined) return `Task ${id}.`;
  const position = plan.tasks.indexOf(task) + 1;
  const parts = [
    `Task ${id} (${position} of ${plan.tasks.length}): ${task.title}`,
    task.detail,
    task.files.length === 0 ? "" : `Files: ${task.files.join(", ")}`,
    task.acceptance === "" ? "" : `Done when: ${task.acceptance}`,
    wasTakenBack(state, id)
      ? "What was done for this task before was taken back by the user: the files are as they were before it."
      : "",
    "Do this task and nothing else, then call finish_task. " + checksText(state),
  ];
  return parts.filter((part) => part !== "").join("\n\n");
}

/** Whether the task was worked on in this plan and an undo has taken that back since. */
function wasTakenBack(state: WorkflowState, id: string): boolean {
  const live = new Set(liveAfter(state.checkpoints, Infinity));
  const version = approvedVersion(state)?.version;
  return state.checkpoints.some(({ number, task, plan }) =>
    task === id && plan === version && !live.has(number)
  );
}

/** The message after a failed attempt, with the evidence. */
export function healMessage({ about, failure }: Attempt): string {
  const what = about.task === null ? "The checks of the whole project" : `Task ${about.task}`;
  const evidence = (failure?.checks ?? []).map(evidenceText);
  return [
    `${what} did not pass (${failure?.cause ?? "unknown"}): ${failure?.detail ?? ""}`,
    ...evidence,
    "Find the reason and mend it, then call finish_task. Do not weaken or remove a check to make it pass.",
  ].join("\n\n");
}

/** The message that takes a turn up again which the user had interrupted. */
export function againAfterInterruption(message: string): string {
  return `You were interrupted. Look at what is there already, then go on.\n\n${message}`;
}

function evidenceText({ name, command, exitCode, output }: CheckResult): string {
  const shown = capText(output.trim(), EVIDENCE_BYTES).text;
  return `Check ${name}: ${command}\nExit code: ${exitCode ?? "unknown"}\nOutput:\n${
    shown === "" ? "(none)" : shown
  }`;
}

function goalText({ goal }: WorkflowState): string {
  return `The goal:\n\n${goal?.text ?? ""}`;
}

function checksText(state: WorkflowState): string {
  const checks = state.project?.checks ?? [];
  if (checks.length === 0) return "The project has no checks of its own.";
  const failing = new Set(failedBefore(state).map(({ name }) => name));
  const list = checks.map(({ name, command }) =>
    `- ${name}: ${command}${failing.has(name) ? " (fails before any change)" : ""}`
  ).join("\n");
  return `The project's checks, which are run for you:\n${list}`;
}
