/**
 * What a conversation's tools may use of it.
 * Rule: a call reaches the log through its intent alone; its result is recorded by whoever runs it.
 */
import { recordableResult } from "./call_result.ts";
import type { Conversation } from "./conversation.ts";
import type { ToolContext } from "./tool.ts";

/** What the model is told of a call that was interrupted. */
export const CUT_OFF_OUTPUT = "Not run to its end: the turn was ended.";

/** The context of the calls that are run now. */
export function callContext(conversation: Conversation, signal: AbortSignal): ToolContext {
  const { world, seenFiles } = conversation;
  return {
    root: world.root,
    session: conversation.session.id,
    signal,
    clock: world.clock,
    environment: world.environment,
    approve: (request) => world.approve({ ...request, id: crypto.randomUUID(), signal }),
    ask: (question) => world.ask(question),
    ...(world.openText !== undefined && { openText: world.openText }),
    forbid: (tool, effect) => world.forbid?.(tool, effect),
    intend({ done, changes }) {
      // What changes or runs something runs alone, after all before it are recorded: it is the first open call.
      const [open] = conversation.session.openCalls;
      if (open === undefined) return;
      conversation.session.append([{ type: "intent", call: open.call, done, changes }]);
    },
    cutOff(outcome) {
      const [open] = conversation.session.openCalls;
      if (open === undefined) return;
      const interrupted = { output: CUT_OFF_OUTPUT, isError: true, outcome };
      const result = recordableResult(open, interrupted, world.secrets);
      conversation.session.append([{ ...result, interrupted: true }]);
    },
    takesImages: async () => await world.model.takesImages?.() ?? false,
    onOutput: (text) => world.onEvent({ type: "tool_output", text }),
    seenFiles,
  };
}
