/**
 * What a command prints on stdout.
 * Rule: a reader that has gone away (`m31a … | head`) ends the command quietly; it is no error.
 */
import { writeAllSync } from "../platform/files.ts";

/** Thrown when nobody reads stdout any more. src/cli/exit.ts ends the program on it, with exit code 0. */
export class OutputClosed extends Error {
  override name = "OutputClosed";
}

/** Writes `text` to stdout as it is. @throws {OutputClosed} when its reader has gone */
export function write(text: string): void {
  try {
    writeAllSync(Deno.stdout, new TextEncoder().encode(text));
  } catch (error) {
    if (error instanceof Deno.errors.BrokenPipe) {
      throw new OutputClosed("stdout is closed", { cause: error });
    }
    throw error;
  }
}

/** Writes `text` and a newline to stdout. @throws {OutputClosed} when its reader has gone */
export function printLine(text = ""): void {
  write(`${text}\n`);
}
