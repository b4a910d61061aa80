/**
 * Files of the user's that go along with a commit, because the user says so.
 * Rule: what is named is there and not ignored, or it is refused by name; a folder stands for what git would add of it.
 */
import { type GitPath, gitPath, pathKey, splitNul } from "../git/path.ts";
import type { Git } from "../git/run.ts";
import { UsageError } from "../platform/errors.ts";
import { OWN_FOLDERS } from "./proof/own_folders.ts";

/**
 * The files that `named` stands for.
 *
 * @param named files and folders, relative to the root
 * @throws {UsageError} for a name that stands for nothing that could be committed
 */
export async function includedFiles(git: Git, named: readonly string[]): Promise<GitPath[]> {
  const files = new Map<string, GitPath>();
  for (const name of named) {
    const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", name];
    const found = splitNul(await git.read(args)).fields.map((field) => gitPath(field))
      .filter(({ text }) => !OWN_FOLDERS.some((folder) => text.startsWith(`${folder}/`)));
    if (found.length === 0) {
      throw new UsageError(`--include ${name}: there is no such file, or git ignores it`);
    }
    for (const path of found) files.set(pathKey(path), path);
  }
  return [...files.values()];
}
