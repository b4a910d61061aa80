/**
 * The errors that m31a shows to people, and the exit codes they end in.
 * Rule: a message names the path, the line and the next step; one place (cli) turns it into an exit code.
 */

/** Exit codes of the executable: 0 done, 1 the work did not succeed, 2 wrong use, 3 damaged data, 130 interrupted. */
export type ExitCode = 0 | 1 | 2 | 3 | 130;

/** The root of every error with a message meant for the user. Anything else that is thrown is a defect. */
export class M31aError extends Error {
  /** The process's exit code when this error ends it. */
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
    this.exitCode = exitCode;
  }
}

/** The work was done rightly but did not succeed: a failing check, a provider that refuses. Exit code 1. */
export class WorkFailed extends M31aError {
  constructor(message: string, options?: ErrorOptions) {
    super(message, 1, options);
  }
}

/** The caller asked for something that makes no sense; the message says what would. Exit code 2. */
export class UsageError extends M31aError {
  constructor(message: string, options?: ErrorOptions) {
    super(message, 2, options);
  }
}

/** Data on disk is not what was written; the message names file and line. Exit code 3. */
export class DamagedData extends M31aError {
  constructor(message: string, options?: ErrorOptions) {
    super(message, 3, options);
  }
}

/** The user interrupted the work (Ctrl-C, SIGTERM). Exit code 130. */
export class Interrupted extends M31aError {
  constructor(message = "interrupted", options?: ErrorOptions) {
    super(message, 130, options);
  }
}

/** An operation on a file failed; `path` is the file, `cause` the operating system's error. Exit code 1. */
export class FileError extends M31aError {
  readonly path: string;

  constructor(path: string, message: string, options?: ErrorOptions) {
    super(`${path}: ${message}`, 1, options);
    this.path = path;
  }
}

/** The text of anything that was thrown, for a message that names its cause. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
