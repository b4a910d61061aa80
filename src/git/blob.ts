/**
 * Contents in git's object store, byte for byte: what a file was can be had back.
 * Rule: no filter, no conversion of line ends, in either direction.
 */
import { lstatOrUndefined } from "../platform/files.ts";
import { NotARepository } from "./errors.ts";
import { blobId, readFileState } from "./file_state.ts";
import { quoteName } from "./quote.ts";
import type { Git } from "./run.ts";

/** A file's state whose content is in git's object store. */
export interface KeptFile {
  /** 100644, 100755 or 120000. */
  mode: string;
  blob: string;
}

/** Whether two kept states are the same; `null` stands for nothing. */
export function isSameKept(a: KeptFile | null, b: KeptFile | null): boolean {
  return a === null || b === null ? a === b : a.mode === b.mode && a.blob === b.blob;
}

/** Keeps what the tree has at each of `paths`, many files in one process; `null` where no file or link is. */
export function keepTreeFiles(
  git: Git,
  paths: readonly string[],
): Promise<Map<string, KeptFile | null>> {
  return hashTreeFiles(git, paths, ["-w"]);
}

/** As {@linkcode keepTreeFiles}, to be compared: nothing is kept. */
export function readTreeFiles(
  git: Git,
  paths: readonly string[],
): Promise<Map<string, KeptFile | null>> {
  return hashTreeFiles(git, paths, []);
}

async function hashTreeFiles(
  git: Git,
  paths: readonly string[],
  options: readonly "-w"[],
): Promise<Map<string, KeptFile | null>> {
  const kept = new Map<string, KeptFile | null>(paths.map((path) => [path, null]));
  const files: { path: string; mode: string }[] = [];
  for (const path of paths) {
    const info = lstatOrUndefined(`${git.root}/${path}`);
    const state = info?.isSymlink ? readFileState(git.root, path) : undefined;
    if (state !== undefined) {
      kept.set(path, { mode: state.mode, blob: await hashBytes(git, state.bytes, options) });
    }
    const isExecutable = ((info?.mode ?? 0) & 0o100) !== 0;
    if (info?.isFile) files.push({ path, mode: isExecutable ? "100755" : "100644" });
  }
  if (files.length === 0) return kept;
  // A line in double quotes is read with C's escapes, so a name may hold a newline.
  const stdin = new TextEncoder().encode(files.map(({ path }) => `${quoteName(path)}\n`).join(""));
  const args = ["hash-object", ...options, "--no-filters", "--stdin-paths"];
  const blobs = (await git.writeText(args, { stdin, startsNothing: true })).split("\n");
  files.forEach(({ path, mode }, index) => kept.set(path, { mode, blob: blobs[index] ?? "" }));
  return kept;
}

/**
 * Keeps `bytes` in the object store and resolves to their id. Outside a repository nothing is kept,
 * and the id is the one that git would give.
 */
export function keepBlob(git: Git, bytes: Uint8Array): Promise<string> {
  return hashBytes(git, bytes, ["-w"]);
}

async function hashBytes(
  git: Git,
  bytes: Uint8Array,
  options: readonly "-w"[],
): Promise<string> {
  try {
    const args = ["hash-object", ...options, "--no-filters", "--stdin"];
    return (await git.writeText(args, { stdin: bytes, startsNothing: true })).trim();
  } catch (error) {
    if (error instanceof NotARepository) return blobId(bytes);
    throw error;
  }
}

/**
 * The bytes of the blob `id`.
 *
 * @throws {GitError} when there is no such blob (any more)
 */
export function readBlob(git: Git, id: string): Promise<Uint8Array> {
  return git.read(["cat-file", "blob", id]);
}
