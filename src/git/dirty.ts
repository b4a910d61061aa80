/**
 * Which files of the tree differ from the last commit, and what they hold: for finding out what a
 * command has touched, and what was changed before m31a began.
 * Rule: looks at the tree and keeps contents in git's object store; changes neither tree nor index.
 */
import { lstatOrUndefined } from "../platform/files.ts";
import { decodeLossy } from "../platform/text.ts";
import { isSameKept, keepBlob, keepTreeFiles, type KeptFile } from "./blob.ts";
import type { TouchedFile } from "./checkpoint.ts";
import type { FileMode } from "./file_state.ts";
import { type GitPath, gitPath, splitNul } from "./path.ts";
import type { Git } from "./run.ts";

/** A file that git calls changed, staged or untracked. */
export interface DirtyFile {
  path: GitPath;
  isStaged: boolean;
  isUntracked: boolean;
  isSubmodule: boolean;
}

/**
 * The files that differ from the last commit, ignored ones not among them, in git's order. Of
 * submodules those at another commit; they are not looked into (submodules.ts says why).
 */
export async function listDirty(git: Git): Promise<DirtyFile[]> {
  const args = ["status", "--porcelain=v2", "-z", "--untracked-files=all", "--no-renames"];
  return parseStatus(await git.read([...args, "--ignore-submodules=dirty"]));
}

/**
 * Parses `git status --porcelain=v2 -z --no-renames`: `1 XY sub modes… path` for a changed file,
 * `u XY …` for one in conflict, `? path` for an untracked one (git-status(1), "Porcelain Format Version 2").
 */
function parseStatus(output: Uint8Array): DirtyFile[] {
  return splitNul(output).fields.flatMap((field) => {
    const kind = String.fromCharCode(field[0] ?? 0);
    const skipped = { "1": 8, u: 10, "?": 1 }[kind];
    if (skipped === undefined) return [];
    let start = 0;
    for (let spaces = 0; spaces < skipped; spaces++) start = field.indexOf(0x20, start) + 1;
    const [, states = "..", submodule = "N..."] = decodeLossy(field.subarray(0, start)).split(" ");
    return [{
      path: gitPath(field.subarray(start)),
      isStaged: kind !== "?" && !states.startsWith("."),
      isUntracked: kind === "?",
      isSubmodule: submodule.startsWith("S"),
    }];
  });
}

/** What every dirty file holds, by path; `null` where the file is deleted. */
export type DirtySnapshot = ReadonlyMap<string, KeptFile | null>;

/**
 * Keeps what every dirty file holds, so that it can be told what changes from here on. Left out are
 * submodules, names that are not UTF-8, and files over `maxBytes` (5 MiB by default), which m31a does not bring back.
 */
export async function snapshotDirty(
  git: Git,
  maxBytes = 5 * 1024 * 1024,
): Promise<DirtySnapshot> {
  const paths = (await listDirty(git)).flatMap(({ path, isSubmodule }) => {
    if (isSubmodule || !path.isUtf8) return [];
    const info = lstatOrUndefined(`${git.root}/${path.text}`);
    const isKept = info === undefined || (info.isFile || info.isSymlink) && info.size <= maxBytes;
    return isKept ? [path.text] : [];
  });
  return await keepTreeFiles(git, paths);
}

/** The files that changed between two snapshots, each with what it held at the first. */
export async function touchedBetween(
  git: Git,
  before: DirtySnapshot,
  after: DirtySnapshot,
): Promise<TouchedFile[]> {
  const touched: TouchedFile[] = [];
  for (const path of new Set([...before.keys(), ...after.keys()])) {
    const [was, is] = [before.get(path), after.get(path)];
    if (was !== undefined && is !== undefined && isSameKept(was, is)) continue;
    // Not dirty before means: as the last commit has it, in the form that git gives it in the tree.
    touched.push({ path, before: was === undefined ? await committed(git, path) : was });
  }
  return touched;
}

/** What a clean checkout has at `path`, byte for byte; `null` when the last commit has nothing there. */
export async function committed(git: Git, path: string): Promise<KeptFile | null> {
  const entry = await git.readLineIfAny(["ls-tree", "-z", "HEAD", "--", path]);
  const mode = entry?.split(" ", 1)[0];
  if (!isFileMode(mode)) return null;
  const object = `HEAD:${path}`;
  const bytes = mode === "120000"
    ? await git.read(["cat-file", "blob", object])
    : await git.read(["cat-file", "--filters", object]);
  return { mode, blob: await keepBlob(git, bytes) };
}

function isFileMode(mode: string | undefined): mode is FileMode {
  return mode === "100644" || mode === "100755" || mode === "120000";
}
