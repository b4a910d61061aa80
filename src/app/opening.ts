/**
 * From flags, environment and configuration to what a conversation is opened with.
 * Rule: every command that talks to a model opens it here, so that the same settings mean the same everywhere.
 */
import { type ApprovalAnswer, approver } from "../agent/approval.ts";
import type { Configuration, ConfigurationFlags } from "../agent/configuration.ts";
import type { Conversation } from "../agent/conversation.ts";
import type { Opening } from "../agent/open.ts";
import type { OpenApproval, UserQuestion } from "../agent/tool.ts";
import { createTools } from "../agent/tool_list.ts";
import { isInRepository } from "../git/is_repository.ts";
import { Git } from "../git/run.ts";
import { systemClock } from "../platform/clock.ts";
import type { Environment } from "../platform/environment.ts";
import type { Sandbox } from "../agent/sandbox.ts";
import type { ShipRequest } from "../ship/request.ts";
import type { WorkflowLink } from "../workflow/link.ts";
import { configurationToWorkWith, type TrustQuestion } from "./trust.ts";

/** What a conversation is opened with, and what a workflow in it needs besides. */
export interface PreparedOpening extends Opening {
  configuration: Configuration;
  sandbox: Sandbox;
}

/** Where the checks of a ship run. */
export function checkingOf(
  { sandbox, configuration }: Pick<PreparedOpening, "sandbox" | "configuration">,
  conversation: Conversation | undefined,
): ShipRequest["checking"] {
  const { commands } = configuration;
  return { sandbox, commands, secrets: conversation?.world.secrets ?? [] };
}

/** Who sees the events and answers the questions. */
export interface UserInterface {
  onEvent: Opening["onEvent"];
  /** Left out where nobody can be asked: what would need a question is then refused. */
  approve?: (request: OpenApproval) => Promise<ApprovalAnswer>;
  /** Left out where nobody can be asked: the recommended answer is then taken. */
  ask?: (question: UserQuestion) => Promise<string>;
  /** Left out where nobody can be asked: a file that needs trust and has none is then refused. */
  trust?: TrustQuestion;
  /** The workflow that the conversation may have; it puts its questions to its own gates. */
  link?: WorkflowLink;
}

/**
 * Gathers what a conversation in the current folder is opened with.
 *
 * @throws {ConfigurationInvalid}
 * @throws {UsageError} when the configuration needs trust that nobody has given
 */
export async function openingOf(
  flags: ConfigurationFlags,
  environment: Environment,
  ui: UserInterface,
): Promise<PreparedOpening> {
  const root = Deno.realPathSync(".");
  const configuration = await configurationToWorkWith(root, environment, flags, ui.trust);
  const { link } = ui;
  const { registry, sandbox } = await createTools({
    root,
    environment,
    configuration,
    ...(link !== undefined && { control: link }),
  });
  return {
    root,
    clock: systemClock,
    environment,
    ...(flags.model !== undefined && { modelFlag: flags.model }),
    ...(flags.effort !== undefined && { effortFlag: flags.effort }),
    model: configuration.model,
    limits: configuration.limits,
    tools: registry,
    onEvent: ui.onEvent,
    approve: approver(
      configuration.approval,
      () => isInRepository(new Git(root, environment)),
      ui.approve,
    ),
    ...(ui.approve !== undefined && { askUser: ui.approve }),
    ask: ui.ask ?? (({ options }) => Promise.resolve(options[0] ?? "")),
    ...link?.world,
    configuration,
    sandbox,
  };
}
