/**
 * Calls that the end of a process cut off, settled by the next one from what they intended.
 * Rule: what had not begun is run; what had is brought to its end if that can be told, and otherwise said to be interrupted.
 */
import { buildPatch } from "../git/patch.ts";
import type { CallOutcome } from "../session/outcome.ts";
import { INTERRUPTED_OUTPUT } from "../session/interrupted_result.ts";
import { callContext } from "./call_context.ts";
import { recordableResult } from "./call_result.ts";
import type { Conversation } from "./conversation.ts";
import { changeOutcome, loadChanges } from "./kept_change.ts";
import type { PendingCall } from "./pending_calls.ts";
import { sessionGit } from "./session_tree.ts";
import { completeChange } from "./settle_change.ts";
import type { ToolOutcome } from "./tool.ts";

/**
 * Gives each interrupted call a result. To be called before anything is appended to a resumed session;
 * without such calls nothing happens. When it fails, the rest get the `interrupted` result.
 *
 * @throws the signal's reason when it is aborted {@linkcode SessionError} when the log cannot be written
 */
export async function settleInterruptedCalls(
  conversation: Conversation,
  signal: AbortSignal,
): Promise<void> {
  const { session, pendingCalls } = conversation;
  if (session.adoptInterruptedCalls().length === 0) return;
  try {
    for (const pending of pendingCalls.all) await settle(conversation, pending, signal);
  } catch (error) {
    session.append(pendingCalls.all.map(({ call }) => interruptedResult(conversation, call)));
    throw error;
  }
}

async function settle(
  conversation: Conversation,
  pending: PendingCall,
  signal: AbortSignal,
): Promise<void> {
  const { world } = conversation;
  const { call, intent } = pending;
  if (intent === undefined) return await runAgain(conversation, pending, signal);
  if (world.tools.effectOf(call.tool) !== "change") {
    const outcome = await world.tools.afterCutOff?.(call.tool, callContext(conversation, signal));
    conversation.session.append([interruptedResult(conversation, call, outcome)]);
    return;
  }
  const { root, environment } = world;
  const git = await sessionGit({ root, environment, session: conversation.session.id });
  const state = await completeChange(git, intent.changes);
  if (state === "untouched") return await runAgain(conversation, pending, signal);
  if (state === "elsewhere") {
    conversation.session.append([interruptedResult(conversation, call)]);
    return;
  }
  const changes = await loadChanges(git, intent.changes);
  const outcome = changeOutcome(intent.done, buildPatch(changes), changes, intent.changes);
  record(conversation, pending, outcome);
}

async function runAgain(
  conversation: Conversation,
  pending: PendingCall,
  signal: AbortSignal,
): Promise<void> {
  const { world } = conversation;
  await world.tools.runCalls([pending.call], callContext(conversation, signal), {
    onStart: ({ call, tool, input }) => world.onEvent({ type: "tool_started", call, tool, input }),
    onResult: (_call, outcome) => record(conversation, pending, outcome),
  });
}

function record(
  { world, session }: Conversation,
  { call }: PendingCall,
  outcome: ToolOutcome,
): void {
  const result = { ...recordableResult(call, outcome, world.secrets), settled: true } as const;
  session.append([result]);
  const { type: _type, ...event } = result;
  world.onEvent({ type: "tool_finished", ...event });
}

function interruptedResult(
  { world }: Conversation,
  call: PendingCall["call"],
  outcome?: CallOutcome,
) {
  const result = { output: INTERRUPTED_OUTPUT, isError: true, ...(outcome && { outcome }) };
  return { ...recordableResult(call, result, world.secrets), interrupted: true } as const;
}
