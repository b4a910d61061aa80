/**
 * The commands inside a chat: `/help` and the others.
 * Rule: what begins like a command is one or a mistake, never a message to the model: a slash and a single word, the name of
 * a command with anything behind it, and what is a letter away from such a name.
 */
import type { Pursuit } from "./goal/pursue.ts";

/** A command inside a chat. */
export interface SlashCommand {
  name: string;
  /** What stands behind the name, for a command that takes something. */
  argument?: string;
  help: string;
  /** Other names that it goes by. */
  also?: readonly string[];
  /** It is about the terminal itself, or an editor has a way of its own for it. */
  isOfTerminals?: true;
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
  {
    name: "compact",
    argument: "[KEEP]",
    help: "summarize the conversation and go on with the summary; KEEP says what it must hold",
  },
  {
    name: "status",
    help: "show model, folder, mode, sandbox, session, tokens, window and cost",
    also: ["session"],
  },
  { name: "cost", help: "show what each model has used in this session, and what it cost" },
  { name: "diff", help: "show what this conversation has changed since it began, as a patch" },
  { name: "config", help: "list the settings, their values and where these come from" },
  { name: "tools", help: "list the tools the model has" },
  { name: "keys", help: "list the keys and what they do", isOfTerminals: true },
  {
    name: "new",
    help: "leave this conversation and begin another",
    also: ["clear"],
    isOfTerminals: true,
  },
  {
    name: "exit",
    help: "leave (also: Ctrl-D, or Ctrl-C twice)",
    also: ["quit"],
    isOfTerminals: true,
  },
] as const satisfies readonly SlashCommand[];

/** The name of a command. */
export type SlashName = (typeof SLASH_COMMANDS)[number]["name"];

/** What a line in a chat is; of a mistake, what is to be said of it. */
export type ChatLine =
  | { kind: "message"; text: string }
  | { kind: "command"; name: SlashName; argument: string }
  | { kind: "mistake"; words: string };

const COMMANDS: readonly (SlashCommand & { name: SlashName })[] = SLASH_COMMANDS;

/**
 * Tells commands from messages. `/etc/hosts is wrong` is a message: its first word is a path.
 *
 * @example
 * ```ts
 * import { parseChatLine } from "./slash_commands.ts";
 * import assert from "node:assert/strict";
 *
 * assert.deepEqual(parseChatLine("/help"), { kind: "command", name: "help", argument: "" });
 * assert.equal(parseChatLine("/hlep").kind, "mistake");
 * assert.equal(parseChatLine("/modle openai:b").kind, "mistake");
 * assert.equal(parseChatLine("/etc/hosts is wrong").kind, "message");
 * ```
 */
export function parseChatLine(line: string): ChatLine {
  const match = /^\/([a-z]*)(?:\s+([\s\S]+))?$/i.exec(line.trim());
  if (match === null) return { kind: "message", text: line };
  const [, given = "", argument = ""] = match;
  const typed = given.toLowerCase();
  const command = COMMANDS.find((candidate) => namesOf(candidate).includes(typed));
  if (command !== undefined) {
    if (argument === "" || command.argument !== undefined) {
      return { kind: "command", name: command.name, argument };
    }
    const words = `/${typed} takes nothing behind it. ` +
      "To say this line to the model, begin it with another word.";
    return { kind: "mistake", words };
  }
  const nearest = nearestName(typed, argument === "" ? 2 : 1);
  if (argument !== "" && nearest === undefined) return { kind: "message", text: line };
  const hint = nearest === undefined ? "" : ` Did you mean /${nearest}?`;
  return { kind: "mistake", words: `There is no command /${given}.${hint} /help lists them.` };
}

/** The commands that begin with what was typed: for completion. */
export function completeSlash(typed: string): string[] {
  return COMMANDS.flatMap(namesOf).map((name) => `/${name}`)
    .filter((name) => name.startsWith(typed));
}

function namesOf({ name, also = [] }: SlashCommand): string[] {
  return [name, ...also];
}

/** The name that `typed` begins, or that is so many changed letters away at the most. */
function nearestName(typed: string, mostChanges: number): string | undefined {
  const names = COMMANDS.flatMap(namesOf);
  const begun = names.find((name) => typed !== "" && mostChanges > 1 && name.startsWith(typed));
  if (begun !== undefined) return begun;
  const near = names.map((name) => ({ name, changes: changesBetween(typed, name) }))
    .filter(({ name, changes }) => changes <= mostChanges && changes < name.length / 2);
  return near.toSorted((one, other) => one.changes - other.changes)[0]?.name;
}

/** How many letters are to be put in, taken out, replaced or swapped with the next one to make `other` of `one`. */
function changesBetween(one: string, other: string): number {
  const rows: number[][] = [];
  const at = (row: number, column: number) => rows[row]?.[column] ?? Infinity;
  for (let row = 0; row <= one.length; row++) {
    const changes: number[] = rows[row] = [];
    for (let column = 0; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwapped = row > 1 && column > 1 &&
        one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      changes[column] = row + column === 0 ? 0 : Math.min(
        at(row - 1, column) + 1,
        at(row, column - 1) + 1,
        at(row - 1, column - 1) + (isSame ? 0 : 1),
        isSwapped ? at(row - 2, column - 2) + 1 : Infinity,
      );
    }
  }
  return at(one.length, other.length);
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
