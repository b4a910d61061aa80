/**
 * The title that a user gives a session, in a file beside its log.
 * Rule: it is a label and no part of the conversation: no request and no record depends on it.
 */
import { join } from "@std/path";
import { UsageError } from "../platform/errors.ts";
import {
  readTextIfExists,
  refuseSymlinks,
  removeIfExists,
  writeAtomically,
} from "../platform/files.ts";
import { stripControlSequences } from "../platform/text.ts";
import { sessionDirectory } from "./layout.ts";

/** A title is to be read in a list, in characters. */
const LONGEST_TITLE = 200;

function titlePath(id: string): string {
  return `${sessionDirectory(id)}/title`;
}

/**
 * The title that was given to session `id`; undefined where none was.
 *
 * @throws {FileError} when the file cannot be read
 */
export function givenTitle(root: string, id: string): string | undefined {
  const text = readTextIfExists(join(root, titlePath(id)), 4 * LONGEST_TITLE + 1);
  if (text === undefined) return undefined;
  refuseSymlinks(root, titlePath(id));
  return text.trim() || undefined;
}

/**
 * Gives session `id` a title; an empty one takes the given one away.
 *
 * @throws {UsageError} for a title that is too long
 * @throws {FileError} when it cannot be written
 */
export function setTitle(root: string, id: string, title: string): void {
  refuseSymlinks(root, titlePath(id));
  const line = stripControlSequences(title).replace(/\s+/g, " ").trim().toWellFormed();
  if (line === "") return removeIfExists(join(root, titlePath(id)));
  const length = Array.from(line).length;
  if (length > LONGEST_TITLE) {
    throw new UsageError(
      `the title has ${length} characters, more than ${LONGEST_TITLE}; shorten it`,
    );
  }
  writeAtomically(join(root, titlePath(id)), `${line}\n`, 0o600);
}
