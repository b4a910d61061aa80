/**
 * The lines in which two texts differ, with their numbers.
 * Rule: pure.
 */
import { structuredPatch } from "diff";
import type { ChangedLine, ChangedLines } from "./weakening.ts";

/**
 * What changed in a file; null stands for no file.
 *
 * @example
 * ```ts
 * import { changedLines } from "./changed_lines.ts";
 * import assert from "node:assert/strict";
 *
 * const { added, removed } = changedLines("a", "1\n2\n3\n", "1\n3\n4\n");
 * assert.deepEqual(removed, [{ line: 2, text: "2" }]);
 * assert.deepEqual(added, [{ line: 3, text: "4" }]);
 * ```
 */
export function changedLines(
  path: string,
  before: string | null,
  now: string | null,
): ChangedLines {
  const { hunks } = structuredPatch("", "", before ?? "", now ?? "", "", "", { context: 0 });
  const added: ChangedLine[] = [];
  const removed: ChangedLine[] = [];
  for (const { lines, oldStart, newStart } of hunks) {
    let [old, fresh] = [oldStart, newStart];
    for (const line of lines) {
      const text = line.slice(1);
      if (line.startsWith("-")) removed.push({ line: old++, text });
      if (line.startsWith("+")) added.push({ line: fresh++, text });
    }
  }
  return { path, added, removed, isDeleted: now === null };
}
