/**
 * The user's index after a commit was made, or taken back, beside it.
 * Rule: only entries of files that are in the commit are set, each to exactly what the commit says.
 */
import { concatenate } from "../platform/processes.ts";
import { decodeLossy } from "../platform/text.ts";
import { type GitPath, gitPath, pathKey, splitNul } from "./path.ts";
import type { Git } from "./run.ts";

/** The trailer by which m31a knows its commits. */
export const SESSION_TRAILER = "M31A-Session";

/** The trailer that names the tree on which the checks passed that prove a commit, or says why there is none. */
export const PROVED_TRAILER = "Proved";

/** How one file differs between two trees. A mode of `000000` means that it is not there. */
export interface TreeChange {
  path: GitPath;
  oldMode: string;
  newMode: string;
  oldBlob: string;
  newBlob: string;
}

/** What `commit` changed against its only parent, or against nothing when it has none. */
export async function readTreeChanges(git: Git, commit: string): Promise<TreeChange[]> {
  const args = ["diff-tree", "--root", "--no-commit-id", "-r", "-z", "--raw", "--no-renames"];
  return parseTreeChanges(await git.read([...args, "--no-abbrev", commit]));
}

/** Parses `--raw -z --no-renames --no-abbrev`. */
export function parseTreeChanges(output: Uint8Array): TreeChange[] {
  const { fields } = splitNul(output);
  const changes: TreeChange[] = [];
  for (let index = 0; index + 1 < fields.length; index += 2) {
    const [oldMode = "", newMode = "", oldBlob = "", newBlob = ""] = decodeLossy(
      fields[index] ?? new Uint8Array(),
    ).slice(1).split(" ");
    const path = gitPath(fields[index + 1] ?? new Uint8Array());
    changes.push({ path, oldMode, newMode, oldBlob, newBlob });
  }
  return changes;
}

/** Those of a commit's changes that the user's index does not have yet: its entry is the one before the commit. */
export async function behindIndex(
  git: Git,
  commit: string,
  changes: readonly TreeChange[],
): Promise<TreeChange[]> {
  const args = ["diff-index", "--cached", "--raw", "-z", "--no-renames", "--no-abbrev", commit];
  const differing = new Map(
    parseTreeChanges(await git.read(args)).map((change) => [pathKey(change.path), change]),
  );
  return changes.filter((change) => {
    const index = differing.get(pathKey(change.path));
    return index?.newMode === change.oldMode && index.newBlob === change.oldBlob;
  });
}

/** Sets the index's entries of `changes` to the old or the new side. */
export async function syncIndex(
  git: Git,
  changes: readonly TreeChange[],
  side: "old" | "new",
): Promise<void> {
  if (changes.length === 0) return;
  const entries = changes.map(({ path, oldMode, newMode, oldBlob, newBlob }) => {
    const mode = side === "old" ? oldMode : newMode;
    return { path, mode, blob: side === "old" ? oldBlob : newBlob };
  });
  const stdin = concatenate(entries.flatMap(({ path, mode, blob }) => [
    new TextEncoder().encode(mode === "000000" ? `0 ${blob}\t` : `${mode} ${blob}\t`),
    path.bytes,
    Uint8Array.of(0),
  ]));
  // With --replace a file makes room for a folder of its name, and the other way round, in any order.
  await git.write(["update-index", "--add", "--replace", "-z", "--index-info"], { stdin });
  await git.write(["update-index", "-q", "--refresh"], { okCodes: [0, 1] });
}
