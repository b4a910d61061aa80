/**
 * The link between a conversation and its workflow: what the one must know of the other while a turn runs.
 * Rule: made before the conversation is opened; it decides by the state alone, which is a fold over the log.
 */
import { cleanText } from "../agent/clean.ts";
import type { WorkflowControl } from "../agent/control.ts";
import type { Conversation, ConversationWorld } from "../agent/conversation.ts";
import { done, failed } from "../agent/outcome.ts";
import type { ToolContext, ToolOutcome, UserQuestion } from "../agent/tool.ts";
import type { FinishedTask } from "../agent/tools/finish_task.ts";
import type { SubmittedPlanInput } from "../agent/tools/submit_plan.ts";
import { WorkFailed } from "../platform/errors.ts";
import { MAX_QUESTIONS } from "./briefs.ts";
import { failedBefore } from "./fold_checks.ts";
import { WorkflowFold } from "./fold.ts";
import type { Gates } from "./gates.ts";
import { PHASE_TABLE } from "./phase_table.ts";
import { validatePlan } from "./plan_validation.ts";
import { NO_WORKFLOW, type Plan, type WorkflowState } from "./state.ts";

/** How many plans the model may submit until one can be carried out. */
export const MAX_PLANS = 3;

/** See the head of this file. */
export class WorkflowLink implements WorkflowControl {
  readonly #gates: Gates | undefined;
  #fold: WorkflowFold | undefined;
  #conversation: Conversation | undefined;

  /** @param gates the user; left out when nobody is there to be asked */
  constructor(gates?: Gates) {
    this.#gates = gates;
  }

  /** What the world of the conversation takes from here. */
  get world(): Required<Pick<ConversationWorld, "folds" | "carriedWorkflow" | "forbid" | "ask">> {
    return {
      folds: (baseline) => [this.#fold = new WorkflowFold(baseline)],
      carriedWorkflow: () => this.#fold?.carried() ?? null,
      forbid: (tool, effect) => this.#forbid(tool, effect),
      ask: (question) => this.#ask(question),
    };
  }

  /** The conversation, once it is open. */
  attach(conversation: Conversation): void {
    this.#conversation = conversation;
  }

  get gates(): Gates | undefined {
    return this.#gates;
  }

  get state(): WorkflowState {
    return this.#fold?.state ?? NO_WORKFLOW;
  }

  #forbid(...[tool, effect]: Parameters<ToolContext["forbid"]>): string | undefined {
    const phase = this.state.attempt?.about.phase;
    const next = phase === undefined ? undefined : PHASE_TABLE[phase].insteadOfChanging;
    if (next === undefined) return undefined;
    if (effect !== "change" && effect !== "run" || tool === "find_tool") return undefined;
    return `${tool} is not allowed now: nothing is changed or run before the plan is approved. ${next}.`;
  }

  /** A question of the workflow's is recorded with its answer; one that a kill had cut off is not recorded twice. */
  async #ask(question: UserQuestion): Promise<string> {
    const { state } = this;
    if (state.attempt === null || this.#conversation === undefined) {
      return this.#gates === undefined ? unasked(question) : await this.#answer(question);
    }
    const { session, world } = this.#conversation;
    const text = cleanText(question.question, world.secrets);
    const known = state.questions.find((asked) => asked.text === text);
    if (known?.answer) return known.answer.text;
    const number = known?.question ??
      Math.max(0, ...state.questions.map((asked) => asked.question)) + 1;
    if (known === undefined) {
      if (state.attempt.about.phase === "discuss" && state.questions.length >= MAX_QUESTIONS) {
        throw new WorkFailed(
          `${MAX_QUESTIONS} questions were asked, which is all; decide the rest yourself and say how.`,
        );
      }
      const options = question.options.map((option) => cleanText(option, world.secrets));
      session.append([{ type: "question", question: number, text, options }]);
    }
    const answer = cleanText(await this.#answer(question), world.secrets);
    const by = this.#gates === undefined ? "recommended" : "user";
    session.append([{ type: "answer", question: number, text: answer, by }]);
    return answer;
  }

  #answer(question: UserQuestion): Promise<string> {
    return this.#gates?.ask(question) ?? Promise.resolve(question.options[0] ?? "");
  }

  submitPlan(input: SubmittedPlanInput): ToolOutcome {
    const { attempt, refusedPlans } = this.state;
    if (attempt?.about.phase !== "plan") {
      return failed("No plan was asked for. Answer in words, or go on with your task.");
    }
    const plan = planOf(input);
    const problems = [...validatePlan(plan), ...leftProblems(plan, this.state)];
    if (problems.length === 0) return done("The plan is submitted.", { kind: "plan", plan });
    const list = problems.map((problem) => `- ${problem}`).join("\n");
    const isLast = refusedPlans + attempt.number + 1 >= MAX_PLANS;
    return failed(
      `This plan cannot be carried out:\n${list}` +
        (isLast ? "" : "\nMend it and submit the whole plan again."),
      isLast ? { kind: "plans_exhausted" } : undefined,
    );
  }

  finishTask({ summary, cannot }: FinishedTask): ToolOutcome {
    const about = this.state.attempt?.about;
    const isHealing = about?.phase === "verify";
    if (!isHealing && (about?.phase !== "execute" || about.task === null)) {
      return failed("No task is running. Answer in words.");
    }
    const said = cannot === undefined
      ? "The checks are run now."
      : "It is noted that it cannot be.";
    const gaveUp = cannot === undefined ? {} : { gaveUp: cannot };
    return done(said, { kind: "task_finished", summary, ...gaveUp });
  }
}

/** What passed before, or is no check, cannot be left failing. */
function leftProblems({ leavesFailing }: Plan, state: WorkflowState): string[] {
  const failing = new Set(failedBefore(state).map(({ name }) => name));
  return leavesFailing.filter((name) => !failing.has(name)).map((name) =>
    `leaves_failing: ${JSON.stringify(name)} is no check that failed before any change`
  );
}

function planOf(
  { summary, tasks, risks, verification, leaves_failing }: SubmittedPlanInput,
): Plan {
  return {
    summary,
    tasks: tasks.map(({ id, title, detail, files, depends_on, acceptance }) => ({
      id,
      title,
      detail: detail ?? "",
      files: files ?? [],
      dependsOn: depends_on ?? [],
      acceptance: acceptance ?? "",
    })),
    risks: risks ?? [],
    verification: verification ?? [],
    leavesFailing: leaves_failing ?? [],
  };
}

/** What a question in a conversation without a workflow is answered with where nobody can be asked. */
function unasked({ options: [recommended] }: UserQuestion): string {
  return recommended === undefined
    ? "Nobody can be asked here; decide yourself and say how."
    : `Nobody can be asked here; go on with what you recommended: ${recommended}`;
}
