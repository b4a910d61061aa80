/**
 * From flags, environment and configuration to what a conversation is opened with.
 * Rule: every command that talks to a model opens it here, so that the same settings mean the same everywhere.
 */
import { approver } from "../agent/approval.ts";
import { type ConfigurationFlags, readConfiguration } from "../agent/configuration.ts";
import type { Opening } from "../agent/open.ts";
import type { ApprovalRequest, UserQuestion } from "../agent/tool.ts";
import { createTools } from "../agent/tool_list.ts";
import { systemClock } from "../platform/clock.ts";
import type { CommandContext } from "./program.ts";

/** Who sees the events and answers the questions. */
export interface UserInterface {
  onEvent: Opening["onEvent"];
  /** Left out where nobody can be asked: what would need a question is then refused. */
  approve?: (request: ApprovalRequest) => Promise<boolean>;
  /** Left out where nobody can be asked: the recommended answer is then taken. */
  ask?: (question: UserQuestion) => Promise<string>;
}

/**
 * Gathers what a conversation in the current folder is opened with.
 *
 * @throws {ConfigurationInvalid}
 */
export async function openingOf(
  flags: ConfigurationFlags,
  context: CommandContext,
  ui: UserInterface,
): Promise<Opening> {
  const { environment } = context;
  const root = Deno.realPathSync(".");
  const configuration = readConfiguration(root, environment, flags);
  const { registry } = await createTools({ root, environment, configuration });
  return {
    root,
    clock: systemClock,
    environment,
    ...(flags.model !== undefined && { modelFlag: flags.model }),
    model: configuration.model,
    limits: configuration.limits,
    tools: registry,
    onEvent: ui.onEvent,
    approve: approver(configuration.approval, ui.approve),
    ask: ui.ask ?? (({ options }) => Promise.resolve(options[0] ?? "")),
  };
}
