/**
 * Taking changes back in a conversation, what was said with them or not.
 * Rule: as `m31a undo`: told first, then asked; what stands in the way is said and does not end the conversation.
 */
import type { Conversation } from "../agent/conversation.ts";
import { sessionStore } from "../agent/session_tree.ts";
import { patchTakenAway } from "../git/rollback.ts";
import { Interrupted, M31aError } from "../platform/errors.ts";
import { SessionError } from "../session/errors.ts";
import type { WorkflowLink } from "../workflow/link.ts";
import { UndoableWorkflow } from "../workflow/undo.ts";
import {
  type ListedTurn,
  movesFiles,
  type UndoPreview,
  type UndoTarget,
} from "../workflow/undo_preview.ts";
import type { EventBody } from "./events/conversation_event.ts";
import type { QuestionBroker } from "./questions.ts";

/** What is taken back, and how. */
export interface UndoRequest {
  target: UndoTarget;
  /** Overwrite what the user has changed since; a copy is kept. */
  isForced: boolean;
}

/** Who is asked and told. */
interface UndoParts {
  link: WorkflowLink;
  questions: QuestionBroker;
  tell(event: EventBody): void;
}

/**
 * Tells what would be taken back, asks, and takes it back.
 *
 * @throws {Interrupted} when it is cancelled {@linkcode SessionError} when the log cannot be written
 */
export async function undoInConversation(
  conversation: Conversation,
  { target, isForced }: UndoRequest,
  { link, questions, tell }: UndoParts,
  signal: AbortSignal,
): Promise<void> {
  await withWorkflow(conversation, link, tell, async (workflow) => {
    const preview = await workflow.preview(target);
    tell({ type: "undo_preview", preview, isForced });
    if (!await isWanted(preview, isForced, questions, signal)) return;
    await workflow.carryOut(preview, { force: isForced });
    const isPending = preview.takenBack.some(({ kind }) => kind === "task") &&
      link.state.phase?.phase === "execute";
    tell({ type: "undone", preview, isPending });
  });
}

/** The turns that the conversation can go back to; undefined where something stood in the way, which is told. */
export async function turnsToRewindTo(
  conversation: Conversation,
  { link, tell }: Pick<UndoParts, "link" | "tell">,
): Promise<ListedTurn[] | undefined> {
  let turns: ListedTurn[] | undefined;
  await withWorkflow(conversation, link, tell, async (workflow) => {
    turns = await workflow.turns();
  });
  return turns;
}

/** What the conversation has changed since it began; undefined where something stood in the way, which is told. */
export async function changesSinceBeginning(
  conversation: Conversation,
  { link, tell }: Pick<UndoParts, "link" | "tell">,
): Promise<Pick<UndoPreview, "files" | "patch"> | undefined> {
  let changes: Pick<UndoPreview, "files" | "patch"> | undefined;
  await withWorkflow(conversation, link, tell, async (workflow) => {
    const { files } = await workflow.preview({ kind: "rollback", to: 0 });
    const { git } = await sessionStore({ ...conversation.world, session: conversation.session.id });
    changes = { files, patch: await patchTakenAway(git, files) };
  });
  return changes;
}

async function withWorkflow(
  { world, session, pendingCalls }: Conversation,
  link: WorkflowLink,
  tell: UndoParts["tell"],
  work: (workflow: UndoableWorkflow) => Promise<void>,
): Promise<void> {
  const open = { session, state: () => link.state, pending: pendingCalls.all };
  let workflow: UndoableWorkflow | undefined;
  try {
    workflow = await UndoableWorkflow.over(world, open);
    if (workflow.settled !== undefined) tell({ type: "notice", text: workflow.settled });
    else await work(workflow);
  } catch (error) {
    const isForUser = error instanceof M31aError && !(error instanceof SessionError);
    if (!isForUser || error instanceof Interrupted) throw error;
    tell({ type: "notice", text: error.message });
  } finally {
    workflow?.close();
  }
}

/** What is in conflict is not asked about: carrying it out says why it is not done. */
async function isWanted(
  preview: UndoPreview,
  isForced: boolean,
  questions: QuestionBroker,
  signal: AbortSignal,
): Promise<boolean> {
  if (!isForced && preview.files.some(({ verdict }) => verdict === "conflict")) return true;
  if (preview.rewind === undefined && !movesFiles(preview)) return false;
  const { patch: detail } = preview;
  const asked = {
    kind: "confirmation",
    about: "undo",
    question: "Take this back?",
    detail,
  } as const;
  return (await questions.ask(asked, signal)).isConfirmed;
}
