/**
 * Committing exactly the files that are asked for.
 * Rule: the commit is made in an index of its own, so that what the user has staged stays staged and
 * out of it, and a hook that fails or hangs leaves nothing half done.
 */
import { UsageError, WorkFailed } from "../platform/errors.ts";
import { GitError } from "./errors.ts";
import { expectUnchanged } from "./guard.ts";
import { behindIndex, readTreeChanges, SESSION_TRAILER, syncIndex } from "./index_sync.ts";
import { type OwnIndex, withOwnIndex } from "./own_index.ts";
import { type GitPath, pathKey } from "./path.ts";
import type { Git } from "./run.ts";
import { headCommit, ignoredPaths } from "./state.ts";

/** What to commit and how. */
export interface CommitRequest {
  /** Files that were changed, made or deleted; of a renamed file both names. */
  paths: readonly GitPath[];
  /** The whole message, trailers included. */
  message: string;
  /** A folder that m31a may write to, for the index; nothing stays in it. */
  scratch: string;
  /** The time that hooks and signing may take, in milliseconds; five minutes by default. */
  timeoutMs?: number;
  signal?: AbortSignal;
}

/** What was committed. */
export interface CommitResult {
  commit: string;
  /** The files in the commit, those that a hook added included. */
  paths: GitPath[];
  /** Files in the commit that were not asked for: a hook put them there. */
  addedByHook: GitPath[];
  /** Something went wrong after the commit was made, in words for the user. */
  warning?: string;
}

/** git, a hook or the signing program did not let the commit be made. */
export class CommitFailed extends WorkFailed {}

/** A commit is no time to clean the repository up. */
const QUIET = ["-c", "gc.auto=0", "-c", "maintenance.auto=false"];

const DEFAULT_TIMEOUT_MS = 5 * 60_000;

/**
 * Commits the content that `paths` have in the tree now. Hooks run as for any commit; what they add is
 * committed. When it fails, HEAD, the index and the tree are as before (but for what a hook did to the tree).
 *
 * @throws {CommitFailed} with the output of git and its hooks; when time is up; when there is nothing to commit
 * @throws {UsageError} when a path is ignored by git
 */
export async function commitPaths(git: Git, request: CommitRequest): Promise<CommitResult> {
  const ignored = await ignoredPaths(git, request.paths);
  if (ignored.length > 0) {
    throw new UsageError(
      `${ignored.map(({ text }) => text).join(", ")}: ignored by git, so it is not committed. ` +
        "Change .gitignore or leave it out.",
    );
  }
  return await withOwnIndex(git, request.paths, request.scratch, async (index) => {
    const args = ["diff-index", "--cached", "--quiet", index.base];
    const { code } = await git.run("read", args, { env: index.env, okCodes: [0, 1] });
    if (code === 0) {
      throw new CommitFailed("There is nothing to commit: the files are as they were.");
    }
    const warning = await runCommit(git, index, request);
    const commit = await headCommit(git);
    if (commit === undefined || commit === index.head) {
      throw new CommitFailed("git made no commit");
    }
    return await conclude(git, commit, request, warning);
  });
}

/** Runs `git commit`. Resolves to a warning when the commit was made but something after it failed. */
async function runCommit(
  git: Git,
  { env, head }: OwnIndex,
  { message, timeoutMs = DEFAULT_TIMEOUT_MS, signal }: CommitRequest,
): Promise<string | undefined> {
  await expectUnchanged(git, "commit");
  try {
    await git.write([...QUIET, "commit", "--quiet", "--cleanup=whitespace", "--file=-"], {
      env,
      asUser: true,
      stdin: new TextEncoder().encode(message),
      timeoutMs,
      ...(signal === undefined ? {} : { signal }),
    });
    return undefined;
  } catch (error) {
    if (await headCommit(git) !== head) {
      return `The commit was made, but what runs after it failed: ${describe(error)}`;
    }
    if (!(error instanceof GitError)) throw error;
    const hint = error.timedOut ? " A hook or a signing prompt did not end in time." : "";
    throw new CommitFailed(`Nothing was committed.${hint} ${describe(error)}`, { cause: error });
  }
}

function describe(error: unknown): string {
  if (!(error instanceof GitError)) return String(error);
  return error.timedOut || error.stderr === "" ? error.message : error.stderr;
}

async function conclude(
  git: Git,
  commit: string,
  request: CommitRequest,
  warning: string | undefined,
): Promise<CommitResult> {
  const changes = await readTreeChanges(git, commit);
  const paths = changes.map((change) => change.path);
  const asked = new Set(request.paths.map(pathKey));
  const warnings = warning === undefined ? [] : [warning];
  try {
    await syncIndex(git, changes, "new");
  } catch (error) {
    warnings.push(
      `The commit was made, but the index could not be brought up to date: ${describe(error)} ` +
        `Run "git reset" for the committed files.`,
    );
  }
  return {
    commit,
    paths,
    addedByHook: paths.filter((path) => !asked.has(pathKey(path))),
    ...(warnings.length === 0 ? {} : { warning: warnings.join("\n") }),
  };
}

/** The message of a commit, without the line break at its end. */
export async function messageOfCommit(git: Git, commit: string): Promise<string> {
  const args = ["log", "-1", "--no-show-signature", "--format=%B", commit];
  return (await git.readText(args)).replace(/\n+$/, "");
}

/**
 * Gives the last commit another message; hooks that judge a commit do not run again.
 *
 * @returns the commit that takes its place
 * @throws {CommitFailed} with what git or the signing program says; the commit stays as it was then
 */
export async function amendMessage(
  git: Git,
  request: Pick<CommitRequest, "message" | "scratch" | "timeoutMs" | "signal">,
): Promise<string> {
  const { message, scratch, timeoutMs = DEFAULT_TIMEOUT_MS, signal } = request;
  return await withOwnIndex(git, [], scratch, async ({ env, head }) => {
    const args = [
      "commit",
      "--amend",
      "--no-verify",
      "--quiet",
      "--cleanup=whitespace",
      "--file=-",
    ];
    await expectUnchanged(git, "commit");
    try {
      await git.write([...QUIET, ...args], {
        env,
        asUser: true,
        stdin: new TextEncoder().encode(message),
        timeoutMs,
        ...(signal === undefined ? {} : { signal }),
      });
    } catch (error) {
      if (!(error instanceof GitError) || await headCommit(git) !== head) throw error;
      throw new CommitFailed(`The commit's message stays as it was. ${describe(error)}`, {
        cause: error,
      });
    }
    const commit = await headCommit(git);
    if (commit === undefined) throw new CommitFailed("the commit is gone");
    return commit;
  });
}

/**
 * Looks whether the last commit is this session's (by its trailer), as after a ship that was killed, and if
 * so ends what was begun: the user's index is brought up to date for files that it still has as they were before.
 */
export async function resumeCommit(git: Git, session: string): Promise<CommitResult | undefined> {
  const format = `%(trailers:key=${SESSION_TRAILER},valueonly,separator=%x2C)`;
  const owner = await git.readLineIfAny(["log", "-1", "--no-show-signature", `--format=${format}`]);
  const commit = await headCommit(git);
  if (owner !== session || commit === undefined) return undefined;
  const changes = await readTreeChanges(git, commit);
  await syncIndex(git, await behindIndex(git, commit, changes), "new");
  return { commit, paths: changes.map(({ path }) => path), addedByHook: [] };
}
