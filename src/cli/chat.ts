/**
 * `m31a chat`: a conversation with a model about the project.
 * Rule: the same conversation at a terminal, from a pipe and as JSON; only what is shown differs.
 */
import type { ConfigurationFlags } from "../agent/configuration.ts";
import type { ChatStart } from "../app/conversation_host.ts";
import { Project } from "../app/project.ts";
import { farewell } from "../app/telling/session_lines.ts";
import type { OutputFormat } from "../faces/pipe/formats.ts";
import { offerLive } from "../faces/live/offer.ts";
import { readLines } from "../faces/pipe/lines.ts";
import { outputFormatOf, viewOf } from "../faces/pipe/output_format.ts";
import { exitCodeOf, runPipedChat } from "../faces/pipe/piped_chat.ts";
import { isInteractive } from "../faces/terminal/terminal_device.ts";
import { type ExitCode, UsageError } from "../platform/errors.ts";
import { SessionInUse } from "../session/errors.ts";
import { stripControlSequences } from "../platform/text.ts";
import type { CommandContext } from "./command_context.ts";
import { interruptible } from "./interruption.ts";

/** The options of `m31a chat`. */
export interface ChatOptions extends ConfigurationFlags {
  /** True for the newest session. */
  resume?: string | true | undefined;
  continue?: true | undefined;
  json?: true | undefined;
  outputFormat?: OutputFormat | undefined;
  /** `-p`: the parts of one message, after whose turn it ends; `-` is all of standard input. */
  prompt?: readonly string[] | undefined;
}

/** What a chat begins with: a goal to work towards, a first message, or nothing. */
interface ChatBeginning {
  goal?: string | undefined;
  message?: string | undefined;
}

/** Runs the command. */
export async function run(
  { goal, message }: ChatBeginning,
  options: ChatOptions,
  { environment, version }: CommandContext,
): Promise<ExitCode> {
  const start = startOf(options);
  const format = outputFormatOf(options);
  const prompt = await promptOf(options, goal ?? message);
  if (format === undefined && prompt === undefined && isInteractive()) {
    const { runInteractiveChat } = await import("../faces/terminal/chat/interactive_chat.ts");
    const begin = options.resume === true ? { kind: "pick" } as const : start;
    try {
      return await runInteractiveChat(
        { goal, message, flags: options, start: begin },
        { environment, version },
      );
    } catch (error) {
      if (!(error instanceof SessionInUse)) throw error;
      const { offerToAttach } = await import("../faces/terminal/attach/attached_chat.ts");
      return await offerToAttach(error, environment);
    }
  }
  if (goal !== undefined) {
    throw new UsageError(
      'a goal in a chat needs a terminal, for its questions; without one: m31a run "the goal"',
    );
  }
  const view = viewOf(format ?? "text");
  const say = (text: string) => console.error(stripControlSequences(text));
  const project = await Project.open({ environment, flags: options });
  const chat = await project.converse(start, {
    isAttended: false,
    onEvent: (event) => view.show(event),
  });
  const withdraw = offerLive({ live: chat, root: project.root, environment, version, say });
  const interruption = interruptible();
  try {
    const only = prompt ?? message;
    return only === undefined
      ? await runPipedChat(chat, readLines(Deno.stdin.readable), interruption.signal, say)
      : exitCodeOf(await chat.say(only, { signal: interruption.signal }));
  } finally {
    interruption.stop();
    withdraw();
    const words = farewell(chat);
    await chat.close();
    if (words !== undefined) say(words);
  }
}

/** The message of `-p`. What is written like a command of a chat is a message too. */
async function promptOf(
  { prompt }: ChatOptions,
  besides: string | undefined,
): Promise<string | undefined> {
  if (prompt === undefined) return undefined;
  if (besides !== undefined) {
    throw new UsageError(
      "-p takes the whole message, and another one is given; -p can be given twice",
    );
  }
  if (prompt.filter((part) => part === "-").length > 1) {
    throw new UsageError("-p - stands for standard input, which can be read only once");
  }
  const parts = await Promise.all(
    prompt.map((part) => part === "-" ? new Response(Deno.stdin.readable).text() : part),
  );
  const message = parts.map((part) => part.trimEnd()).join("\n\n");
  if (message.trim() !== "") return message;
  throw new UsageError('the message is empty: m31a -p "…", or -p - for standard input');
}

function startOf({ resume, continue: goOn }: ChatOptions): ChatStart {
  if (resume !== undefined && goOn) {
    throw new UsageError("--resume and --continue are two ways to say which session; give one");
  }
  if (typeof resume === "string") return { kind: "resume", id: resume };
  return goOn || resume === true ? { kind: "continue" } : { kind: "new" };
}
