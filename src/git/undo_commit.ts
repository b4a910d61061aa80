/**
 * Taking back the commit that m31a made last.
 * Rule: only an own, unpushed commit on top, that is not a merge; the files of the tree stay as they are.
 */
import { UsageError } from "../platform/errors.ts";
import { decodeLossy } from "../platform/text.ts";
import {
  parseTreeChanges,
  readTreeChanges,
  SESSION_TRAILER,
  syncIndex,
  type TreeChange,
} from "./index_sync.ts";
import { pathKey } from "./path.ts";
import type { Git } from "./run.ts";
import { isPushed, readRepositoryState } from "./state.ts";

/** A commit that can be taken back. */
export interface UndoableCommit {
  commit: string;
  /** `undefined` when it is the repository's first. */
  parent: string | undefined;
  session: string;
  subject: string;
  changes: TreeChange[];
}

/**
 * Looks whether the last commit can be taken back. Nothing is changed.
 *
 * @param session only a commit of this session will do; of any when left out
 * @throws {UsageError} that says why it cannot
 */
export async function previewUndoCommit(git: Git, session?: string): Promise<UndoableCommit> {
  const state = await readRepositoryState(git, 0);
  const refuse = (why: string) => new UsageError(`The last commit cannot be taken back: ${why}.`);
  if (state?.head === undefined) throw refuse("there is none");
  if (state.operation !== undefined) throw refuse(`a ${state.operation} is in progress`);
  if (state.branch === undefined) throw refuse("HEAD is detached");
  const format = `%P%x00%(trailers:key=${SESSION_TRAILER},valueonly,separator=%x2C)%x00%s`;
  const log = await git.read([
    "log",
    "-1",
    "--no-show-signature",
    `--format=${format}`,
    state.head,
  ]);
  const [parents = "", owner = "", subject = ""] = decodeLossy(log).trimEnd().split("\0");
  if (owner === "") throw refuse(`${state.head.slice(0, 12)} (${subject}) is not one of m31a's`);
  if (session !== undefined && owner !== session) {
    throw refuse(`${state.head.slice(0, 12)} is of session ${owner}, not of ${session}`);
  }
  if (parents.includes(" ")) throw refuse(`${state.head.slice(0, 12)} is a merge`);
  if (await isPushed(git, state.head)) {
    throw refuse(`${state.head.slice(0, 12)} was pushed; use "git revert"`);
  }
  const changes = await readTreeChanges(git, state.head);
  const parent = parents === "" ? undefined : parents;
  return { commit: state.head, parent, session: owner, subject, changes };
}

/**
 * Takes the commit back: the branch goes to its parent, and its files are again changed but not staged.
 * What the user has staged since stays staged.
 *
 * @throws {GitError} when the branch has moved in the meantime
 */
export async function undoCommit(git: Git, undoable: UndoableCommit): Promise<void> {
  const { commit, parent, changes } = undoable;
  const args = ["diff-index", "--cached", "--raw", "-z", "--no-renames", "--no-abbrev", commit];
  const staged = parseTreeChanges(await git.read(args)).map((change) => pathKey(change.path));
  const isStaged = new Set(staged);
  const reason = `m31a: take back ${commit.slice(0, 12)}`;
  await git.write(
    parent === undefined
      ? ["update-ref", "-m", reason, "-d", "HEAD", commit]
      : ["update-ref", "-m", reason, "HEAD", parent, commit],
  );
  await syncIndex(git, changes.filter(({ path }) => !isStaged.has(pathKey(path))), "old");
}
