/**
 * The tree that a commit of some files would have, before it is made.
 * Rule: the same index as the commit's own; nothing of the user's is touched.
 */
import { join } from "@std/path";
import { removeIfExists } from "../platform/files.ts";
import { withOwnIndex } from "./own_index.ts";
import { type GitPath, gitPath, splitNul } from "./path.ts";
import type { Git } from "./run.ts";

/** A tree that is to be committed. */
export interface TreeToCommit {
  /** git's id of it. */
  tree: string;
  /** Its id without the folders of m31a's own: what the tree of a check is to be compared with. */
  compared: string;
}

/**
 * The tree that committing what `paths` have now would make.
 *
 * @param apart folders at the root that no check's tree holds
 * @param scratch a folder that m31a may write to; nothing stays in it
 */
export async function treeToCommit(
  git: Git,
  paths: readonly GitPath[],
  apart: readonly string[],
  scratch: string,
): Promise<TreeToCommit> {
  return await withOwnIndex(git, paths, scratch, ({ env }) => treesOf(git, env, apart));
}

/** The tree of a commit that there is, in the same terms. */
export async function committedTree(
  git: Git,
  commit: string,
  apart: readonly string[],
  scratch: string,
): Promise<TreeToCommit> {
  return await withIndexOf(git, commit, scratch, (env) => treesOf(git, env, apart));
}

/**
 * The files of the working tree that are not as `tree` has them, or not in it, those that git ignores aside.
 *
 * @param apart folders at the root that are not looked at
 */
export async function differingFiles(
  git: Git,
  tree: string,
  apart: readonly string[],
  scratch: string,
): Promise<GitPath[]> {
  return await withIndexOf(git, tree, scratch, async (env) => {
    await git.write(["update-index", "-q", "--refresh"], { env, okCodes: [0, 1] });
    const changed = [
      "diff-files",
      "--name-only",
      "-z",
      "--no-ext-diff",
      "--ignore-submodules=dirty",
    ];
    const others = ["ls-files", "-z", "--others", "--exclude-standard"];
    const [differing, more] = [await git.read(changed, { env }), await git.read(others, { env })];
    return [...splitNul(differing).fields, ...splitNul(more).fields].map((name) => gitPath(name))
      .filter(({ text }) => !apart.some((folder) => text.startsWith(`${folder}/`)));
  });
}

type IndexEnvironment = Readonly<Record<"GIT_INDEX_FILE", string>>;

async function treesOf(
  git: Git,
  env: IndexEnvironment,
  apart: readonly string[],
): Promise<TreeToCommit> {
  const writeTree = async () => (await git.writeText(["write-tree"], { env })).trim();
  const tree = await writeTree();
  const own = await git.read(["ls-files", "-z", "--cached", "--", ...apart], { env });
  if (own.byteLength === 0) return { tree, compared: tree };
  await git.write(["update-index", "--force-remove", "-z", "--stdin"], { env, stdin: own });
  return { tree, compared: await writeTree() };
}

/** Runs `use` with an index that holds what `tree` (or a commit) does, and nothing else. */
export async function withIndexOf<T>(
  git: Git,
  tree: string,
  scratch: string,
  use: (env: IndexEnvironment) => Promise<T>,
): Promise<T> {
  const file = join(scratch, `${crypto.randomUUID()}.index`);
  const env = { GIT_INDEX_FILE: file };
  try {
    await git.write(["read-tree", "--no-recurse-submodules", tree], { env });
    return await use(env);
  } finally {
    removeIfExists(file);
    removeIfExists(`${file}.lock`);
  }
}
