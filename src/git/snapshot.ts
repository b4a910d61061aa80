/**
 * What the repository looks like now, for a session's baseline.
 * Rule: facts only, and none is a reason to fail: without a commit, detached or outside a repository there is still an answer.
 */
import { join } from "@std/path";
import { lstatOrUndefined } from "../platform/files.ts";
import { decodeLossy } from "../platform/text.ts";
import { GitError, NoGit, NotARepository } from "./errors.ts";
import { blobId, readFileState } from "./file_state.ts";
import { type GitPath, gitPath, splitNul } from "./path.ts";
import type { Git } from "./run.ts";

/** A file that is not as the last commit has it, or that git does not know. */
export interface DirtyFile {
  path: string;
  /** The id of its content in the tree, unfiltered; null where no file is (deleted, a submodule). */
  blob: string | null;
}

/** The repository at one moment. */
export interface RepositorySnapshot {
  /** The commit; null before the first one. */
  head: string | null;
  /** The branch's name; null when HEAD is detached. */
  branch: string | null;
  /** In git's order: changed files first, then untracked ones (not the ignored). */
  dirty: DirtyFile[];
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
  return { head, branch, dirty: await withBlobs(git, paths) };
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

async function withBlobs(git: Git, paths: readonly GitPath[]): Promise<DirtyFile[]> {
  const regular = paths.filter((path) => lstatOrUndefined(join(git.root, path.text))?.isFile);
  const ids = await hashFiles(git, regular);
  return paths.map((path) => ({
    path: path.text,
    blob: ids.get(path) ?? linkBlob(git.root, path.text),
  }));
}

function linkBlob(root: string, path: string): string | null {
  if (!lstatOrUndefined(join(root, path))?.isSymlink) return null;
  const link = readFileState(root, path);
  return link === undefined ? null : blobId(link.bytes);
}

async function hashFiles(git: Git, paths: readonly GitPath[]): Promise<Map<GitPath, string>> {
  const ids = new Map<GitPath, string>();
  if (paths.length === 0) return ids;
  const names = new TextEncoder().encode(paths.map(({ text }) => `${quote(text)}\n`).join(""));
  try {
    const args = ["hash-object", "--no-filters", "--stdin-paths"];
    const lines = (await git.readText(args, { stdin: names })).trimEnd().split("\n");
    for (const [index, path] of paths.entries()) ids.set(path, lines[index] ?? "");
  } catch (error) {
    // A file vanished or may not be read; halving finds it, and only it has no id.
    if (!(error instanceof GitError) || paths.length === 1) return ids;
    const half = Math.ceil(paths.length / 2);
    for (const part of [paths.slice(0, half), paths.slice(half)]) {
      for (const [path, id] of await hashFiles(git, part)) ids.set(path, id);
    }
  }
  return ids;
}

/** A name as `hash-object --stdin-paths` reads it: in quotes only where a line could not hold it. */
function quote(name: string): string {
  if (!/^"|[\n\r]/.test(name)) return name;
  const escaped = name.replace(/["\\]/g, "\\$&").replaceAll("\n", "\\n").replaceAll("\r", "\\r");
  return `"${escaped}"`;
}
