/**
 * A chat whose lines come from a pipe: one turn a line.
 * Rule: the first turn that fails ends it, so that no line is taken for an answer to one that was never given.
 */
import type { TurnEnd } from "../../agent/events.ts";
import type { ExitCode } from "../../platform/errors.ts";
import type { LiveConversation } from "../../app/live_conversation.ts";
import { isAnswered } from "../../app/answers/answers.ts";
import { NOTHING_TO_SUMMARIZE } from "../../app/telling/session_lines.ts";
import { wrapText } from "../terminal/wrap.ts";
import {
  isWorkflowCommand,
  parseChatLine,
  SLASH_COMMANDS,
  type SlashCommand,
} from "../../app/slash_commands.ts";

/**
 * Runs a turn for each line that is not blank, until the lines end, a turn fails, or a signal comes.
 *
 * @param say gets what is told beside the conversation (the answers to slash commands)
 * @returns 0 when every turn had its reply
 */
export async function runPipedChat(
  chat: LiveConversation,
  lines: AsyncIterable<string>,
  signal: AbortSignal,
  say: (text: string) => void,
): Promise<ExitCode> {
  for await (const line of untilAborted(lines, signal)) {
    if (line.trim() === "") continue;
    const parsed = parseChatLine(line);
    if (parsed.kind === "mistake") {
      say(parsed.words);
      return 2;
    }
    if (parsed.kind === "command") {
      if (parsed.name === "exit") return 0;
      if (isWorkflowCommand(parsed.name)) {
        say(
          `/${parsed.name} needs a terminal, for its questions; without one: m31a run "the goal"`,
        );
        return 2;
      }
      if (parsed.name === "undo" || parsed.name === "rewind") {
        const { name, argument } = parsed;
        const command = `m31a ${name} ${argument}`.trim();
        say(`/${name} needs a terminal, for its question; without one: ${command} --yes`);
        return 2;
      }
      if (parsed.name === "new") await chat.renew();
      if (parsed.name === "help") say(helpText());
      if (parsed.name === "keys") say("/keys is for a terminal: lines from a pipe have no keys");
      if (isAnswered(parsed.name)) say(await chat.answer(parsed.name));
      if (parsed.name === "model") (await chat.changeModel(parsed.argument)).forEach(say);
      if (parsed.name === "compact" && !await chat.compact({ keep: parsed.argument, signal })) {
        say(NOTHING_TO_SUMMARIZE);
      }
      continue;
    }
    const code = exitCodeOf(await chat.say(parsed.text, { signal }));
    if (code !== 0) return code;
  }
  return signal.aborted ? 130 : 0;
}

/** The exit code of a turn. */
export function exitCodeOf(end: TurnEnd): ExitCode {
  if (end.outcome === "replied") return end.flaw === undefined ? 0 : 1;
  return end.reason === "interrupted" ? 130 : 1;
}

/** The list of commands, a line each; at a terminal of so many columns what is too long goes on below itself. */
export function helpText(columns = Infinity): string {
  return SLASH_COMMANDS.map((command: SlashCommand) => {
    const usage = [command.name, command.argument ?? ""].join(" ").trim();
    const begin = `/${usage.padEnd(14)} `;
    const also = command.also?.map((name) => `/${name}`).join(", ");
    const words = also === undefined ? command.help : `${command.help}; also ${also}`;
    const help = wrapText(words, columns - begin.length);
    return begin + help.join(`\n${" ".repeat(begin.length)}`);
  }).join("\n");
}

/** The items of `source`; ends, without waiting for the next, when `signal` is aborted. */
async function* untilAborted<Item>(
  source: AsyncIterable<Item>,
  signal: AbortSignal,
): AsyncGenerator<Item> {
  const iterator = source[Symbol.asyncIterator]();
  const aborted = new Promise<undefined>((resolve) => {
    if (signal.aborted) resolve(undefined);
    signal.addEventListener("abort", () => resolve(undefined), { once: true });
  });
  while (true) {
    const next = await Promise.race([iterator.next(), aborted]);
    if (next === undefined || next.done) return;
    yield next.value;
  }
}
