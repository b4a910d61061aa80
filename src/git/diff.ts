/**
 * What changed: by one commit, or in chosen files since the last one.
 * Rule: reading only; renames are found, names are bytes, the user's diff settings have no say.
 */
import { ADDED_LINES_OPTIONS, type AddedLine, parseAddedLines } from "./added_lines.ts";
import { type DiffMetrics, NUMSTAT_OPTIONS, parseNumstat } from "./numstat.ts";
import { withOwnIndex } from "./own_index.ts";
import type { GitPath } from "./path.ts";
import type { Git } from "./run.ts";

/** What one commit changed against its parent, or against nothing when it is the first. */
export async function metricsOfCommit(git: Git, commit: string): Promise<DiffMetrics> {
  const args = ["diff-tree", "--root", "--no-commit-id", "-r", ...NUMSTAT_OPTIONS, commit];
  return parseNumstat(await git.read(args));
}

/** The patch of one commit against its parent, or against nothing when it is the first, for people. */
export function patchOfCommit(git: Git, commit: string, maxOutputBytes: number): Promise<string> {
  const args = ["diff-tree", "--root", "--no-commit-id", "-r", "-p", "-M"];
  return git.readText([...args, "--no-ext-diff", "--no-textconv", commit], { maxOutputBytes });
}

/** What a commit of some files would hold. */
export interface PendingDiff {
  metrics: DiffMetrics;
  addedLines: AddedLine[];
}

/**
 * Looks at what committing `paths` would change: against the last commit, or nothing where there is
 * none; files that git does not know yet are included.
 *
 * @param scratch a folder that m31a may write to, for an index that is removed again
 */
export async function pendingDiff(
  git: Git,
  paths: readonly GitPath[],
  scratch: string,
): Promise<PendingDiff> {
  return await withOwnIndex(git, paths, scratch, async ({ env, base }) => {
    const [numstat, lines] = await Promise.all([
      git.read(["diff-index", "--cached", ...NUMSTAT_OPTIONS, base], { env }),
      git.read(["diff-index", "--cached", "-p", "-M", ...ADDED_LINES_OPTIONS, base], { env }),
    ]);
    return { metrics: parseNumstat(numstat), addedLines: parseAddedLines(lines) };
  });
}
