/**
 * What git may start of the project's files while a session goes on.
 * Rule: git is not run while a file that it would start, or take for configuration, is other than when the session began,
 * unless the user has said yes to what is there now.
 */
import { WorkFailed } from "../platform/errors.ts";
import { lstatOrUndefined } from "../platform/files.ts";
import type { Git } from "./run.ts";
import {
  changedSince,
  type GitSettings,
  readGitSettings,
  startedByCommit,
  startedByGit,
  type StartedFiles,
} from "./started_files.ts";

/** Files of the project's that git would start, and that are not as they were when the session began. */
class StartsChanged extends WorkFailed {
  constructor(paths: readonly string[]) {
    super(
      `git is not run: it would start ${
        paths.join(", ")
      }, outside of the sandbox, or take it for configuration, ` +
        "and that was changed since the session began. Look at it. Put it back, or let git use it: " +
        "m31a ship --changed-hooks, or say yes in a chat.",
    );
  }
}

/** A session's word on what git may start. */
export interface Guard {
  /** What there was when it began. */
  before: StartedFiles;
  /** Whether the user lets git start what was changed: each path with the hash of what is there now. */
  isAllowed(changed: StartedFiles): Promise<boolean>;
}

interface Guarded extends Guard {
  settings?: { signature: string; value: GitSettings };
}

const guards = new Map<string, Guarded>();

/** Has every git of this process that works in `root` guarded, until another guard takes the place. */
export function guardGit(root: string, guard: Guard): void {
  guards.set(root, { ...guard });
}

/** What there is now of all that git would start, at a commit included. @throws {GitError} {@linkcode NoGit} */
export async function startedNow(git: Git): Promise<StartedFiles> {
  const settings = await readGitSettings(git);
  return { ...startedByGit(git.root, settings), ...startedByCommit(git.root, settings) };
}

/**
 * @param when `commit` where hooks are run, too
 * @throws {StartsChanged} when git would start what was changed, and nobody allows it
 */
export async function expectUnchanged(git: Git, when: "always" | "commit"): Promise<void> {
  const guard = guards.get(git.root);
  if (guard === undefined) return;
  const settings = await settingsOf(git, guard);
  const now = {
    ...startedByGit(git.root, settings),
    ...when === "commit" ? startedByCommit(git.root, settings) : {},
  };
  const paths = changedSince(guard.before, now);
  if (paths.length === 0) return;
  const changed = Object.fromEntries(paths.map((path) => [path, now[path] ?? ""]));
  if (!await guard.isAllowed(changed)) throw new StartsChanged(paths);
}

/** Read anew when the project's own configuration may have been written to; files that it includes are compared. */
async function settingsOf(git: Git, guard: Guarded): Promise<GitSettings> {
  const signature = [".git", ".git/config"].map((name) => {
    const info = lstatOrUndefined(`${git.root}/${name}`);
    return info === undefined
      ? ""
      : `${info.ino} ${info.isFile && info.size} ${info.isFile && info.mtime?.getTime()}`;
  }).join();
  if (guard.settings?.signature === signature) return guard.settings.value;
  const value = await readGitSettings(git);
  guard.settings = { signature, value };
  return value;
}
