/**
 * Shipping what is verified, from inside a conversation.
 * Rule: where somebody can be asked, nothing is committed before the checklist was told and the answer is yes.
 */
import type { Conversation } from "../../agent/conversation.ts";
import { startedDifferences } from "../../agent/git_guard.ts";
import { Git } from "../../git/run.ts";
import { M31aError } from "../../platform/errors.ts";
import { stripControlSequences } from "../../platform/text.ts";
import { SessionError } from "../../session/errors.ts";
import type { Override } from "../../ship/preflight/check.ts";
import type { ShipOutcome } from "../../ship/ship.ts";
import { modelWriter } from "../../ship/model_writer.ts";
import { shipWorkflow } from "../../workflow/ship_workflow.ts";
import { checkingOf } from "../opening.ts";
import type { GoalParts } from "./goal_parts.ts";
import type { ShipEnd } from "./ship_end.ts";
import { shipOrSayHow } from "./ship_or_say_how.ts";

/**
 * Ships the session of `conversation`, and tells how it ended.
 *
 * @throws {CommitFailed} and the like, where nobody can be asked {@linkcode SessionError} when the log cannot be written
 */
export async function shipGoal(
  parts: GoalParts,
  conversation: Conversation,
  signal: AbortSignal,
): Promise<ShipEnd> {
  const end = parts.isAttended
    ? await shipWithUser(parts, conversation, signal)
    : await shipOrSayHow(
      conversation.session.id,
      () => shipWith(parts, conversation, signal),
    );
  parts.tell({ type: "ship_ended", end });
  return end;
}

async function shipWithUser(
  parts: GoalParts,
  conversation: Conversation,
  signal: AbortSignal,
): Promise<ShipEnd> {
  try {
    const outcome = await shipWith(parts, conversation, signal);
    const hooks = hooksInTheWay(outcome);
    if (hooks.length === 0 || !await mayRun(parts, hooks, signal)) return outcome;
    return await shipWith(parts, conversation, signal, "--changed-hooks");
  } catch (error) {
    const isForUser = error instanceof M31aError && !(error instanceof SessionError);
    if (!isForUser || signal.aborted) throw error;
    return { outcome: "failed", reason: stripControlSequences(error.message) };
  }
}

async function shipWith(
  { opening, link, isAttended, questions, tell }: GoalParts,
  conversation: Conversation,
  signal: AbortSignal,
  ...overrides: Override[]
): Promise<ShipOutcome> {
  const confirm = async () => {
    const question = "Commit this now?";
    const asked = { kind: "confirmation", about: "commit", question, detail: "" } as const;
    return (await questions.ask(asked, signal)).isConfirmed;
  };
  return await shipWorkflow({
    ...opening,
    session: conversation.session,
    state: () => link.state,
    settings: opening.configuration.ship,
    overrides: new Set(overrides),
    include: [],
    checking: checkingOf(opening, conversation),
    writer: modelWriter(conversation),
    ...(isAttended && { confirm }),
    onEvent: tell,
    signal,
  });
}

/** The changed hooks, where they alone stand in the way. */
function hooksInTheWay(outcome: ShipOutcome): readonly string[] {
  if (outcome.outcome !== "blocked") return [];
  const [block, ...more] = outcome.checks.filter(({ verdict }) => verdict === "block");
  return block?.name === "hooks" && more.length === 0 ? block.places : [];
}

async function mayRun(
  { opening: { root, environment }, questions }: GoalParts,
  hooks: readonly string[],
  signal: AbortSignal,
): Promise<boolean> {
  const detail = await startedDifferences(new Git(root, environment), hooks);
  const question = `Let git run what this session has changed in ${hooks.join(", ")}?`;
  const asked = { kind: "confirmation", about: "hooks", question, detail } as const;
  return (await questions.ask(asked, signal)).isConfirmed;
}
