/**
 * Changing the tree: a patch goes to `git apply`, and what it wrote is read back.
 * Rule: m31a's own process writes no file; the bytes on disk are exactly those asked for, or an error says so.
 */
import { join } from "@std/path";
import { WorkFailed } from "../platform/errors.ts";
import { lstatOrUndefined } from "../platform/files.ts";
import { type FileChange, isSameState, readFileState, refuseUnsafePath } from "./file_state.ts";
import { buildPatch } from "./patch.ts";
import { GitError } from "./errors.ts";
import { changesHardLink, writeInPlace } from "./hard_links.ts";
import type { Git } from "./run.ts";

/** A file is not what it was when its change was made. */
export class EditConflict extends WorkFailed {
  readonly path: string;

  constructor(path: string, problem = "has changed on disk since it was last read") {
    super(`${path}: ${problem}. Read it again and redo the change; nothing was written.`);
    this.path = path;
  }
}

/** git refused the patch. */
class PatchRefused extends WorkFailed {}

// Outside a repository git knows no attributes and no filters, so nothing converts line ends, expands
// keywords or encodes anew: `git apply` in a folder that is none is the one way to have bytes written as they are.
const NO_REPOSITORY = {
  GIT_DIR: "/dev/null/none",
  GIT_ATTR_NOSYSTEM: "1",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: "/dev/null",
};

const APPLY = [
  "-c",
  "core.attributesFile=/dev/null",
  "-c",
  "core.autocrlf=false",
  "-c",
  "apply.ignoreWhitespace=no",
  "apply",
  "--whitespace=nowarn",
];

/** A patch that git has checked against the tree. */
export interface PreparedChanges {
  readonly changes: readonly FileChange[];
  /** The patch as git would print it; what people are shown and the log keeps. */
  readonly patch: string;
}

/**
 * Turns `changes` into a patch and lets git check that it applies. Nothing is written.
 *
 * @throws {UsageError} for a path that must not be changed
 * @throws {EditConflict} when a file is not what `before` says
 * @throws {PatchRefused} with git's reason
 */
export async function prepareChanges(
  git: Git,
  changes: readonly FileChange[],
): Promise<PreparedChanges> {
  const removed = removedPaths(changes);
  for (const { path, renamedFrom } of changes) {
    refuseUnsafePath(git.root, path, removed);
    if (renamedFrom !== undefined) refuseUnsafePath(git.root, renamedFrom);
  }
  refuseStale(git.root, changes);
  const patch = buildPatch(changes);
  if (patch !== "") await applyPatch(git, patch, ["--check"]);
  return { changes, patch };
}

/**
 * Applies what {@linkcode prepareChanges} gave: all of it or, when git refuses, none. A file that only
 * its owner can read stays so.
 *
 * @throws {EditConflict} when a file has changed in between
 * @throws {PatchRefused} with git's reason
 * @throws {WorkFailed} when the files are afterwards not what was asked for
 */
export async function applyChanges(git: Git, prepared: PreparedChanges): Promise<void> {
  if (prepared.patch === "") return;
  refuseStale(git.root, prepared.changes);
  const linked = prepared.changes.filter((change) => changesHardLink(git.root, change));
  const others = prepared.changes.filter((change) => !linked.includes(change));
  const patch = linked.length === 0 ? prepared.patch : buildPatch(others);
  if (patch !== "") await applyPatch(git, patch, [], narrowedUmask(git.root, others));
  for (const change of linked) await writeInPlace(git, change);
  for (const { path, after, renamedFrom } of prepared.changes) {
    if (renamedFrom !== undefined) expectState(git.root, renamedFrom, undefined);
    expectState(git.root, path, after);
  }
}

/** Applies a patch from the log, forwards or backwards. See {@linkcode applyChanges} for the safer way. */
export async function applyPatch(
  git: Git,
  patch: string,
  options: readonly ("--check" | "--reverse")[] = [],
  umask?: string,
): Promise<void> {
  const run = [...APPLY, ...options, "-"];
  // git creates files with 0666 or 0777 and the process's umask. An alias is git's way to run a command under another umask.
  const args = umask === undefined
    ? run
    : ["-c", `alias.apply-private=!umask ${umask} && exec git ${run.join(" ")}`, "apply-private"];
  try {
    const startsNothing = options.includes("--check");
    const stdin = new TextEncoder().encode(patch);
    await git.write(args, { stdin, env: NO_REPOSITORY, startsNothing });
  } catch (error) {
    if (!(error instanceof GitError) || error.timedOut) throw error;
    throw new PatchRefused(`git refuses the change: ${error.stderr}`, { cause: error });
  }
}

/** The files that `changes` take away, renamed ones among them. */
function removedPaths(changes: readonly FileChange[]): Set<string> {
  return new Set(changes.flatMap(({ path, after, renamedFrom }) => {
    if (after === undefined) return [path];
    return renamedFrom === undefined ? [] : [renamedFrom];
  }));
}

function refuseStale(root: string, changes: readonly FileChange[]): void {
  const removed = removedPaths(changes);
  for (const { path, before, renamedFrom } of changes) {
    if (before === undefined && isEmptiedFolder(root, path, removed)) continue;
    if (!isSameState(readFileState(root, renamedFrom ?? path), before)) {
      throw new EditConflict(renamedFrom ?? path);
    }
    if (renamedFrom !== undefined && lstatOrUndefined(join(root, path)) !== undefined) {
      throw new EditConflict(path, "is already there");
    }
  }
}

/** Whether a folder is at `path` that goes away because all files in it do. git finds out only half-way through. */
function isEmptiedFolder(root: string, path: string, removed: ReadonlySet<string>): boolean {
  if (!lstatOrUndefined(join(root, path))?.isDirectory) return false;
  return [...Deno.readDirSync(join(root, path))].every(({ name, isDirectory }) => {
    const inside = `${path}/${name}`;
    return isDirectory ? isEmptiedFolder(root, inside, removed) : removed.has(inside);
  });
}

function expectState(root: string, path: string, expected: FileChange["after"]): void {
  const isFolder = lstatOrUndefined(join(root, path))?.isDirectory ?? false;
  const found = isFolder ? undefined : readFileState(root, path);
  if (isSameState(found, expected)) return;
  throw new WorkFailed(
    `${path}: git applied the change, but the file is not what was asked for. ` +
      "Another program may have changed it at the same time; look at it before going on.",
  );
}

/** The umask under which no file becomes readable to more people than it was; `undefined` when the usual one will do. */
function narrowedUmask(root: string, changes: readonly FileChange[]): string | undefined {
  let umask = 0;
  for (const { path, before, after, renamedFrom } of changes) {
    if (before === undefined || after === undefined || after.mode === "120000") continue;
    const mode = lstatOrUndefined(join(root, renamedFrom ?? path))?.mode;
    if (typeof mode !== "number") continue;
    const permissions = mode & 0o777;
    if (permissions === 0o644 || permissions === 0o755) continue;
    umask |= ~permissions & (after.mode === "100755" ? 0o777 : 0o666);
  }
  return umask === 0 ? undefined : umask.toString(8).padStart(4, "0");
}
