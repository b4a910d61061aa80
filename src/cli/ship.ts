/**
 * `m31a ship`: finishing a session.
 * Rule: nothing is committed that the checklist blocks; without a model that can be reached, the demonstration is of facts alone.
 */
import type { Conversation } from "../agent/conversation.ts";
import { resumeConversation } from "../agent/open.ts";
import { Sandbox } from "../agent/sandbox.ts";
import { guardById } from "../agent/git_guard.ts";
import { refuseTrackedSession } from "../agent/trust_store.ts";
import type { ToolSet } from "../agent/tool_set.ts";
import { Git } from "../git/run.ts";
import { projectName } from "../git/project.ts";
import { systemClock } from "../platform/clock.ts";
import { type ExitCode, UsageError } from "../platform/errors.ts";
import { stripControlSequences } from "../platform/text.ts";
import { Session } from "../session/session.ts";
import type { ShipEvent } from "../ship/events.ts";
import { modelWriter } from "../ship/model_writer.ts";
import { mayShip, type Override, type PreflightCheck } from "../ship/preflight/check.ts";
import { lookAhead } from "../ship/commit_step.ts";
import { readAccount } from "../ship/read_account.ts";
import type { ShipRequest } from "../ship/request.ts";
import { userMessage } from "../ship/user_message.ts";
import { WorkflowFold } from "../workflow/fold.ts";
import { diagnose, outlineOf } from "../workflow/outline.ts";
import { readWorkflow } from "../workflow/read_workflow.ts";
import { shipWorkflow } from "../workflow/ship_workflow.ts";
import { NO_WORKFLOW, type WorkflowState } from "../workflow/state.ts";
import { isInteractive } from "../faces/terminal/terminal_device.ts";
import type { Environment } from "../platform/environment.ts";
import { shipOrSayHow } from "../app/goal/ship_or_say_how.ts";
import { confirm } from "./ask.ts";
import { interruptible } from "./interruption.ts";
import { printLine, sayAside } from "../platform/output.ts";
import type { CommandContext } from "./command_context.ts";
import { checkingOf, type PreparedOpening } from "../app/opening.ts";
import { configurationToWorkWith } from "../app/trust.ts";
import { jsonLine } from "../platform/json_line.ts";
import { checklist, shipJson, shipLines, shipOutcomeLines } from "../app/telling/ship_lines.ts";
import { sessionWithGoal } from "../app/find/session_with_goal.ts";

/** The options of `m31a ship`. */
export interface ShipCommandOptions {
  dryRun?: true | undefined;
  unverified?: true | undefined;
  partial?: true | undefined;
  includeDirty?: true | undefined;
  changedHooks?: true | undefined;
  include?: string[] | undefined;
  message?: string | undefined;
  yes?: true | undefined;
  json?: true | undefined;
}

/** Runs the command. */
export async function run(
  given: string | undefined,
  options: ShipCommandOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const root = Deno.realPathSync(".");
  const message = options.message === undefined ? undefined : userMessage(options.message);
  const id = await sessionWithGoal(root, given, sayAside);
  await refuseTrackedSession(root, context.environment, id);
  guardById(root, context.environment, id);
  const configuration = await configurationToWorkWith(root, context.environment, {});
  const sandbox = new Sandbox(root, configuration.sandbox, context.environment);
  if (options.dryRun) return await dryRun(root, id, options, { sandbox, configuration }, context);
  const interruption = interruptible();
  const opened = await open(root, id, context);
  try {
    const outcome = await shipOrSayHow(id, () =>
      shipWorkflow({
        root,
        environment: context.environment,
        clock: systemClock,
        session: opened.session,
        state: opened.state,
        settings: configuration.ship,
        overrides: overridesOf(options),
        include: options.include ?? [],
        ...(message !== undefined && { message }),
        checking: checkingOf({ sandbox, configuration }, opened.conversation),
        ...(mayAsk(options) && {
          confirm: (checks) => mayBeShipped(checks, context.environment),
        }),
        ...(opened.conversation !== undefined && { writer: modelWriter(opened.conversation) }),
        signal: interruption.signal,
        onEvent: (event) => show(event, options),
      }));
    if (options.json) printLine(jsonLine({ type: "ship_ended", ...shipJson(outcome, id) }));
    if (!options.json) { for (const line of shipOutcomeLines(outcome, id)) print(line); }
    return outcome.outcome === "shipped" ? 0 : 1;
  } finally {
    interruption.stop();
    opened.session.close();
    await sandbox.close();
  }
}

