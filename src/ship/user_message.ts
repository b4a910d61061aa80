/**
 * The message that a user gives for a commit.
 * Rule: it stays as it was given, but for white space at its ends and lines' ends; the trailers are m31a's to write.
 */
import { PROVED_TRAILER, SESSION_TRAILER } from "../git/index_sync.ts";
import { UsageError } from "../platform/errors.ts";
import { stripControlSequences } from "../platform/text.ts";

/**
 * Reads `--message TEXT`: a subject, and a body below an empty line where there is one.
 *
 * @throws {UsageError} for an empty one, a second line that is not empty, a trailer of m31a's own
 */
export function userMessage(text: string): string {
  const message = stripControlSequences(text.toWellFormed().replaceAll("\r\n", "\n"))
    .split("\n").map((line) => line.trimEnd()).join("\n").replace(/^\n+|\n+$/g, "");
  if (message === "") throw new UsageError("--message: is empty; give a subject");
  if (/^[^\n]+\n[^\n]/.test(message)) {
    throw new UsageError("--message: the line after the subject has to be empty");
  }
  const own = [SESSION_TRAILER, PROVED_TRAILER].find((trailer) =>
    new RegExp(`^${trailer}\\s*:`, "im").test(message)
  );
  if (own === undefined) return message;
  throw new UsageError(`--message: m31a writes the line "${own}:" itself; leave it out`);
}
