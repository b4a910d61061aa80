/**
 * What the repository looks like now, for a session's baseline.
 * Rule: facts only, and none is a reason to fail: without a commit, detached or outside a repository there is still an answer.
 */
import { decodeLossy } from "../platform/text.ts";
import { NoGit, NotARepository } from "./errors.ts";
import { type GitPath, gitPath, splitNul } from "./path.ts";
import type { Git } from "./run.ts";
import { startedNow } from "./guard.ts";
import type { StartedFiles } from "./started_files.ts";

/** The repository at one moment. */
export interface RepositorySnapshot {
  /** The commit; null before the first one. */
  head: string | null;
  /** The branch's name; null when HEAD is detached. */
  branch: string | null;
  /** What is not as the last commit has it, in git's order: changed files first, then untracked ones (not the ignored). */
  dirty: { path: string }[];
  /** The project's files that git would start, or take for configuration. */
  runs: StartedFiles;
}

/** Looks at the repository that `git` is bound to; `undefined` when there is none, or no git. */
export async function repositorySnapshot(git: Git): Promise<RepositorySnapshot | undefined> {
  let status: Uint8Array;
  try {
    status = await git.read([
      "status",
      "--porcelain=v2",
      "--branch",
      "-z",
      "--no-renames",
      "--untracked-files=all",
      "--ignore-submodules=dirty",
    ]);
  } catch (error) {
    if (error instanceof NotARepository || error instanceof NoGit) return undefined;
    throw error;
  }
  const { head, branch, paths } = parseStatus(status);
  const dirty = paths.map(({ text }) => ({ path: text }));
  return { head, branch, dirty, runs: await startedNow(git) };
}

/**
 * Reads what `git status --porcelain=v2 --branch -z --no-renames` printed (git-status(1), "Porcelain
 * Format Version 2").
 */
function parseStatus(
  output: Uint8Array,
): { head: string | null; branch: string | null; paths: GitPath[] } {
  let head: string | null = null;
  let branch: string | null = null;
  const paths: GitPath[] = [];
  for (const entry of splitNul(output).fields) {
    const text = decodeLossy(entry);
    const kind = text.charAt(0);
    if (text.startsWith("# branch.oid ")) head = orNull(text.slice(13), "(initial)");
    if (text.startsWith("# branch.head ")) branch = orNull(text.slice(14), "(detached)");
    // How many fields, each ended by one space, stand before the path.
    const fieldsBefore = { "1": 8, u: 10, "?": 1 }[kind];
    if (fieldsBefore !== undefined) paths.push(gitPath(afterSpaces(entry, fieldsBefore)));
  }
  return { head, branch, paths };
}

function orNull(value: string, nothing: string): string | null {
  return value === nothing ? null : value;
}

function afterSpaces(entry: Uint8Array, spaces: number): Uint8Array {
  let start = 0;
  for (let passed = 0; passed < spaces; passed++) start = entry.indexOf(0x20, start) + 1;
  return entry.subarray(start);
}
