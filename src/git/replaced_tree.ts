/**
 * A tree with some of its files replaced.
 * Rule: in an index of its own; nothing of the user's is touched.
 */
import type { KeptFile } from "./blob.ts";
import type { Git } from "./run.ts";
import { withIndexOf } from "./tree_to_commit.ts";

/**
 * Writes the tree that `tree` is with `files` in it, by path; null removes one.
 *
 * @param scratch a folder that m31a may write to; nothing stays in it
 */
export async function replacedTree(
  git: Git,
  tree: string,
  files: ReadonlyMap<string, KeptFile | null>,
  scratch: string,
): Promise<string> {
  const absent = "0".repeat(tree.length);
  const lines = [...files].map(([path, file]) =>
    file === null ? `0 ${absent}\t${path}\0` : `${file.mode} ${file.blob}\t${path}\0`
  );
  return await withIndexOf(git, tree, scratch, async (env) => {
    const stdin = new TextEncoder().encode(lines.join(""));
    await git.write(["update-index", "-z", "--index-info"], { env, stdin });
    return (await git.writeText(["write-tree"], { env })).trim();
  });
}
