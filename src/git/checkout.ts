/**
 * A tree checked out beside the project, and what git ignores in the project.
 * Rule: the user's index, HEAD and files are not touched; git writes the files, with the filters of any checkout.
 */
import { type GitPath, gitPath, splitNul } from "./path.ts";
import type { Git } from "./run.ts";
import { withIndexOf } from "./tree_to_commit.ts";

/**
 * Writes the files of `tree` into `folder`. Submodules become empty folders.
 *
 * @param folder absolute, and empty
 * @param scratch a folder that m31a may write to, for the index; nothing stays in it
 * @throws {GitError} when it cannot be written
 */
export async function checkOutTree(
  git: Git,
  tree: string,
  folder: string,
  scratch: string,
): Promise<void> {
  await withIndexOf(git, tree, scratch, async (env) => {
    const args = ["checkout-index", "--all", "--force", "--quiet", `--prefix=${folder}/`];
    await git.write(args, { env });
  });
}

/** What git ignores in the tree, a whole folder as one path without a `/` at its end. */
export async function ignoredEntries(git: Git): Promise<GitPath[]> {
  const args = ["ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory"];
  return splitNul(await git.read(args)).fields.map((field) =>
    gitPath(field.at(-1) === SLASH ? field.subarray(0, -1) : field)
  );
}

const SLASH = "/".charCodeAt(0);
