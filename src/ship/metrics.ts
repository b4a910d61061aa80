/**
 * What a diff comes to, as the log and the ledger keep it.
 * Rule: pure; the numbers are git's own.
 */
import type { DiffMetrics } from "../git/numstat.ts";
import { MAX_FILES } from "../ledger/entry.ts";
import type { Ending } from "./entry.ts";

/** The metrics of a diff. */
export function metricsOf({ totals, extensions, files }: DiffMetrics): Ending["metrics"] {
  const { added, modified, deleted, renamed, binary, insertions, deletions } = totals;
  return {
    // A copied file is a new one.
    added: added + totals.copied,
    modified,
    deleted,
    renamed,
    binary,
    insertions,
    deletions,
    extensions,
    files: files.map(({ path }) => path.text).toSorted().slice(0, MAX_FILES),
  };
}

/** The metrics where nothing was changed, or nothing can be compared. */
export const NO_METRICS: Ending["metrics"] = {
  added: 0,
  modified: 0,
  deleted: 0,
  renamed: 0,
  binary: 0,
  insertions: 0,
  deletions: 0,
  extensions: {},
  files: [],
};
