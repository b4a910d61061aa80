/**
 * `m31a run`: from a goal to a verified and committed change, alone.
 * Rule: nothing waits for an answer that cannot come; exit code 0 means that the goal's change was verified and shipped.
 */
import type { ConfigurationFlags } from "../agent/configuration.ts";
import type { GoalEnd } from "../app/goal/pursue.ts";
import type { ChatStart } from "../app/conversation_host.ts";
import type { LiveConversation } from "../app/live_conversation.ts";
import { Project } from "../app/project.ts";
import { JsonView } from "../faces/pipe/json_view.ts";
import { PlainWorkflowView } from "../faces/pipe/workflow_view.ts";
import { offerLive } from "../faces/live/offer.ts";
import { sayAside } from "../platform/output.ts";
import { type ExitCode, UsageError } from "../platform/errors.ts";
import { PHASES, type WorkflowPhase } from "../workflow/machine.ts";
import type { CommandContext } from "./command_context.ts";
import { interruptible } from "./interruption.ts";

/** The options of `m31a run`. */
export interface RunOptions extends ConfigurationFlags {
  resume?: string | undefined;
  continue?: true | undefined;
  /** The phase to enter again. */
  from?: string | undefined;
  /** False: end with what is verified. */
  ship?: boolean | undefined;
  json?: true | undefined;
}

/** Runs the command. */
export async function run(
  goal: string | undefined,
  options: RunOptions,
  { environment, version }: CommandContext,
): Promise<ExitCode> {
  const from = phaseOf(options.from);
  const start = startOf(goal, options);
  const view = options.json ? new JsonView() : new PlainWorkflowView();
  const project = await Project.open({ environment, flags: options });
  const interruption = interruptible();
  let conversation: LiveConversation | undefined;
  let withdraw = () => {};
  try {
    const onEvent: typeof view.show = (event) => view.show(event);
    conversation = await project.converse(start, { isAttended: false, onEvent });
    const { root } = project;
    withdraw = offerLive({ live: conversation, root, environment, version, say: sayAside });
    const pursuit = { goal, from, ships: options.ship !== false };
    return exitCodeOf(await conversation.pursue(pursuit, interruption.signal));
  } finally {
    interruption.stop();
    withdraw();
    await conversation?.close();
  }
}

function phaseOf(given: string | undefined): WorkflowPhase | undefined {
  if (given === undefined) return undefined;
  const phase = PHASES.find((known) => known === given);
  if (phase !== undefined) return phase;
  throw new UsageError(`--from ${given}: is not a phase; the phases are ${PHASES.join(", ")}`);
}

function startOf(
  goal: string | undefined,
  { resume, continue: goOn, from }: RunOptions,
): ChatStart {
  if (resume !== undefined && goOn) {
    throw new UsageError("--resume and --continue are two ways to say which session; give one");
  }
  if (resume !== undefined) return { kind: "resume", id: resume };
  if (goOn) return { kind: "continue" };
  if (goal === undefined || goal.trim() === "") {
    throw new UsageError('say what is to be done: m31a run "the goal" (or --continue)');
  }
  if (from !== undefined) throw new UsageError("--from needs --resume or --continue");
  return { kind: "new" };
}

function exitCodeOf({ work, ship }: GoalEnd): ExitCode {
  if (work.outcome === "interrupted") return 130;
  if (work.outcome !== "verified") return 1;
  return ship === undefined || ship.outcome === "shipped" ? 0 : 1;
}
