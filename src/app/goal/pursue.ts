/**
 * A goal from its first word to its commit: what stands in the way, the workflow, the ship.
 * Rule: this order stands here alone. What can be known to stand in the way is found out before a session is begun and
 * before a token is spent.
 */
import type { Conversation } from "../../agent/conversation.ts";
import { Git } from "../../git/run.ts";
import type { Baseline } from "../../session/baseline.ts";
import { expectShippable } from "../../ship/expect_shippable.ts";
import { endAbandoned } from "../../workflow/abandoned.ts";
import type { WorkflowPhase } from "../../workflow/machine.ts";
import { requireRepository } from "../../workflow/phases/initialize.ts";
import { ProjectLock } from "../../workflow/project_lock.ts";
import { endWorkflow } from "../../workflow/ship_workflow.ts";
import { runWorkflow, type WorkflowEnd } from "../../workflow/workflow.ts";
import { tellFound } from "./found_workflows.ts";
import type { GoalParts } from "./goal_parts.ts";
import { memoryFor } from "./memory_for_goal.ts";
import type { ShipEnd } from "./ship_end.ts";
import { shipGoal } from "./ship_goal.ts";

/** What is asked for: a new goal, to go on, or to enter a phase again. */
export interface Pursuit {
  goal?: string | undefined;
  from?: WorkflowPhase | undefined;
  /** False: end with what is verified. */
  ships?: boolean | undefined;
}

/** How it ended. `ship` is there when it was verified and was to be shipped. */
export interface GoalEnd {
  work: WorkflowEnd;
  ship?: ShipEnd;
}

/**
 * Works on a goal until it is shipped, has failed, or is interrupted; tells how each part ended.
 *
 * @param session the conversation's, where it has begun
 * @param begin gives the conversation; a new one gets what earlier sessions taught
 * @throws {UsageError} that says what is in the way {@linkcode SessionError} when the log cannot be written
 */
export async function pursueGoal(
  parts: GoalParts,
  pursuit: Pursuit,
  session: string | undefined,
  begin: (memory: Baseline["memory"]) => Promise<Conversation>,
  signal: AbortSignal,
): Promise<GoalEnd> {
  const { opening, link, isAttended, tell } = parts;
  const { goal, from, ships = true } = pursuit;
  if (goal !== undefined || !isAttended) await lookAhead(parts, session, ships);
  const memory = session === undefined ? await memoryOf(parts, goal) : null;
  const conversation = await begin(memory);
  const work = await runWorkflow({
    conversation,
    link,
    mode: isAttended ? "chat" : "run",
    sandbox: opening.sandbox,
    commands: opening.configuration.commands,
    configuredChecks: opening.configuration.ship.checks,
    onEvent: tell,
    signal,
    ...(goal !== undefined && { goal }),
    ...(from !== undefined && { from }),
  });
  // Somebody who is there may go on; what is left at that is told when the conversation is left.
  if (work.outcome === "failed" && !isAttended) await tellFailure(parts, conversation);
  tell({ type: "workflow_ended", end: work });
  if (work.outcome !== "verified" || !ships) return { work };
  return { work, ship: await shipGoal(parts, conversation, signal) };
}

async function lookAhead(
  { opening, tell }: GoalParts,
  session: string | undefined,
  ships: boolean,
): Promise<void> {
  const { root, environment, clock } = opening;
  const git = new Git(root, environment);
  await requireRepository(git);
  if (ships) await expectShippable(git, clock.now().getTime());
  await ProjectLock.expectFree(root);
  tellFound(await endAbandoned(opening, session), tell);
}

async function memoryOf(
  { opening: { root, environment }, tell }: GoalParts,
  goal = "",
): Promise<Baseline["memory"]> {
  return await memoryFor(root, environment, goal, tell);
}

/** Tells the ledger of a goal that has failed, once it is left at that. */
export async function tellFailure(
  { opening: { root, environment, clock }, link }: GoalParts,
  { session }: Conversation,
): Promise<void> {
  const { phase } = link.state;
  if (phase?.status !== "failed" || phase.phase === "ship") return;
  await endWorkflow({ root, environment, clock, session, state: () => link.state }, "failed");
}
