/**
 * An index beside the user's: the last commit's files, with some as they are in the tree now.
 * Rule: the user's index is read for its file times and never changed; nothing of ours stays.
 */
import { join } from "@std/path";
import { removeIfExists } from "../platform/files.ts";
import { GitError } from "./errors.ts";
import type { GitPath } from "./path.ts";
import type { Git } from "./run.ts";
import { headCommit, nulTerminated } from "./state.ts";

/** An index of m31a's own, for as long as it is being used. */
export interface OwnIndex {
  /** The variables that make git use it. */
  env: { GIT_INDEX_FILE: string };
  /** The last commit; `undefined` in a repository without one. */
  head: string | undefined;
  /** What to compare the index with: the last commit, or the empty tree where there is none. */
  base: string;
}

/**
 * Runs `use` with an index that holds the last commit's files and, of `paths`, what the tree has:
 * changed, new and deleted ones. Ignored files are taken like any other.
 *
 * @param scratch a folder that m31a may write to
 */
export async function withOwnIndex<T>(
  git: Git,
  paths: readonly GitPath[],
  scratch: string,
  use: (index: OwnIndex) => Promise<T>,
): Promise<T> {
  const file = join(scratch, `${crypto.randomUUID()}.index`);
  try {
    const env = { GIT_INDEX_FILE: file };
    const head = await headCommit(git);
    if (head !== undefined) await seed(git, file, head);
    const args = ["update-index", "--add", "--remove", "--replace", "-z", "--stdin"];
    await git.write(args, { env, stdin: nulTerminated(paths) });
    return await use({ env, head, base: head ?? await emptyTree(git) });
  } finally {
    removeIfExists(file);
    removeIfExists(`${file}.lock`);
  }
}

/** Fills a new index from HEAD. The user's index lends its file times, so that git need not read every file again. */
async function seed(git: Git, file: string, head: string): Promise<void> {
  try {
    const args = [
      "read-tree",
      "--no-recurse-submodules",
      "--reset",
      `--index-output=${file}`,
      head,
    ];
    await git.write(args);
  } catch (error) {
    // The index could not be made beside the other one, as when .git is on another file system.
    if (!(error instanceof GitError) || error.stderr.includes("index.lock")) throw error;
    await git.write(["read-tree", "--no-recurse-submodules", head], {
      env: { GIT_INDEX_FILE: file },
    });
  }
}

/** The id of the tree that holds nothing, in the repository's own kind of id. */
async function emptyTree(git: Git): Promise<string> {
  return (await git.readText(["hash-object", "-t", "tree", "--stdin"])).trim();
}
