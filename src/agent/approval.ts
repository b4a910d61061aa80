/**
 * Which commands need no question, and what becomes of a question in each approval mode.
 * Rule: a command that could do more than it seems to is never allowed by a list; an "always" covers its scope and no more.
 */
import { shellWords } from "../platform/shell_words.ts";
import type { Approval, OpenApproval } from "./tool.ts";

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
  const words = shellWords(commandLine);
  if (words === undefined) return false;
  return allowed.map(shellWords).some((entry) =>
    entry !== undefined && entry.length > 0 && entry.every((word, index) => word === words[index])
  );
}

/** Tools whose changes can be taken back by `m31a undo`, where they are kept. */
const UNDOABLE = new Set(["edit_file", "write_file", "delete_file", "move_file"]);

/** How somebody answers: `always` allows whatever the scope covers, for as long as this process goes on. */
export interface ApprovalAnswer {
  decision: "yes" | "no" | "always";
  /** Why not. */
  reason?: string;
}

/** How to allow what was refused because nobody was asked: what stands for a tool, else for any other. */
const WAYS_OUT: Readonly<Record<string, string>> = {
  run_command: "[tools] allow in planning/config.toml allows commands by their first words, " +
    "--approval all everything, and at a terminal you are asked",
};
const WAY_OUT = "--approval all allows it, and at a terminal you are asked";

/** What a change is answered with that could not be taken back. */
const NOT_KEPT =
  'this folder is in no git repository, so the change could not be taken back ("git init" makes it one; ' +
  "--approval all allows it all the same), and nobody can be asked here";

/**
 * Makes the answer to a tool's question. In mode `allowlist`, and in mode `ask` where nobody can be asked, changes to files
 * go ahead where they can be taken back; where they cannot, they need somebody's yes. Everything else is refused.
 *
 * @param isKept whether what is changed here is kept, so that it can be taken back
 * @param askUser puts the question to the user; left out where there is none
 */
export function approver(
  mode: ApprovalMode,
  isKept: () => Promise<boolean>,
  askUser?: (request: OpenApproval) => Promise<ApprovalAnswer>,
): (request: OpenApproval) => Promise<Approval> {
  const covered = new Set<string>();
  return async (request) => {
    if (mode === "all") return { isAllowed: true };
    if (mode === "allowlist" || askUser === undefined) {
      if (!UNDOABLE.has(request.tool)) {
        const who = askUser === undefined
          ? "nobody can be asked here"
          : "nobody is asked in the mode allowlist";
        const reason = `${who}; ${WAYS_OUT[request.tool] ?? WAY_OUT}`;
        return { isAllowed: false, isUnasked: true, reason };
      }
      if (await isKept()) return { isAllowed: true };
    }
    if (askUser === undefined) return { isAllowed: false, isUnasked: true, reason: NOT_KEPT };
    const { keys } = request.scope;
    if (keys.length > 0 && keys.every((key) => covered.has(key))) return { isAllowed: true };
    const { decision, reason } = await askUser(request);
    if (decision === "always") { for (const key of keys) covered.add(key); }
    if (decision !== "no") return { isAllowed: true };
    return { isAllowed: false, ...(reason === undefined ? {} : { reason }) };
  };
}

/**
 * What is told of a no: that somebody said it, or that nobody could.
 *
 * @param outcome what was not done because of it, as a sentence
 */
export function refusalOf(outcome: string, { isUnasked, reason }: Approval): string {
  const who = isUnasked ? "Not allowed, because nobody was asked." : "The user did not allow it.";
  return reason === undefined ? `${who} ${outcome}` : `${who} ${outcome} The reason: ${reason}`;
}