async function dryRun(
  root: string,
  id: string,
  options: ShipCommandOptions,
  { sandbox, configuration }: Pick<PreparedOpening, "sandbox" | "configuration">,
  { environment }: CommandContext,
): Promise<ExitCode> {
  const account = await readAccount(root, id, diagnose);
  const request: ShipRequest = {
    root,
    git: new Git(root, environment),
    environment,
    clock: systemClock,
    session: {
      id,
      baseline: account.baseline,
      append: () => {
        throw new Error("a dry run records nothing");
      },
    },
    account,
    outline: outlineOf(await readWorkflow(root, id)),
    project: await projectName(root, environment),
    author: null,
    settings: configuration.ship,
    overrides: overridesOf(options),
    include: options.include ?? [],
    checking: checkingOf({ sandbox, configuration }, undefined),
    signal: new AbortController().signal,
    onEvent: () => {},
  };
  const checks = await lookAhead(request);
  const isReady = mayShip(checks);
  if (options.json) printLine(jsonLine({ session: id, isReady, checks }));
  if (!options.json) {
    print(`Session ${id}`);
    for (const line of checklist(checks)) print(line);
    print(isReady ? "It can be shipped." : "It cannot be shipped as it is.");
  }
  return isReady ? 0 : 1;
}

interface OpenedSession {
  session: Session;
  state(): WorkflowState;
  /** Undefined when its model cannot be had. */
  conversation: Conversation | undefined;
}

/** Opens the session, with its model where there is one. */
async function open(root: string, id: string, context: CommandContext): Promise<OpenedSession> {
  let fold: WorkflowFold | undefined;
  const folds = (baseline: ConstructorParameters<typeof WorkflowFold>[0]) => [
    fold = new WorkflowFold(baseline),
  ];
  const state = () => fold?.state ?? NO_WORKFLOW;
  const { model, limits } = await configurationToWorkWith(root, context.environment, {});
  try {
    const conversation = await resumeConversation({
      root,
      clock: systemClock,
      environment: context.environment,
      model,
      limits,
      tools: NO_TOOLS,
      onEvent: () => {},
      approve: () => Promise.resolve({ isAllowed: false }),
      ask: () => Promise.resolve(""),
      folds,
    }, id);
    return { session: conversation.session, state, conversation };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const session = await Session.open(root, id, { clock: systemClock, folds });
    return { session, state, conversation: undefined };
  }
}

/** Nothing is called while a session is shipped. */
const NO_TOOLS: ToolSet = {
  definitions: [],
  effectOf: () => "read",
  runCalls: () => Promise.resolve(),
  close: () => Promise.resolve(),
};

function mayAsk({ yes, json }: ShipCommandOptions): boolean {
  return !yes && !json && isInteractive();
}

/** What is fine needs no question. */
async function mayBeShipped(
  checks: readonly PreflightCheck[],
  environment: Environment,
): Promise<boolean> {
  if (checks.every(({ verdict }) => verdict === "pass")) return true;
  return await confirm("Ship it as it is?", environment);
}

function overridesOf(options: ShipCommandOptions): Set<Override> {
  const overrides = new Set<Override>();
  if (options.unverified) overrides.add("--unverified");
  if (options.partial) overrides.add("--partial");
  if (options.includeDirty) overrides.add("--include-dirty");
  if (options.changedHooks) overrides.add("--changed-hooks");
  return overrides;
}

function show(event: ShipEvent, options: ShipCommandOptions): void {
  if (options.json) return printLine(jsonLine(event));
  if (event.type === "notice") return console.error(stripControlSequences(event.text));
  for (const line of shipLines(event)) print(line);
}

function print(line: string): void {
  printLine(stripControlSequences(line));
}
