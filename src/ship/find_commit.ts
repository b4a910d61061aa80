/**
 * A commit that a ship made before it was killed.
 * Rule: it is told by its session's trailer and by its parent, which the log has from before it was made.
 */
import { resumeCommit } from "../git/commit.ts";
import { readTreeChanges, SESSION_TRAILER } from "../git/index_sync.ts";
import type { Git } from "../git/run.ts";
import { headCommit } from "../git/state.ts";
import { decodeLossy } from "../platform/text.ts";

/** A commit, and the paths in it. */
export interface FoundCommit {
  commit: string;
  paths: string[];
}

/**
 * Finds the commit of `session` whose only parent is `base` (null: that has none), on the branch
 * that is checked out; and ends what was begun with the index when it is the last one.
 */
export async function findCommit(
  git: Git,
  session: string,
  base: string | null,
): Promise<FoundCommit | undefined> {
  const head = await headCommit(git);
  if (head === undefined || head === base) return undefined;
  const range = base === null ? [head] : ["--ancestry-path", `${base}..${head}`];
  const format = `%H%x00%P%x00%(trailers:key=${SESSION_TRAILER},valueonly,separator=%x2C)`;
  const args = ["log", "--no-show-signature", `--format=${format}`, ...range, "--"];
  const lines = (await git.readText(args)).split("\n").map((line) => line.split("\0"));
  const line = lines.find(([, parents, owner]) => owner === session && parents === (base ?? ""));
  const commit = line?.[0];
  if (commit === undefined) return undefined;
  if (commit === head) {
    const resumed = await resumeCommit(git, session);
    if (resumed !== undefined) {
      return { commit, paths: resumed.paths.map(({ text }) => text) };
    }
  }
  const changes = await readTreeChanges(git, commit);
  return { commit, paths: changes.map(({ path }) => decodeLossy(path.bytes)) };
}
