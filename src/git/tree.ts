/**
 * The files of a commit, all in one process.
 * Rule: contents are those that git stores, before any filter of a checkout.
 */
import { decodeLossy } from "../platform/text.ts";
import type { KeptFile } from "./blob.ts";
import { gitPath, splitNul } from "./path.ts";
import type { Git } from "./run.ts";

/** Every file and link of `commit` by its path; submodules, and names that are not UTF-8, are left out. */
export async function readTree(git: Git, commit: string): Promise<Map<string, KeptFile>> {
  const files = new Map<string, KeptFile>();
  for (const entry of splitNul(await git.read(["ls-tree", "-r", "-z", commit])).fields) {
    const tab = entry.indexOf(0x09);
    const [mode = "", type, blob = ""] = decodeLossy(entry.subarray(0, tab)).split(" ");
    const path = gitPath(entry.subarray(tab + 1));
    if (type === "blob" && path.isUtf8) files.set(path.text, { mode, blob });
  }
  return files;
}
