/**
 * The commands inside a chat: `/help` and the others.
 * Rule: a slash and a single word is a command or a mistake, never a message to the model; only a command that
 * takes something may have more behind it.
 */
import type { Pursuit } from "./goal/pursue.ts";

/** A command inside a chat. */
export interface SlashCommand {
  name: string;
  /** What stands behind the name, for a command that takes something. */
  argument?: string;
  help: string;
}

/** Every command, in the order in which `/help` lists them. */
export const SLASH_COMMANDS = [
  { name: "help", help: "list these commands" },
  {
    name: "goal",
    argument: "TEXT",
    help: "work towards a goal: discuss, plan, execute, verify, ship",
  },
  { name: "continue", help: "go on with the goal of this session" },
  { name: "plan", help: "plan the goal again" },
  { name: "execute", help: "carry out the plan again, as far as it is not done" },
  { name: "verify", help: "run all checks again" },
  { name: "ship", help: "finish what is verified: checklist, commit, ledger, memory, archive" },
  {
    name: "undo",
    argument: "[N]",
    help: "take back what the last turn or task changed, or the last N; shows it first",
  },
  {
    name: "rewind",
    argument: "[TURN]",
    help: "go back to the end of a turn, with the files; alone it lists the turns",
  },
  {
    name: "model",
    argument: "[NAME]",
    help: "go on with another model, provider:name, or effort; alone it says which it is",
  },
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
  | { kind: "command"; name: SlashName; argument: string }
  | { kind: "unknown"; name: string; nearest: SlashName | undefined };

/**
 * Tells commands from messages. `/etc/hosts is wrong` is a message: its first word is a path.
 *
 * @example
 * ```ts
 * import { parseChatLine } from "./slash_commands.ts";
 * import assert from "node:assert/strict";
 *
 * assert.deepEqual(parseChatLine("/help"), { kind: "command", name: "help", argument: "" });
 * assert.equal(parseChatLine("/hlep").kind, "unknown");
 * assert.equal(parseChatLine("/etc/hosts is wrong").kind, "message");
 * ```
 */
export function parseChatLine(line: string): ChatLine {
  const match = /^\/([a-z]*)(?:\s+([\s\S]+))?$/.exec(line.trim());
  const [, given = "", argument = ""] = match ?? [];
  const name = given === "quit" ? "exit" : given;
  const command = SLASH_COMMANDS.find((candidate) => candidate.name === name);
  const takesArgument = command !== undefined && "argument" in command;
  if (match === null || (argument !== "" && !takesArgument)) return { kind: "message", text: line };
  if (command !== undefined) return { kind: "command", name: command.name, argument };
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

export const WORKFLOW_COMMANDS = ["goal", "continue", "plan", "execute", "verify"] as const;

/** A command that works on a goal. */
export type WorkflowCommand = (typeof WORKFLOW_COMMANDS)[number];

/** Whether `name` is a command that works on a goal. */
export function isWorkflowCommand(name: SlashName): name is WorkflowCommand {
  return WORKFLOW_COMMANDS.some((command) => command === name);
}

/** What such a command asks for. */
export function pursuitOf(command: WorkflowCommand, argument: string): Pursuit {
  if (command === "goal") return { goal: argument };
  return command === "continue" ? {} : { from: command };
}

/** What is said of a command that is none. */
export function unknownCommand(name: string, nearest: string | undefined): string {
  const hint = nearest === undefined ? "" : ` Did you mean /${nearest}?`;
  return `There is no command /${name}.${hint} /help lists them.`;
}
