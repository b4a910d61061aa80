/**
 * Which files changed together with a file, over all past work.
 * Rule: pure; a pair counts when it came up often enough not to be chance.
 */
import type { PastIndex } from "./past/past_index.ts";

/** A file and one that changed together with it. */
export interface ChangedTogether {
  path: string;
  /** How many works changed the file that was asked about. */
  changes: number;
  /** How many of those changed this one as well. */
  together: number;
}

/** Fewer works together than this say nothing. */
const LEAST_TOGETHER = 3;
/** Of a file's changes, the share that another must have shared. */
const LEAST_SHARE = 0.5;

/** The files that changed together with `path` in at least half of its changes, most often first. */
export function changedTogether(
  segments: readonly PastIndex[],
  path: string,
  nameNow: (path: string) => string,
): ChangedTogether[] {
  const counts = new Map<string, number>();
  let changes = 0;
  for (const { data } of segments) {
    const file = data.files.find(path);
    if (file < 0) continue;
    const numbers = new Map<number, number>();
    for (let work = 0; work < data.seconds.length; work++) {
      const touched = data.filesByWork.at(work);
      if (!touched.includes(file)) continue;
      changes++;
      for (const other of touched) numbers.set(other, (numbers.get(other) ?? 0) + 1);
    }
    for (const [other, count] of numbers) {
      const name = nameNow(data.files.at(other));
      if (name !== path) counts.set(name, (counts.get(name) ?? 0) + count);
    }
  }
  return [...counts]
    .filter(([, together]) => together >= LEAST_TOGETHER && together >= LEAST_SHARE * changes)
    .map(([path, together]) => ({ path, changes, together }))
    .sort((a, b) => b.together - a.together || (a.path < b.path ? -1 : 1));
}
