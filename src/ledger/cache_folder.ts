/**
 * planning/.cache: what can be computed again, kept for the next call.
 * Rule: failing to keep something is no error; the folder itself says that it is not for git.
 */
import { dirname, join } from "@std/path";
import { ensureDirectory, pathExists, refuseSymlinks, writeAtomically } from "../platform/files.ts";

const IGNORE_PATH = "planning/.cache/.gitignore";

/** Keeps `content` at `path`, which is below planning/.cache. A folder that cannot be written to keeps nothing. */
export function keepInCache(root: string, path: string, content: string | Uint8Array): void {
  try {
    refuseSymlinks(root, path);
    ensureDirectory(dirname(join(root, path)));
    if (!pathExists(join(root, IGNORE_PATH))) writeAtomically(join(root, IGNORE_PATH), "*\n");
    writeAtomically(join(root, path), content);
  } catch {
    // The next call computes it again.
  }
}
