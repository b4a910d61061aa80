/**
 * `m31a run`: from a goal to a verified change, alone.
 * Rule: nothing waits for an answer that cannot come; exit code 0 means that the goal's change was verified.
 */
import type { ConfigurationFlags } from "../../agent/configuration.ts";
import type { Conversation } from "../../agent/conversation.ts";
import { resumeConversation, startConversation } from "../../agent/open.ts";
import { Git } from "../../git/run.ts";
import { type ExitCode, UsageError } from "../../platform/errors.ts";
import { SessionNotFound } from "../../session/errors.ts";
import { ensureSessionsDirectory, listSessionIds } from "../../session/layout.ts";
import { resolveSessionId } from "../../session/session_id.ts";
import { WorkflowLink } from "../../workflow/link.ts";
import { PHASES, type WorkflowPhase } from "../../workflow/machine.ts";
import { requireRepository } from "../../workflow/phases/initialize.ts";
import { ProjectLock } from "../../workflow/project_lock.ts";
import { runWorkflow, type WorkflowEnd } from "../../workflow/workflow.ts";
import { interruptible } from "../chat/piped_chat.ts";
import { openingOf, type PreparedOpening } from "../opening.ts";
import type { CommandContext } from "../program.ts";
import { JsonWorkflowView, PlainWorkflowView } from "./workflow_view.ts";

/** The options of `m31a run`. */
export interface RunOptions extends ConfigurationFlags {
  resume?: string | undefined;
  continue?: true | undefined;
  /** The phase to enter again. */
  from?: string | undefined;
  json?: true | undefined;
}

/** Runs the command. */
export async function run(
  goal: string | undefined,
  options: RunOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const from = phaseOf(options.from);
  const id = sessionOf(goal, options);
  const view = options.json ? new JsonWorkflowView() : new PlainWorkflowView();
  const link = new WorkflowLink();
  const opening = await openingOf(options, context, { onEvent: (event) => view.show(event), link });
  const interruption = interruptible();
  let conversation: Conversation | undefined;
  try {
    conversation = await open(opening, id);
    const end = await runWorkflow({
      conversation,
      link,
      mode: "run",
      sandbox: opening.sandbox,
      commands: opening.configuration.commands,
      configuredChecks: opening.configuration.ship.checks,
      onEvent: (event) => view.show(event),
      signal: interruption.signal,
      ...(goal !== undefined && { goal }),
      ...(from !== undefined && { from }),
    });
    const session = conversation.session.id;
    view.end(end, session, adviceOf(end, session));
    return exitCodeOf(end);
  } finally {
    interruption.stop();
    conversation?.close();
    await opening.tools.close();
  }
}

/** What can be known to stand in the way is found out before a session is begun. */
async function open(opening: PreparedOpening, id: string | undefined): Promise<Conversation> {
  const { root, environment } = opening;
  if (id !== undefined) return await resumeConversation(opening, id);
  await requireRepository(new Git(root, environment));
  await ProjectLock.expectFree(root);
  ensureSessionsDirectory(root);
  return await startConversation(opening);
}

function phaseOf(given: string | undefined): WorkflowPhase | undefined {
  if (given === undefined) return undefined;
  const phase = PHASES.find((known) => known === given);
  if (phase !== undefined) return phase;
  throw new UsageError(`--from ${given}: is not a phase; the phases are ${PHASES.join(", ")}`);
}

/** The session to go on with; undefined for a new one. */
function sessionOf(
  goal: string | undefined,
  { resume, continue: goOn, from }: RunOptions,
): string | undefined {
  if (resume !== undefined && goOn) {
    throw new UsageError("--resume and --continue are two ways to say which session; give one");
  }
  if (resume === undefined && !goOn) {
    if (goal === undefined || goal.trim() === "") {
      throw new UsageError('say what is to be done: m31a run "the goal" (or --continue)');
    }
    if (from !== undefined) throw new UsageError("--from needs --resume or --continue");
    return undefined;
  }
  const ids = listSessionIds(".");
  const id = resume === undefined ? ids.at(-1) : resolveSessionId(ids, resume);
  if (id !== undefined) return id;
  throw new SessionNotFound('there is no session to continue yet; begin one: m31a run "the goal"');
}

function exitCodeOf({ outcome }: WorkflowEnd): ExitCode {
  if (outcome === "verified") return 0;
  return outcome === "interrupted" ? 130 : 1;
}

function adviceOf(end: WorkflowEnd, session: string): string {
  if (end.outcome === "verified") return `Session ${session}.`;
  const from = end.outcome === "failed" ? ` --from ${end.phase}` : "";
  return `Session ${session}. To go on: m31a run --resume ${session}${from}`;
}
