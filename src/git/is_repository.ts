/**
 * Whether there is a repository at all.
 * Rule: only that there is none, or no git, is a no; anything else that goes wrong is an error.
 */
import { NoGit, NotARepository } from "./errors.ts";
import type { Git } from "./run.ts";

/**
 * Whether git's root is in a repository, so that contents can be kept.
 *
 * @throws {GitError} when git cannot tell
 */
export async function isInRepository(git: Git): Promise<boolean> {
  try {
    await git.readText(["rev-parse", "--git-dir"], { startsNothing: true });
    return true;
  } catch (error) {
    if (error instanceof NotARepository || error instanceof NoGit) return false;
    throw error;
  }
}
