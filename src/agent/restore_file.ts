/**
 * Putting one file back to what it held before something else of the project's rewrote it.
 * Rule: byte for byte, from what the session keeps; where that cannot be, the reason is told.
 */
import { applyChanges, prepareChanges } from "../git/apply.ts";
import { readFileState } from "../git/file_state.ts";
import { WorkFailed } from "../platform/errors.ts";
import type { TouchedFile } from "../session/outcome.ts";
import { loadState } from "./kept_change.ts";
import { sessionGit, type SessionPlace } from "./session_tree.ts";

/**
 * Puts a file back.
 *
 * @returns why it could not be; undefined when it is as it was
 */
export async function restoreFile(
  place: SessionPlace,
  { path, before }: Pick<TouchedFile, "path" | "before">,
): Promise<string | undefined> {
  if (before?.kept === false) return "what it held was too large to be kept";
  try {
    const git = await sessionGit(place);
    const change = {
      path,
      before: readFileState(place.root, path),
      after: await loadState(git, before),
    };
    await applyChanges(git, await prepareChanges(git, [change]));
    return undefined;
  } catch (error) {
    if (!(error instanceof WorkFailed)) throw error;
    return `it could not be put back: ${error.message}`;
  }
}
