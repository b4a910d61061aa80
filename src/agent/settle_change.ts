/**
 * How far a change of files had come when its process ended, and the rest of it.
 * Rule: only what git itself had left half-written is written over; what anyone else made of a file stays.
 */
import { applyChanges, prepareChanges } from "../git/apply.ts";
import { isSameKept, keepTreeFiles, type KeptFile, readBlob } from "../git/blob.ts";
import { type FileChange, readFileState } from "../git/file_state.ts";
import type { Git } from "../git/run.ts";
import { type KeptChange, loadState, statesByPath } from "./kept_change.ts";

/**
 * Looks at the files of a change and, if git had begun to write it, writes the rest.
 *
 * @returns `done`: the tree is as after the change; `untouched`: as before it; `elsewhere`: someone
 * has changed a file since, and nothing was written
 */
export async function completeChange(
  git: Git,
  kept: readonly KeptChange[],
): Promise<"done" | "untouched" | "elsewhere"> {
  const states = statesByPath(kept);
  const current = await keepTreeFiles(git, [...states.keys()]);
  const is = (which: "before" | "after") =>
    [...states].every(([path, state]) => isSameKept(current.get(path) ?? null, state[which]));
  if (is("after")) return "done";
  if (is("before")) return "untouched";
  const rest: FileChange[] = [];
  for (const [path, { before, after }] of states) {
    const now = current.get(path) ?? null;
    if (isSameKept(now, after)) continue;
    if (!isSameKept(now, before) && !await isHalfWritten(git, now, after)) return "elsewhere";
    rest.push({ path, before: readFileState(git.root, path), after: await loadState(git, after) });
  }
  await applyChanges(git, await prepareChanges(git, rest));
  return "done";
}

/** git removes a file and then writes it anew: it is missing, or holds the beginning of what is to come. */
export async function isHalfWritten(
  git: Git,
  now: KeptFile | null,
  after: KeptFile | null,
): Promise<boolean> {
  if (now === null) return true;
  if (after === null) return false;
  const [written, whole] = await Promise.all([readBlob(git, now.blob), readBlob(git, after.blob)]);
  return written.every((byte, index) => byte === whole[index]);
}
