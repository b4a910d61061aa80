/**
 * Taking the last task back inside a chat.
 * Rule: as `m31a undo`: shown first, then asked; what stands in the way is said and does not end the chat.
 */
import type { Conversation } from "../../agent/conversation.ts";
import { Interrupted, M31aError } from "../../platform/errors.ts";
import { SessionError } from "../../session/errors.ts";
import type { WorkflowLink } from "../../workflow/link.ts";
import { UndoableWorkflow } from "../../workflow/undo.ts";
import { createPaint } from "../terminal/ansi.ts";
import type { TerminalInput } from "../terminal/terminal_input.ts";
import { askUndo } from "../workflow/undo_question.ts";
import { patchLines, previewLines } from "../workflow/undo_view.ts";

/**
 * Shows what the last task changed, asks, and takes it back.
 *
 * @throws {Interrupted} when the user does not want to answer
 * @throws {SessionError} when the log cannot be written
 */
export async function undoGoal(
  conversation: Conversation | undefined,
  link: WorkflowLink,
  input: TerminalInput,
  isColour: boolean,
  say: (line: string) => void,
): Promise<void> {
  if (conversation === undefined || link.state.goal === null) {
    return say("There is nothing to take back: this session has no goal.");
  }
  const { world, session, pendingCalls } = conversation;
  const open = { session, state: () => link.state, pending: pendingCalls.all };
  let workflow: UndoableWorkflow | undefined;
  try {
    workflow = await UndoableWorkflow.over(world, open);
    if (workflow.settled !== undefined) return say(workflow.settled);
    const preview = await workflow.preview({ kind: "undo", steps: 1 });
    for (const line of previewLines(preview, false, createPaint(false))) say(line);
    if (preview.files.every(({ verdict }) => verdict !== "conflict")) {
      const paint = createPaint(isColour);
      const diff = patchLines(preview.patch, paint);
      const answer = await askUndo(input, "Take this back?", paint, diff);
      if (answer === "interrupt") throw new Interrupted("nothing was changed");
      if (answer === "no") return;
    }
    await workflow.carryOut(preview);
    say(`Done; recorded as checkpoint ${preview.number}. /execute does what is pending again.`);
  } catch (error) {
    const isForUser = error instanceof M31aError && !(error instanceof SessionError);
    if (!isForUser || error instanceof Interrupted) throw error;
    say(error.message);
  } finally {
    workflow?.close();
  }
}
