/**
 * What a session keeps of the project's files, and the tree as it looks at it.
 * Rule: all of it is in the session's folder, and goes when that goes.
 */
import { join } from "@std/path";
import { ContentStore } from "../git/content_store.ts";
import { NotARepository } from "../git/errors.ts";
import { Git } from "../git/run.ts";
import { WorkTree } from "../git/work_tree/work_tree.ts";
import type { Environment } from "../platform/environment.ts";
import { keptFilesDirectory, SESSIONS } from "../session/layout.ts";

/** Whose session it is. */
export interface SessionPlace {
  /** The project's root. */
  root: string;
  environment: Environment;
  /** The session's id. */
  session: string;
}

/** The project's tree. Of files up to `keepBytes` the contents are kept. */
export function sessionTree(place: SessionPlace, keepBytes: number): WorkTree {
  return new WorkTree(new Git(place.root, place.environment), {
    folder: folderOf(place),
    keepBytes,
    apart: [SESSIONS, "planning"],
  });
}

/**
 * The contents that the session keeps.
 *
 * @throws {NotARepository} {@linkcode NoGit}
 */
export function sessionStore(place: SessionPlace): Promise<ContentStore> {
  return ContentStore.open(new Git(place.root, place.environment), folderOf(place));
}

/** git as it reads and writes what the session keeps; outside of a repository, where nothing can be kept, any git. */
export async function sessionGit(place: SessionPlace): Promise<Git> {
  try {
    return (await sessionStore(place)).git;
  } catch (error) {
    if (!(error instanceof NotARepository)) throw error;
    return new Git(place.root, place.environment);
  }
}

function folderOf({ root, session }: SessionPlace): string {
  return join(root, keptFilesDirectory(session));
}
