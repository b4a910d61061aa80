/**
 * The one place that turns what was thrown into a message on stderr and an exit code.
 * Rule: a person sees a message that says what to do; a stack is shown for defects alone.
 */
import { type ExitCode, M31aError } from "../platform/errors.ts";
import { stripControlSequences } from "../platform/text.ts";
import { OutputClosed } from "../platform/output.ts";

/** What is said of an error, and the exit code that it ends in. An empty message says nothing. */
export interface Ending {
  message: string;
  exitCode: ExitCode;
}

/** How `error` ends the program; `version` is m31a's own, for the report of a defect. */
export function endingOf(error: unknown, version: string): Ending {
  if (error instanceof OutputClosed) return { message: "", exitCode: 0 };
  if (error instanceof M31aError) {
    return { message: `m31a: ${stripControlSequences(error.message)}`, exitCode: error.exitCode };
  }
  if (error instanceof Deno.errors.InvalidData && /is not valid UTF-8/.test(error.message)) {
    const said = stripControlSequences(error.message);
    return {
      message: `m31a: ${said}; m31a works with names in UTF-8 alone. Rename it.`,
      exitCode: 2,
    };
  }
  const stack = error instanceof Error ? error.stack ?? error.message : String(error);
  const { os, arch } = Deno.build;
  return {
    message: [
      "m31a: this is a defect in m31a, not something that you did. Please report it, with the",
      "command that you ran and these lines:",
      "",
      `m31a ${version}, Deno ${Deno.version.deno}, ${os} ${arch}`,
      stripControlSequences(stack),
    ].join("\n"),
    exitCode: 1,
  };
}

/** Says on stderr how `error` ends the program, and gives the exit code. */
export function report(error: unknown, version: string): ExitCode {
  const { message, exitCode } = endingOf(error, version);
  if (message !== "") console.error(message);
  return exitCode;
}
