/**
 * From a project's settings to what one conversation is opened with.
 * Rule: every conversation is opened here, so that the same settings mean the same for every face.
 */
import { type ApprovalAnswer, approver } from "../agent/approval.ts";
import type { Configuration, ConfigurationFlags } from "../agent/configuration.ts";
import type { ServerConfiguration } from "../agent/configuration_schema.ts";
import type { Conversation, ConversationWorld } from "../agent/conversation.ts";
import type { Opening } from "../agent/open.ts";
import type { Sandbox } from "../agent/sandbox.ts";
import type { OpenApproval } from "../agent/tool.ts";
import { createTools } from "../agent/tool_list.ts";
import { isInRepository } from "../git/is_repository.ts";
import { Git } from "../git/run.ts";
import { systemClock } from "../platform/clock.ts";
import type { Environment } from "../platform/environment.ts";
import type { ShipRequest } from "../ship/request.ts";
import type { WorkflowLink } from "../workflow/link.ts";

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

/** A project's settings. */
export interface ProjectSettings {
  /** The project's root, a real path. */
  root: string;
  environment: Environment;
  configuration: Configuration;
  flags: ConfigurationFlags;
}

/** What a client brings along for a conversation. */
export interface Brought {
  /** The id that a new session was promised to have. */
  session?: string;
  /** MCP servers, by name. */
  servers?: Readonly<Record<string, ServerConfiguration>>;
  /** A file as its editor has it; undefined when no editor has it. */
  openText?: NonNullable<ConversationWorld["openText"]>;
  /** Why a tool may not be used now; what the workflow forbids is forbidden besides. */
  forbid?: NonNullable<ConversationWorld["forbid"]>;
}

/** What the conversation has of the one that holds it. */
export interface Holder {
  /** Its workflow; it puts its questions to its own gates. */
  link: WorkflowLink;
  onEvent: Opening["onEvent"];
  onDurable: NonNullable<Opening["onDurable"]>;
  takeSteered: NonNullable<Opening["takeSteered"]>;
  folds: NonNullable<Opening["folds"]>;
  /** Left out where nobody can be asked: what would need a question is then refused. */
  approve?: (request: OpenApproval) => Promise<ApprovalAnswer>;
}

/** Gathers what a conversation is opened with. @throws {WorkFailed} {@linkcode UsageError} as {@linkcode createTools} does */
export async function prepareOpening(
  { root, environment, configuration, flags }: ProjectSettings,
  holder: Holder,
  { session, servers, openText, forbid }: Brought = {},
): Promise<PreparedOpening> {
  const { link, onEvent, onDurable, takeSteered, folds } = holder;
  const { registry, sandbox } = await createTools({
    root,
    environment,
    configuration,
    control: link,
    ...(servers !== undefined && { brought: servers }),
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
    approve: approver(
      configuration.approval,
      () => isInRepository(new Git(root, environment)),
      holder.approve,
    ),
    ...(holder.approve !== undefined && { askUser: holder.approve }),
    ...link.world,
    ...(session !== undefined && { session }),
    forbid: (tool, effect) => forbid?.(tool, effect) ?? link.world.forbid(tool, effect),
    folds: (baseline) => [...link.world.folds(baseline), ...folds(baseline)],
    onEvent,
    onDurable,
    takeSteered,
    ...(openText !== undefined && { openText }),
    configuration,
    sandbox,
  };
}
