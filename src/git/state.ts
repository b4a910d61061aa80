/**
 * What condition the repository is in: what a ship must know before it begins.
 * Rule: looks, never repairs; a lock that is found is named, not removed.
 */
import { lstatOrUndefined } from "../platform/files.ts";
import { decodeLatin1, decodeLossy } from "../platform/text.ts";
import { GitError, NotARepository } from "./errors.ts";
import { concatenate, runProcess } from "../platform/processes.ts";
import { type GitPath, gitPath, splitNul } from "./path.ts";
import type { Git } from "./run.ts";

/** Something that was begun in the repository and not ended. */
export type Operation = "merge" | "rebase" | "am" | "cherry-pick" | "revert" | "bisect";

/** A lock on the index that another git holds or left behind. */
export interface IndexLock {
  path: string;
  /** How long ago it was made, in milliseconds; `undefined` where it cannot be told. */
  ageMs: number | undefined;
}

/** The condition of a repository. */
export interface RepositoryState {
  /** The root of the tree. */
  root: string;
  gitDirectory: string;
  /** A linked worktree (`git worktree add`): its git directory is another repository's. */
  isWorktree: boolean;
  /** The commit that is checked out; `undefined` in a repository without one. */
  head: string | undefined;
  /** The branch that is checked out, without `refs/heads/`; `undefined` when HEAD is detached. */
  branch: string | undefined;
  operation: Operation | undefined;
  indexLock: IndexLock | undefined;
  /** Whether git knows whose name and address to put into a commit. */
  hasIdentity: boolean;
}

/** What tells that something is going on, the more specific first: a rebase also has a REBASE_HEAD or a CHERRY_PICK_HEAD. */
const OPERATION_FILES: readonly (readonly [string, Operation])[] = [
  ["rebase-merge", "rebase"],
  ["rebase-apply/applying", "am"],
  ["rebase-apply", "rebase"],
  ["MERGE_HEAD", "merge"],
  ["CHERRY_PICK_HEAD", "cherry-pick"],
  ["REVERT_HEAD", "revert"],
  ["BISECT_LOG", "bisect"],
];

/**
 * Looks at the repository that `git` works in. Resolves to `undefined` when the folder is in none, or
 * in a bare one.
 *
 * @param nowMs the time, in milliseconds since 1970, for the age of a lock
 * @throws {GitError} when git refuses to look, as at a folder that belongs to someone else
 */
export async function readRepositoryState(
  git: Git,
  nowMs: number,
): Promise<RepositoryState | undefined> {
  const markers = OPERATION_FILES.map(([file]) => file);
  let lines: string[];
  try {
    lines = (await git.readText([
      "rev-parse",
      "--path-format=absolute",
      "--show-toplevel",
      "--git-dir",
      "--git-common-dir",
      ...["index.lock", ...markers].flatMap((file) => ["--git-path", file]),
    ], { startsNothing: true })).split("\n");
  } catch (error) {
    if (error instanceof NotARepository) return undefined;
    if (error instanceof GitError && /must be run in a work tree/.test(error.stderr)) {
      return undefined;
    }
    throw error;
  }
  const [root = "", gitDirectory = "", commonDirectory = "", lockPath = "", ...markerPaths] = lines;
  const [head, branch, hasIdentity, present] = await Promise.all([
    headCommit(git),
    git.readLineIfAny(["symbolic-ref", "-q", "--short", "HEAD"], { startsNothing: true }),
    knowsIdentity(git),
    existing(git.root, [lockPath, ...markerPaths.slice(0, markers.length)]),
  ]);
  const operation = OPERATION_FILES.find((_, index) => present.has(markerPaths[index] ?? ""))?.[1];
  return {
    root,
    gitDirectory,
    isWorktree: gitDirectory !== commonDirectory,
    head,
    branch,
    operation,
    indexLock: present.has(lockPath)
      ? { path: lockPath, ageMs: ageOf(lockPath, nowMs) }
      : undefined,
    hasIdentity,
  };
}

/** Whether a commit would have an author and a committer: asked of git itself, which may also guess them. */
async function knowsIdentity(git: Git): Promise<boolean> {
  const answers = await Promise.all(
    ["GIT_AUTHOR_IDENT", "GIT_COMMITTER_IDENT"].map((name) =>
      git.run("read", ["var", name], { okCodes: [0, 1, 128], asUser: true })
    ),
  );
  return answers.every(({ code }) => code === 0);
}

/** The commit that is checked out; `undefined` in a repository without a commit. */
export function headCommit(git: Git): Promise<string | undefined> {
  const args = ["rev-parse", "-q", "--verify", "HEAD^{commit}"];
  return git.readLineIfAny(args, { startsNothing: true });
}

/** Whether a remote has `commit`, as far as was fetched or pushed from here. */
export async function isPushed(git: Git, commit: string): Promise<boolean> {
  const args = ["for-each-ref", "--count=1", `--contains=${commit}`, "refs/remotes"];
  return await git.readLineIfAny(args) !== undefined;
}

/** Those of `paths` that git ignores. A file that matches a pattern but is tracked is not ignored. */
export async function ignoredPaths(git: Git, paths: readonly GitPath[]): Promise<GitPath[]> {
  if (paths.length === 0) return [];
  // Which are tracked is looked up here: check-ignore would compare every path with every entry of the index.
  const tracked = new Set(decodeLatin1(await git.read(["ls-files", "-z"])).split("\0"));
  const untracked = paths.filter(({ bytes }) => !tracked.has(decodeLatin1(bytes)));
  if (untracked.length === 0) return [];
  // check-ignore knows no literal pathspecs; `./` keeps a name that begins with `:` from being read as magic.
  const dotted = untracked.map(({ bytes }) => gitPath(concatenate([DOT_SLASH, bytes])));
  const output = await git.read(["check-ignore", "--no-index", "-z", "--stdin"], {
    stdin: nulTerminated(dotted),
    okCodes: [0, 1],
    pathspecs: "magic",
  });
  return splitNul(output).fields.map((name) => gitPath(name.subarray(DOT_SLASH.byteLength)));
}

const DOT_SLASH = new TextEncoder().encode("./");

/** Paths as git reads them from its standard input with `-z`. */
export function nulTerminated(paths: readonly GitPath[]): Uint8Array {
  return concatenate(paths.flatMap(({ bytes }) => [bytes, Uint8Array.of(0)]));
}

/** Which of `paths` exist. A linked worktree's git directory is outside what m31a may read, so `sh` looks. */
async function existing(cwd: string, paths: readonly string[]): Promise<Set<string>> {
  const script = 'for path; do if test -e "$path"; then printf "%s\\n" "$path"; fi; done';
  const { stdout } = await runProcess({ script, args: paths, env: {}, cwd, startsNothing: true });
  return new Set(decodeLossy(stdout).split("\n").filter((line) => line !== ""));
}

function ageOf(path: string, nowMs: number): number | undefined {
  try {
    const madeMs = lstatOrUndefined(path)?.mtime
      ?.getTime();
    return madeMs === undefined ? undefined : Math.max(0, nowMs - madeMs);
  } catch {
    return undefined;
  }
}
