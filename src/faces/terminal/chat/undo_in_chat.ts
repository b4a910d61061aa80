/**
 * Taking changes back inside a chat, the conversation with them or not.
 * Rule: as `m31a undo`: shown first, then asked; what stands in the way is said and does not end the chat.
 */
import type { Conversation } from "../../../agent/conversation.ts";
import { Interrupted, M31aError, UsageError } from "../../../platform/errors.ts";
import { SessionError } from "../../../session/errors.ts";
import type { WorkflowLink } from "../../../workflow/link.ts";
import { UndoableWorkflow } from "../../../workflow/undo.ts";
import { movesFiles, type UndoPreview, type UndoTarget } from "../../../workflow/undo_preview.ts";
import { createPaint } from "../ansi.ts";
import type { TerminalInput } from "../terminal_input.ts";
import { askUndo } from "../undo_question.ts";
import { doneLine, patchLines, previewLines, turnLines } from "../undo_view.ts";

/** What was typed behind `/undo` or `/rewind`. */
export interface ChatUndo {
  /** Undefined to list the turns. */
  target: UndoTarget | undefined;
  isForced: boolean;
}

/**
 * Reads what was typed behind the command.
 *
 * @throws {UsageError} when it is no number
 *
 * @example
 * ```ts
 * import { chatUndoOf } from "./undo_in_chat.ts";
 * import assert from "node:assert/strict";
 *
 * assert.deepEqual(chatUndoOf("undo", "").target, { kind: "undo", steps: 1 });
 * assert.deepEqual(chatUndoOf("rewind", "2 --force"), {
 *   target: { kind: "rewind", turn: 2 },
 *   isForced: true,
 * });
 * ```
 */
export function chatUndoOf(command: "undo" | "rewind", argument: string): ChatUndo {
  const words = argument.split(/\s+/).filter((word) => word !== "");
  const isForced = words.includes("--force");
  const [number, ...others] = words.filter((word) => word !== "--force");
  const least = command === "undo" ? 1 : 0;
  if (others.length > 0 || number !== undefined && !isNumber(number, least)) {
    throw new UsageError(
      command === "undo"
        ? "/undo takes how many checkpoints to take back, a number from 1, and --force"
        : "/rewind takes the number of a turn, 0 for before the first, and --force; alone it lists the turns",
    );
  }
  if (command === "undo") {
    return { target: { kind: "undo", steps: Number(number ?? "1") }, isForced };
  }
  const target = number === undefined
    ? undefined
    : { kind: "rewind", turn: Number(number) } as const;
  return { target, isForced };
}

function isNumber(text: string, least: number): boolean {
  return /^(0|[1-9]\d{0,8})$/.test(text) && Number(text) >= least;
}

/** Who is asked and told. */
export interface ChatUser {
  input: TerminalInput;
  isColour: boolean;
  say(line: string): void;
}

/**
 * Shows what would be taken back, asks, and takes it back; lists the turns where there is no target.
 *
 * @throws {Interrupted} when the user does not want to answer
 * @throws {SessionError} when the log cannot be written
 */
export async function undoInChat(
  conversation: Conversation | undefined,
  link: WorkflowLink,
  { target, isForced }: ChatUndo,
  user: ChatUser,
): Promise<void> {
  const { say } = user;
  if (conversation === undefined) {
    return say("There is nothing to take back: nothing was said yet.");
  }
  const { world, session, pendingCalls } = conversation;
  const open = { session, state: () => link.state, pending: pendingCalls.all };
  let workflow: UndoableWorkflow | undefined;
  try {
    workflow = await UndoableWorkflow.over(world, open);
    if (workflow.settled !== undefined) return say(workflow.settled);
    if (target === undefined) return await listTurns(workflow, say);
    const preview = await workflow.preview(target);
    for (const line of previewLines(preview, isForced, createPaint(false))) say(line);
    if (!await isWanted(preview, isForced, user)) return;
    await workflow.carryOut(preview, { force: isForced });
    const isPending = preview.takenBack.some(({ kind }) => kind === "task") &&
      link.state.phase?.phase === "execute";
    say(`${doneLine(preview)}${isPending ? " /execute does what is pending again." : ""}`);
  } catch (error) {
    const isForUser = error instanceof M31aError && !(error instanceof SessionError);
    if (!isForUser || error instanceof Interrupted) throw error;
    say(error.message);
  } finally {
    workflow?.close();
  }
}

/** What is in conflict is not asked about: carrying it out says why it is not done. */
async function isWanted(
  preview: UndoPreview,
  isForced: boolean,
  { input, isColour }: ChatUser,
): Promise<boolean> {
  if (!isForced && preview.files.some(({ verdict }) => verdict === "conflict")) return true;
  if (preview.rewind === undefined && !movesFiles(preview)) return false;
  const diff = patchLines(preview.patch, createPaint(isColour));
  const answer = await askUndo(input, "Take this back?", createPaint(isColour), diff);
  if (answer === "interrupt") throw new Interrupted("nothing was changed");
  return answer === "yes";
}

async function listTurns(workflow: UndoableWorkflow, say: (line: string) => void): Promise<void> {
  say("0. before the first turn");
  for (const line of turnLines(await workflow.turns())) say(line);
  say("/rewind TURN goes back to the end of one, with its files.");
}
