/**
 * What the last commit has of a file, as a clean checkout gives it.
 * Rule: byte for byte what would be in the tree, filters applied.
 */
import { keepBlob, type KeptFile } from "./blob.ts";
import type { FileMode } from "./file_state.ts";
import type { Git } from "./run.ts";

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
