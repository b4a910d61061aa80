/**
 * The ends of a goal in a chat: what is looked at before it is begun, and how it is shipped.
 * Rule: nothing is committed before the user has seen the checklist and said so.
 */
import type { Conversation } from "../agent/conversation.ts";
import { startedDifferences } from "../agent/git_guard.ts";
import type { UserQuestion } from "../agent/tool.ts";
import { Git } from "../git/run.ts";
import { M31aError } from "../platform/errors.ts";
import { stripControlSequences } from "../platform/text.ts";
import type { Baseline } from "../session/baseline.ts";
import { SessionError } from "../session/errors.ts";
import type { ShipEvent } from "../ship/events.ts";
import { expectShippable } from "../ship/expect_shippable.ts";
import type { Override } from "../ship/preflight/check.ts";
import type { ShipOutcome } from "../ship/ship.ts";
import { modelWriter } from "../ship/model_writer.ts";
import { endAbandoned } from "../workflow/abandoned.ts";
import type { WorkflowLink } from "../workflow/link.ts";
import { endWorkflow, shipWorkflow } from "../workflow/ship_workflow.ts";
import { memoryFor } from "./memory_for_goal.ts";
import { checkingOf, type PreparedOpening } from "./opening.ts";
import { tellFound } from "./found_workflows.ts";
import { shipOutcomeLines } from "./telling/ship_lines.ts";

/**
 * Finds out, before a token is spent on a new goal, what stands in the way of committing it, and what
 * earlier sessions taught. Without a new goal there is nothing to find out.
 *
 * @param session the one that goes on with it
 * @throws {UsageError} that says what is in the way
 */
export async function beginGoal(
  opening: PreparedOpening,
  session: string | undefined,
  goal: string | undefined,
  show: (notice: { type: "notice"; text: string }) => void,
): Promise<Baseline["memory"]> {
  if (goal === undefined) return null;
  const { root, environment, clock } = opening;
  await expectShippable(new Git(root, environment), clock.now().getTime());
  tellFound(await endAbandoned(opening, session), show);
  return await memoryFor(root, environment, goal, show);
}

const COMMIT = "commit it";
const LATER = "not yet";
const RUN_HOOKS = "let git run it";

/** The changed hooks, where they alone stand in the way. */
function hooksInTheWay(outcome: ShipOutcome): readonly string[] {
  if (outcome.outcome !== "blocked") return [];
  const [block, ...more] = outcome.checks.filter(({ verdict }) => verdict === "block");
  return block?.name === "hooks" && more.length === 0 ? block.places : [];
}

/**
 * Ships the session of `conversation`.
 *
 * @returns what to say of how it ended; a commit or a step that fails does not end the chat
 * @throws {SessionError} when the log cannot be written
 */
export async function shipGoal({ conversation, link, opening, ask, show, signal }: {
  conversation: Conversation;
  link: WorkflowLink;
  opening: PreparedOpening;
  ask(question: UserQuestion): Promise<string>;
  show(event: ShipEvent): void;
  signal: AbortSignal;
}): Promise<string[]> {
  const { session } = conversation;
  try {
    const shipWith = async (...overrides: Override[]) =>
      await shipWorkflow({
        ...opening,
        session,
        state: () => link.state,
        settings: opening.configuration.ship,
        overrides: new Set(overrides),
        include: [],
        checking: checkingOf(opening, conversation),
        writer: modelWriter(conversation),
        confirm: async () =>
          await ask({ question: "Commit this now?", options: [COMMIT, LATER] }) === COMMIT,
        onEvent: show,
        signal,
      });
    const outcome = await shipWith();
    const hooks = hooksInTheWay(outcome);
    if (hooks.length === 0) return shipOutcomeLines(outcome, session.id);
    const { root, environment } = opening;
    const difference = await startedDifferences(new Git(root, environment), hooks);
    const question = `${difference}\n\nLet git run what this session has changed in ${
      hooks.join(", ")
    }?`;
    if (await ask({ question, options: [LATER, RUN_HOOKS] }) !== RUN_HOOKS) {
      return shipOutcomeLines(outcome, session.id);
    }
    return shipOutcomeLines(await shipWith("--changed-hooks"), session.id);
  } catch (error) {
    const isForUser = error instanceof M31aError && !(error instanceof SessionError);
    if (!isForUser || signal.aborted) throw error;
    return [
      stripControlSequences(error.message),
      `Not shipped. To try again: /ship, or m31a ship ${session.id}`,
    ];
  }
}

/** Tells the ledger of a goal that has failed when the user leaves it at that. */
export async function tellFailure(
  conversation: Conversation | undefined,
  link: WorkflowLink,
  { root, environment, clock }: PreparedOpening,
): Promise<void> {
  const { phase } = link.state;
  if (conversation === undefined || phase?.status !== "failed" || phase.phase === "ship") return;
  const { session } = conversation;
  await endWorkflow(
    { root, environment, clock, session, state: () => link.state },
    "failed",
  );
}
