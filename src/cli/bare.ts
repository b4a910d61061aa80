/**
 * m31a without a command's name: `m31a "several words"`, `m31a -p "…"`, `m31a --continue`, `m31a` alone.
 * Rule: a single word is a command or a mistake, never a message: whoever mistypes a command spends no token.
 */
import { UsageError } from "../platform/errors.ts";

/** The hidden command that such arguments are for. */
export const BARE = "converse";

/** What the program itself answers. */
const OWN_OPTIONS: readonly string[] = ["-h", "--help", "-V", "--version"];

/**
 * `args` with the name of the command that they are for in front.
 *
 * @param isAtTerminal whether a chat can be shown
 *
 * @example
 * ```ts
 * import { withCommand } from "./bare.ts";
 * import assert from "node:assert/strict";
 *
 * assert.deepEqual(withCommand(["what is this?"], true), ["converse", "what is this?"]);
 * assert.deepEqual(withCommand(["status"], true), ["status"]);
 * ```
 */
export function withCommand(args: readonly string[], isAtTerminal: boolean): string[] {
  const [first] = args;
  if (first === undefined) return isAtTerminal ? ["chat"] : [];
  const isBare = first.startsWith("-") ? !OWN_OPTIONS.includes(first) : /\s/.test(first);
  return isBare ? [BARE, ...args] : [...args];
}

/**
 * The message that `words` are; undefined where there are none.
 *
 * @throws {UsageError} for a single word
 */
export function messageIn(words: readonly string[]): string | undefined {
  const message = words.join(" ").trim();
  if (message === "") return undefined;
  if (/\s/.test(message)) return message;
  throw new UsageError(
    `"${message}" is no command, and one word is not taken for a message. ` +
      `\`m31a help\` lists the commands; m31a -p ${message} says it to the model.`,
  );
}
