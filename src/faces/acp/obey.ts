/**
 * What a prompt asks for: words for the model, a goal, or a command of the chat.
 * Rule: a command means what it means in a terminal; its answer is words of m31a's own.
 */
import type { StopReason } from "@agentclientprotocol/sdk";
import type { TurnEnd } from "../../agent/events.ts";
import { chatUndoOf } from "../../app/chat_undo.ts";
import type { GoalEnd, Pursuit } from "../../app/goal/pursue.ts";
import {
  isWorkflowCommand,
  parseChatLine,
  pursuitOf,
  type SlashName,
} from "../../app/slash_commands.ts";
import { isAnswered } from "../../app/answers/answers.ts";
import type { UndoRequest } from "../../app/undo_in_conversation.ts";
import { Interrupted, UsageError, WorkFailed } from "../../platform/errors.ts";
import { turnLines } from "../terminal/undo_view.ts";
import { availableCommands } from "./modes.ts";
import type { PromptMessage } from "./prompt_content.ts";
import type { SessionFace } from "./session_face.ts";

/**
 * Does what a prompt asks for.
 *
 * @param message what the client calls it
 * @returns why it stopped
 * @throws what a terminal would show
 */
export async function obey(
  face: SessionFace,
  { text, images }: PromptMessage,
  message: string | null,
): Promise<StopReason> {
  const parsed = parseChatLine(text);
  if (parsed.kind === "mistake") {
    await face.answer(parsed.words);
    return "end_turn";
  }
  if (parsed.kind === "command") {
    return await command(face, parsed.name, parsed.argument, message);
  }
  if (text.trim() === "" && images.length === 0) throw new UsageError("the prompt is empty");
  if (face.held.company.mode === "goal") return await pursueGoal(face, { text, images }, message);
  return await say(face, { text, images }, message);
}

async function say(
  face: SessionFace,
  { text, images }: PromptMessage,
  message: string | null,
): Promise<StopReason> {
  face.expect(text);
  let accepting = Promise.resolve();
  const end = await untilCancelled(
    face,
    face.held.live.say(text, {
      ...(images.length > 0 && { images }),
      onAccepted: () => accepting = face.accepted(message),
    }),
  );
  await accepting;
  return end === "cancelled" ? end : stopOf(end);
}

/** Says something in the turn that is under way. Resolves when it is on disk. */
export async function steer(face: SessionFace, text: string): Promise<Record<never, never>> {
  const { promise, resolve } = Promise.withResolvers<Record<never, never>>();
  face.held.live.steer(text, () => resolve({}));
  return await promise;
}

async function pursueGoal(
  face: SessionFace,
  { text, images }: PromptMessage,
  message: string | null,
): Promise<StopReason> {
  if (images.length === 0) return await pursue(face, { goal: text }, message);
  throw new UsageError("a goal takes no pictures; say it in words, or show them in the mode chat");
}

/** Works on a goal, and ships it when it is verified. */
export async function pursue(
  face: SessionFace,
  pursuit: Pursuit,
  message: string | null,
): Promise<StopReason> {
  if (pursuit.goal?.trim() === "") throw new UsageError("say what is to be done: /goal TEXT");
  if (pursuit.goal !== undefined) face.expect(pursuit.goal, () => face.accepted(message));
  const end = await untilCancelled<GoalEnd>(face, face.held.live.pursue(pursuit));
  return end === "cancelled" || end.work.outcome === "interrupted" ? "cancelled" : "end_turn";
}

/** Ships what is verified. */
export async function ship(face: SessionFace): Promise<StopReason> {
  const end = await untilCancelled(face, face.held.live.ship());
  if (end === undefined) await face.answer("There is nothing to ship yet.");
  return end === "cancelled" ? end : "end_turn";
}

/** Takes back what turns or tasks have changed. */
export async function undo(face: SessionFace, request: UndoRequest): Promise<StopReason> {
  const isDone = await untilCancelled(face, face.held.live.undo(request));
  if (isDone === false) await face.answer("There is nothing to take back yet.");
  return isDone === "cancelled" ? isDone : "end_turn";
}

/** Summarizes the conversation. @param keep what the summary must hold, where that was said */
export async function compact(face: SessionFace, keep?: string): Promise<StopReason> {
  const isDone = await untilCancelled(face, face.held.live.compact({ keep }));
  if (isDone === false) await face.answer("There is nothing to summarize yet.");
  return isDone === "cancelled" ? isDone : "end_turn";
}

async function command(
  face: SessionFace,
  name: SlashName,
  argument: string,
  message: string | null,
): Promise<StopReason> {
  const { live } = face.held;
  if (isWorkflowCommand(name)) {
    return await pursue(face, pursuitOf(name, argument), message);
  }
  if (isAnswered(name)) {
    await face.answer(await live.answer(name));
    return "end_turn";
  }
  switch (name) {
    case "ship":
      return await ship(face);
    case "compact":
      return await compact(face, argument);
    case "undo":
    case "rewind": {
      const { target, isForced } = chatUndoOf(name, argument);
      if (target !== undefined) return await undo(face, { target, isForced });
      const turns = await live.turns() ?? [];
      await face.answer(turns.length === 0 ? "Nothing was said yet." : turnLines(turns).join("\n"));
      return "end_turn";
    }
    case "model":
      await face.answer((await live.changeModel(argument)).join("\n"));
      return "end_turn";
    case "help":
      await face.answer(commandList());
      return "end_turn";
    case "keys":
    case "new":
    case "exit":
      await face.answer(
        `/${name} is for terminals; here the editor has its own keys, and begins and ends conversations.`,
      );
      return "end_turn";
  }
}

/** The commands, as a list in Markdown. */
function commandList(): string {
  return availableCommands().map(({ name, description, input }) =>
    `- \`/${name}${input ? ` ${input.hint}` : ""}\`: ${description}`
  ).join("\n");
}

/** What comes of a call, or that it was cancelled; the client has been sent all of what happened in it. */
async function untilCancelled<T>(face: SessionFace, call: Promise<T>): Promise<T | "cancelled"> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof Interrupted) return "cancelled";
    throw error;
  } finally {
    await face.caughtUp();
  }
}

/** Why a turn stopped, in the protocol's words; what has none is an error. */
function stopOf(end: TurnEnd): StopReason {
  if (end.outcome === "replied") {
    if (end.finish === "length") return "max_tokens";
    return end.finish === "content-filter" ? "refusal" : "end_turn";
  }
  if (end.reason === "interrupted") return "cancelled";
  if (end.reason === "limit") return "max_turn_requests";
  throw new WorkFailed(end.detail);
}
