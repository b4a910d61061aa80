/**
 * What can go wrong when git is run.
 * Rule: the message names the command, how it ended and what git itself said, as plain text.
 */
import { WorkFailed } from "../platform/errors.ts";
import type { SkippedFolder } from "../platform/programs.ts";
import { stripControlSequences } from "../platform/text.ts";

/** A git command ended with an exit code that its caller did not expect, or ran out of time. */
export class GitError extends WorkFailed {
  /** The arguments after `git`, without the options that every command gets. */
  readonly args: readonly string[];
  /** git's exit code; 128 + the signal's number when a signal ended it. */
  readonly code: number;
  /** What git wrote to its standard error, without control sequences. */
  readonly stderr: string;
  /** The command was stopped because its time was over. */
  readonly timedOut: boolean;

  constructor(
    args: readonly string[],
    ending: { code: number; stderr: string; timedOut?: boolean; timeoutMs?: number },
  ) {
    const said = stripControlSequences(ending.stderr).trim();
    const how = ending.timedOut
      ? `was stopped after ${(ending.timeoutMs ?? 0) / 1000} s`
      : `failed (exit code ${ending.code})`;
    super(`${commandLine(args)} ${how}${said === "" ? "" : `: ${said}`}`);
    this.args = args;
    this.code = ending.code;
    this.stderr = said;
    this.timedOut = ending.timedOut ?? false;
  }
}

/** There is no git in a folder of PATH that m31a takes programs from. */
export class NoGit extends WorkFailed {
  /** @param skipped the folders of PATH that were not looked into */
  constructor(skipped: readonly SkippedFolder[]) {
    const passedOver = skipped.map(({ folder, why }) => `\n  not looked for in ${folder}: ${why}`);
    super(
      "git was not found on the PATH. Install git 2.30 or newer and try again." +
        stripControlSequences(passedOver.join("")),
    );
  }
}

/** A command that needs a repository was run in a folder that is in none. */
export class NotARepository extends GitError {
  /** The folder. */
  readonly root: string;

  constructor(root: string, args: readonly string[], ending: { code: number; stderr: string }) {
    super(args, ending);
    this.root = root;
    this.message = `${root} is not in a git repository. Run "git init" there to make it one.`;
  }
}

/** The command as a person would type it, cut to a readable length. */
function commandLine(args: readonly string[]): string {
  const words = args.map((word) => /^[\w./:=@{}^~,+-]+$/.test(word) ? word : JSON.stringify(word));
  const line = ["git", ...words].join(" ");
  return line.length <= 160 ? line : `${line.slice(0, 159)}…`;
}
