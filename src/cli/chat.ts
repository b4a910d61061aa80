/**
 * `m31a chat`: a conversation with a model about the project.
 * Rule: the same conversation at a terminal, from a pipe and as JSON; only what is shown differs.
 */
import type { ConfigurationFlags } from "../agent/configuration.ts";
import type { Opening } from "../agent/open.ts";
import { type ExitCode, UsageError } from "../platform/errors.ts";
import { stripControlSequences } from "../platform/text.ts";
import { WorkflowLink } from "../workflow/link.ts";
import type { CommandContext } from "./command_context.ts";
import { ChatSession, type ChatStart } from "../app/chat_session.ts";
import { JsonView } from "../faces/pipe/json_view.ts";
import { readLines } from "../faces/pipe/lines.ts";
import { interruptible, runPipedChat } from "../faces/pipe/piped_chat.ts";
import { PlainView } from "../faces/pipe/plain_view.ts";
import { isInteractive } from "../faces/terminal/terminal_device.ts";
import { openingOf } from "../app/opening.ts";

/** The options of `m31a chat`. */
export interface ChatOptions extends ConfigurationFlags {
  /** True for the newest session. */
  resume?: string | true | undefined;
  continue?: true | undefined;
  json?: true | undefined;
}

/** Runs the command. */
export async function run(
  goal: string | undefined,
  options: ChatOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const start = startOf(options);
  if (!options.json && isInteractive()) {
    const { runInteractiveChat } = await import("../faces/terminal/chat/interactive_chat.ts");
    const begin = options.resume === true ? { kind: "pick" } as const : start;
    return await runInteractiveChat({ goal, flags: options, start: begin }, context.environment);
  }
  if (goal !== undefined) {
    throw new UsageError(
      'a goal in a chat needs a terminal, for its questions; without one: m31a run "the goal"',
    );
  }
  const view = options.json ? new JsonView() : new PlainView();
  const say = (text: string) => console.error(stripControlSequences(text));
  const link = new WorkflowLink();
  const onEvent: Opening["onEvent"] = (event) => view.show(event);
  const opening = await openingOf(options, context.environment, { onEvent, link });
  const chat = await ChatSession.open(opening, start, link);
  const interruption = interruptible();
  try {
    return await runPipedChat(chat, readLines(Deno.stdin.readable), interruption.signal, say);
  } finally {
    interruption.stop();
    await chat.close();
    if (chat.farewell !== undefined) say(chat.farewell);
  }
}

function startOf({ resume, continue: goOn }: ChatOptions): ChatStart {
  if (resume !== undefined && goOn) {
    throw new UsageError("--resume and --continue are two ways to say which session; give one");
  }
  if (typeof resume === "string") return { kind: "resume", id: resume };
  return goOn || resume === true ? { kind: "continue" } : { kind: "new" };
}
