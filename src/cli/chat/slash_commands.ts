/**
 * The commands inside a chat: `/help` and the others.
 * Rule: what begins with a slash and a single word is a command or a mistake, never a message to the model.
 */

/** A command inside a chat. */
export interface SlashCommand {
  name: string;
  help: string;
}

/** Every command, in the order in which `/help` lists them. */
export const SLASH_COMMANDS = [
  { name: "help", help: "list these commands" },
  { name: "compact", help: "summarize the conversation and go on with the summary" },
  { name: "session", help: "show the session's id, its model and what it used" },
  { name: "tools", help: "list the tools the model has" },
  { name: "new", help: "leave this conversation and begin another" },
  { name: "exit", help: "leave (also: Ctrl-D, or Ctrl-C twice)" },
] as const satisfies readonly SlashCommand[];

/** The name of a command. */
export type SlashName = (typeof SLASH_COMMANDS)[number]["name"];

/** What a line in a chat is. */
export type ChatLine =
  | { kind: "message"; text: string }
  | { kind: "command"; name: SlashName }
  | { kind: "unknown"; name: string; nearest: SlashName | undefined };

/**
 * Tells commands from messages. `/etc/hosts is wrong` is a message: its first word is a path.
 *
 * @example
 * ```ts
 * import { parseChatLine } from "./slash_commands.ts";
 * import assert from "node:assert/strict";
 *
 * assert.deepEqual(parseChatLine("/help"), { kind: "command", name: "help" });
 * assert.equal(parseChatLine("/hlep").kind, "unknown");
 * assert.equal(parseChatLine("/etc/hosts is wrong").kind, "message");
 * ```
 */
export function parseChatLine(line: string): ChatLine {
  const match = /^\/([a-z]*)\s*$/.exec(line.trim());
  if (match === null) return { kind: "message", text: line };
  const name = match[1] ?? "";
  const command = SLASH_COMMANDS.find((candidate) => candidate.name === name);
  if (command !== undefined) return { kind: "command", name: command.name };
  if (name === "quit") return { kind: "command", name: "exit" };
  return { kind: "unknown", name, nearest: nearestCommand(name) };
}

/** The commands that begin with what was typed: for completion. */
export function completeSlash(typed: string): string[] {
  return SLASH_COMMANDS.map(({ name }) => `/${name}`).filter((name) => name.startsWith(typed));
}

function nearestCommand(name: string): SlashName | undefined {
  const letters = (text: string) => [...text].sort().join("");
  return SLASH_COMMANDS.find((command) =>
    command.name.startsWith(name) || letters(command.name) === letters(name) ||
    command.name[0] === name[0]
  )?.name;
}
