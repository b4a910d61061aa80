/**
 * What a command prints on stdout.
 * Rule: a reader that has gone away (`m31a … | head`) ends the command quietly; it is no error.
 */
import { writeAllSync } from "./files.ts";
import { stripControlSequences } from "./text.ts";

/** Thrown when nobody reads stdout any more. src/cli/exit.ts ends the program on it, with exit code 0. */
export class OutputClosed extends Error {
  override name = "OutputClosed";
}

/** Whether `error` says that the terminal is gone: its window was closed. */
export function isHangup(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  // Some of Deno's errors carry the system's name of it as code, others only in the message.
  return ("code" in error && error.code === "EIO") || error.message.startsWith("EIO:");
}

/** Writes `text` to stdout as it is. @throws {OutputClosed} when its reader has gone */
export function write(text: string): void {
  try {
    writeAllSync(Deno.stdout, new TextEncoder().encode(text));
  } catch (error) {
    if (error instanceof Deno.errors.BrokenPipe || isHangup(error)) {
      throw new OutputClosed("stdout is closed", { cause: error });
    }
    throw error;
  }
}

/** Writes `text` and a newline to stdout. @throws {OutputClosed} when its reader has gone */
export function printLine(text = ""): void {
  write(`${text}\n`);
}

/** Says something beside a command's result, on stderr. */
export function sayAside(text: string): void {
  console.error(`m31a: ${stripControlSequences(text)}`);
}
