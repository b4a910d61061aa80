/**
 * What a session that came to nothing has left in the project.
 * Rule: only what is as the session left it, and not as the last commit has it; what was changed since is somebody's work.
 */
import { join } from "@std/path";
import { pendingDiff } from "../git/diff.ts";
import { GitError } from "../git/errors.ts";
import { gitPath } from "../git/path.ts";
import { Git } from "../git/run.ts";
import type { Environment } from "../platform/environment.ts";
import { sessionDirectory } from "../session/layout.ts";
import type { SessionAccount } from "../ship/account.ts";
import { changedSince } from "../ship/preflight/kept_contents.ts";

/** Those of the files that a session has touched, by name. */
export async function filesLeft(
  { root, environment }: { root: string; environment: Environment },
  { session, touched }: SessionAccount,
): Promise<string[]> {
  if (touched.files.length === 0) return [];
  const git = new Git(root, environment);
  try {
    const changed = new Set(await changedSince(git, touched.files));
    const kept = touched.files.map(({ path }) => path).filter((path) => !changed.has(path));
    const { metrics } = await pendingDiff(
      git,
      kept.map((path) => gitPath(path)),
      join(root, sessionDirectory(session)),
    );
    return metrics.files.map(({ path }) => path.text).toSorted();
  } catch (error) {
    // Its checkpoints are gone, or this is no repository any more: nothing could be taken back.
    if (error instanceof GitError) return [];
    throw error;
  }
}
