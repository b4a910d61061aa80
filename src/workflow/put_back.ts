/**
 * Work of the user's in files that a check has rewritten.
 * Rule: it is put back, byte for byte; where that cannot be, the file is named. What is the session's own stays as the check left it.
 */
import { restoreFile } from "../agent/restore_file.ts";
import type { WatchedTree } from "../agent/tree_watch.ts";
import { isSameKept, type KeptFile } from "../git/blob.ts";
import { readTree } from "../git/tree.ts";
import type { WorkflowState } from "./state.ts";
import type { Work } from "./work.ts";

/** What a check has changed, and what of it was put back. */
export interface SettledTree extends WatchedTree {
  restored: string[];
}

/** Puts back what is the user's of what a check has changed. */
export async function putBack(work: Work, watched: WatchedTree): Promise<SettledTree> {
  const changed = watched.touched.filter(({ before }) => before !== null && !before.committed);
  if (changed.length === 0) return { ...watched, restored: [] };
  const own = await stateLeft(work, work.state);
  const users = changed.filter(({ path, before }) =>
    !own.has(path) || !isSameKept(own.get(path) ?? null, before)
  );
  const restored: string[] = [];
  const unknown = [...watched.unknown];
  for (const file of users) {
    const why = await restoreFile(work.place, file);
    if (why === undefined) restored.push(file.path);
    else unknown.push({ path: file.path, why: `a check rewrote it, and ${why}` });
  }
  if (users.length === 0) return { ...watched, restored };
  const names = users.map(({ path }) => path).join(", ");
  const lost = new Set(users.map(({ path }) => path).filter((path) => !restored.includes(path)));
  return {
    // What passed is not what stands there any more.
    tree: { unknown: `the check rewrote files that hold work of yours: ${names}` },
    touched: watched.touched.filter(({ path }) => !lost.has(path)),
    unknown,
    restored,
  };
}

/** What the session left at each path that it has changed and that is not committed. */
async function stateLeft(work: Work, state: WorkflowState): Promise<Map<string, KeptFile | null>> {
  const left = new Map<string, KeptFile | null>();
  const last = state.checkpoints.at(-1);
  if (last !== undefined) {
    const tree = await readTree(work.git, last.commit);
    for (const { files } of state.checkpoints) {
      for (const path of files) left.set(path, tree.get(path) ?? null);
    }
  }
  for (const { path, before, after } of state.touched) {
    left.set(path, after === undefined ? before : after);
  }
  return left;
}
