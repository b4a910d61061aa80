/**
 * Which commands need no question, and what becomes of a question in each approval mode.
 * Rule: a command that could do more than it seems to is never allowed by a list.
 */
import type { ApprovalRequest } from "./tool.ts";

/** `ask`: the user is asked; `allowlist`: what is not allowed is refused; `all`: everything is allowed. */
export type ApprovalMode = "ask" | "allowlist" | "all";

/** What makes a line more than one simple command, or hides what it runs. */
const SHELL_OPERATORS = /[;|&$`()<>\n\r\0]/;

/**
 * Whether one of the `allowed` entries allows a command line: the line begins with the entry's words, and
 * has no operator of the shell's, which could start something else behind them.
 *
 * @example
 * ```ts
 * import { isAllowedCommand } from "./approval.ts";
 * import assert from "node:assert/strict";
 *
 * assert(isAllowedCommand("npm test --silent", ["npm test"]));
 * assert(!isAllowedCommand("npm test; rm -rf x", ["npm test"]));
 * assert(!isAllowedCommand("npm testing", ["npm test"]));
 * ```
 */
export function isAllowedCommand(commandLine: string, allowed: readonly string[]): boolean {
  if (SHELL_OPERATORS.test(commandLine)) return false;
  const words = wordsOf(commandLine);
  return allowed.map(wordsOf).some((entry) =>
    entry.length > 0 && entry.every((word, index) => word === words[index])
  );
}

function wordsOf(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== "");
}

/** Tools whose changes can be taken back by `m31a undo`. */
const UNDOABLE = new Set(["edit_file", "write_file", "delete_file", "move_file"]);

/**
 * Makes the answer to a tool's question. In mode `allowlist`, and in mode `ask` where nobody can be asked, changes to files
 * (which can be undone) go ahead and everything else is refused.
 *
 * @param askUser puts the question to the user; left out where there is none
 */
export function approver(
  mode: ApprovalMode,
  askUser?: (request: ApprovalRequest) => Promise<boolean>,
): (request: ApprovalRequest) => Promise<boolean> {
  return async (request) => {
    if (mode === "all") return true;
    if (mode === "ask" && askUser !== undefined) return await askUser(request);
    return UNDOABLE.has(request.tool);
  };
}
