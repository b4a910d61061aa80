/**
 * The files of a commit, all in one process.
 * Rule: contents are those that git stores, before any filter of a checkout.
 */
import { decodeStrict } from "../platform/text.ts";
import type { KeptFile } from "./blob.ts";
import { splitNul } from "./path.ts";
import type { Git } from "./run.ts";

const MODE_LENGTH = 6;

/** Every file and link of `commit` by its path; submodules, and names that are not UTF-8, are left out. */
export async function readTree(git: Git, commit: string): Promise<Map<string, KeptFile>> {
  const output = await git.read(["ls-tree", "-r", "-z", commit]);
  const text = decodeStrict(output);
  const entries = text?.split("\0") ??
    splitNul(output).fields.flatMap((field) => decodeStrict(field) ?? []);
  const files = new Map<string, KeptFile>();
  for (const entry of entries) {
    const tab = entry.indexOf("\t");
    // `100644 blob 1234… TAB name`: a mode has six digits, and there can be very many entries.
    if (!entry.startsWith(" blob ", MODE_LENGTH)) continue;
    const mode = entry.slice(0, MODE_LENGTH);
    const blob = entry.slice(MODE_LENGTH + " blob ".length, tab);
    files.set(entry.slice(tab + 1), { mode, blob });
  }
  return files;
}
