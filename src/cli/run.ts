/**
 * `m31a run`: from a goal to a verified and committed change, alone.
 * Rule: nothing waits for an answer that cannot come; exit code 0 means that the goal's change was verified and shipped.
 */
import type { ConfigurationFlags } from "../agent/configuration.ts";
import type { Conversation } from "../agent/conversation.ts";
import type { AgentEvent } from "../agent/events.ts";
import { resumeConversation, startConversation } from "../agent/open.ts";
import { Git } from "../git/run.ts";
import { type ExitCode, UsageError } from "../platform/errors.ts";
import { SessionNotFound } from "../session/errors.ts";
import { ensureSessionsDirectory, listSessionIds } from "../session/layout.ts";
import { resolveSessionId } from "../session/session_id.ts";
import type { ShipEvent } from "../ship/events.ts";
import { expectShippable } from "../ship/expect_shippable.ts";
import { modelWriter } from "../ship/model_writer.ts";
import { endAbandoned } from "../workflow/abandoned.ts";
import type { WorkflowEvent } from "../workflow/events.ts";
import { WorkflowLink } from "../workflow/link.ts";
import { PHASES, type WorkflowPhase } from "../workflow/machine.ts";
import { requireRepository } from "../workflow/phases/initialize.ts";
import { ProjectLock } from "../workflow/project_lock.ts";
import { endWorkflow, shipWorkflow } from "../workflow/ship_workflow.ts";
import { readWorkflow } from "../workflow/read_workflow.ts";
import { runWorkflow, type WorkflowEnd } from "../workflow/workflow.ts";
import { interruptible } from "../faces/pipe/piped_chat.ts";
import { checkingOf, openingOf, type PreparedOpening } from "../app/opening.ts";
import { memoryFor } from "../app/memory_for_goal.ts";
import { firstOfNewest } from "../app/newest.ts";
import type { CommandContext } from "./command_context.ts";
import { tellFound } from "../app/found_workflows.ts";
import { shipOrSayHow } from "../app/telling/ship_lines.ts";
import { JsonWorkflowView, PlainWorkflowView } from "../faces/pipe/workflow_view.ts";

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
  context: CommandContext,
): Promise<ExitCode> {
  const from = phaseOf(options.from);
  const id = await sessionOf(goal, options);
  const view = options.json ? new JsonWorkflowView() : new PlainWorkflowView();
  const link = new WorkflowLink();
  const opening = await openingOf(options, context.environment, {
    onEvent: (event) => view.show(event),
    link,
  });
  const interruption = interruptible();
  let conversation: Conversation | undefined;
  try {
    const ships = options.ship !== false;
    const show = (event: AgentEvent | WorkflowEvent | ShipEvent) => view.show(event);
    conversation = await open(opening, id, { goal, ships, show });
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
    const state = () => link.state;
    const work = { ...opening, session: conversation.session, state };
    if (end.outcome === "failed") await endWorkflow(work, "failed");
    view.end(end, session, adviceOf(end, session));
    if (end.outcome !== "verified" || !ships) return exitCodeOf(end);
    const writer = modelWriter(conversation);
    const checking = checkingOf(opening, conversation);
    const outcome = await shipOrSayHow(session, () =>
      shipWorkflow({
        ...work,
        settings: opening.configuration.ship,
        overrides: new Set(),
        include: [],
        checking,
        writer,
        onEvent: show,
        signal: interruption.signal,
      }));
    view.shipped(outcome, session);
    return outcome.outcome === "shipped" ? 0 : 1;
  } finally {
    interruption.stop();
    conversation?.close();
    await opening.tools.close();
  }
}

/** What can be known to stand in the way is found out before a session is begun, and before a token is spent. */
async function open(
  opening: PreparedOpening,
  id: string | undefined,
  { goal, ships, show }: {
    goal: string | undefined;
    ships: boolean;
    show(event: { type: "notice"; text: string }): void;
  },
): Promise<Conversation> {
  const { root, environment, clock } = opening;
  const git = new Git(root, environment);
  await requireRepository(git);
  if (ships) await expectShippable(git, clock.now().getTime());
  await ProjectLock.expectFree(root);
  ensureSessionsDirectory(root);
  tellFound(await endAbandoned(opening, id), show);
  if (id !== undefined) return await resumeConversation(opening, id);
  const memory = await memoryFor(root, environment, goal ?? "", show);
  return await startConversation({ ...opening, memory });
}

function phaseOf(given: string | undefined): WorkflowPhase | undefined {
  if (given === undefined) return undefined;
  const phase = PHASES.find((known) => known === given);
  if (phase !== undefined) return phase;
  throw new UsageError(`--from ${given}: is not a phase; the phases are ${PHASES.join(", ")}`);
}

/** The session to go on with; undefined for a new one. */
async function sessionOf(
  goal: string | undefined,
  { resume, continue: goOn, from }: RunOptions,
): Promise<string | undefined> {
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
  const id = resume === undefined
    ? await firstOfNewest(".", readable)
    : resolveSessionId(listSessionIds("."), resume);
  if (id !== undefined) return id;
  throw new SessionNotFound('there is no session to continue yet; begin one: m31a run "the goal"');
}

/** Gives the id of a session that can be read: another one is not to be told as abandoned while this one is damaged. */
async function readable(id: string): Promise<string> {
  await readWorkflow(".", id);
  return id;
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
