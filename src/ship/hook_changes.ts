/**
 * What hooks make of files while a commit is made.
 * Rule: what belongs to the commit is the session's; what does not is put back, and named where that cannot be. A new
 * file stays where it is, and is named.
 */
import { checkpointFiles } from "../agent/checkpoint_files.ts";
import { restoreFile } from "../agent/restore_file.ts";
import { type SessionPlace, sessionStore, sessionTree } from "../agent/session_tree.ts";
import { TreeWatch, type WatchedTree } from "../agent/tree_watch.ts";
import { createCheckpoint } from "../git/checkpoint.ts";
import { CommitFailed, commitPaths, type CommitRequest, type CommitResult } from "../git/commit.ts";
import { GitError } from "../git/errors.ts";
import { gitPath, splitNul } from "../git/path.ts";
import type { TouchedFile } from "../session/outcome.ts";
import type { ShipLog } from "./log.ts";
import type { ShipRequest } from "./request.ts";

/** How a try to commit ended. */
export type CommitTry =
  | { outcome: "made"; result: CommitResult }
  /** A hook changed these files of the commit, and did not let it pass: they are the session's now. */
  | { outcome: "fixed"; paths: string[]; failure: unknown };

/**
 * Tries to make the commit, and settles what its hooks have changed.
 *
 * @throws {CommitFailed} when it cannot be made, and no hook has changed what it would hold
 */
export async function tryCommit(
  request: ShipRequest,
  log: ShipLog,
  commit: CommitRequest,
): Promise<CommitTry> {
  const { keepBytes } = request.checking.commands;
  const watch = await TreeWatch.begin(sessionTree(placeOf(request), keepBytes), request.signal);
  const ended = await attempt(request, commit);
  const watched = await watch.end();
  const hasRefused = "error" in ended && isRefusal(ended.error);
  const names = "error" in ended
    // A hook that was stopped half-way has not said what it wants of the files.
    ? hasRefused ? commit.paths : []
    : [...commit.paths, ...ended.result.paths];
  const own = new Set(names.map(({ text }) => text));
  const fixed = watched.touched.filter(({ path }) => own.has(path));
  const others = watched.touched.filter(({ path }) => !own.has(path));
  if (fixed.length > 0) await keepAsOwn(request, log, { ...watched, touched: fixed });
  await settleOthers(request, others, watched.unknown);
  if ("result" in ended) {
    await tellFixed(request, ended.result.commit, fixed);
    return { outcome: "made", result: ended.result };
  }
  if (!hasRefused || fixed.length === 0) throw ended.error;
  return { outcome: "fixed", paths: fixed.map(({ path }) => path), failure: ended.error };
}

/** Names what a hook has changed of the commit's files, and what of that the commit does not hold. */
async function tellFixed(
  { git, onEvent }: ShipRequest,
  commit: string,
  fixed: readonly TouchedFile[],
): Promise<void> {
  if (fixed.length === 0) return;
  const options = ["--name-only", "-z", "--no-ext-diff", "--no-textconv"];
  const args = ["diff", ...options, "--ignore-submodules=dirty", commit, "--"];
  const differing = await git.read([...args, ...fixed.map(({ path }) => path)]);
  const others = new Set(splitNul(differing).fields.map((name) => gitPath(name).text));
  const isHeld = ({ path }: TouchedFile) => !others.has(path);
  const names = (files: readonly TouchedFile[]) => files.map(({ path }) => path).join(", ");
  const [held, beside] = [fixed.filter(isHeld), fixed.filter((file) => !isHeld(file))];
  const tell = (text: string) => onEvent({ type: "notice", text });
  if (held.length > 0) tell(`A hook changed files, and the commit has them so: ${names(held)}`);
  if (beside.length > 0) {
    tell(
      `A hook changed files of the commit, which does not have them so: ${names(beside)}. ` +
        "They stay changed in the working tree (git diff)",
    );
  }
}

async function attempt(
  { git }: ShipRequest,
  commit: CommitRequest,
): Promise<{ result: CommitResult } | { error: unknown }> {
  try {
    return { result: await commitPaths(git, commit) };
  } catch (error) {
    return { error };
  }
}

/** Whether git or a hook has said no, in its own time. */
function isRefusal(error: unknown): boolean {
  return error instanceof CommitFailed && error.cause instanceof GitError && !error.cause.timedOut;
}

/** A checkpoint makes the changes the session's, and an undo takes them back, too. */
async function keepAsOwn(
  request: ShipRequest,
  log: ShipLog,
  watched: Pick<WatchedTree, "touched" | "unknown">,
): Promise<void> {
  const { git, session, account, clock } = request;
  const { files, unkept } = checkpointFiles(watched);
  const number = account.touched.lastCheckpoint + 1;
  const { commit } = await createCheckpoint(git, {
    session: session.id,
    number,
    files,
    store: await sessionStore(placeOf(request)),
    message: "changed by a hook",
    atMs: clock.now().getTime(),
  });
  const paths = files.map(({ path }) => path);
  log.append([{
    type: "checkpoint",
    number,
    commit,
    task: null,
    files: paths,
    unkept,
    kind: "task",
  }]);
}

async function settleOthers(
  request: ShipRequest,
  others: readonly TouchedFile[],
  unknown: WatchedTree["unknown"],
): Promise<void> {
  const tell = (text: string) => request.onEvent({ type: "notice", text });
  const restored: string[] = [];
  const lost = unknown.map(({ path, why }) => `${path} (${why})`);
  for (const file of others.filter(({ before }) => before !== null)) {
    const why = await restoreFile(placeOf(request), file);
    if (why === undefined) restored.push(file.path);
    else lost.push(`${file.path} (${why})`);
  }
  const made = others.filter(({ before }) => before === null).map(({ path }) => path);
  if (restored.length > 0) {
    tell(`A hook changed files that are not in the commit. Put back: ${restored.join(", ")}`);
  }
  if (made.length > 0) tell(`A hook made files that are not in the commit: ${made.join(", ")}`);
  if (lost.length > 0) tell(`What a hook made of these files is not known: ${lost.join(", ")}`);
}

function placeOf({ root, environment, session }: ShipRequest): SessionPlace {
  return { root, environment, session: session.id };
}
