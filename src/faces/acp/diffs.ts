/**
 * A change of files as ACP's diffs: a piece for each hunk, with its place.
 * Rule: pure; a patch says the whole change, and what is no text is left to the words of the call.
 */
import type { ToolCallContent, ToolCallLocation } from "@agentclientprotocol/sdk";
import { join } from "@std/path";
import { parsePatch } from "diff";

/** What a patch changes, for a client. */
export interface ShownPatch {
  content: ToolCallContent[];
  /** The files, each once, with the first line that is changed where there is one. */
  locations: ToolCallLocation[];
}

const NOTHING = "/dev/null";

/**
 * Reads a git patch.
 *
 * @param root the project's folder; paths in the protocol are absolute
 *
 * @example
 * ```ts
 * import { shownPatch } from "./diffs.ts";
 * import assert from "node:assert/strict";
 *
 * const patch = "diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -3,1 +3,1 @@\n-old\n+new\n";
 * assert.deepEqual(shownPatch("/project", patch), {
 *   content: [{ type: "diff", path: "/project/a", oldText: "old\n", newText: "new\n" }],
 *   locations: [{ path: "/project/a", line: 3 }],
 * });
 * ```
 */
export function shownPatch(root: string, patch: string): ShownPatch {
  const content: ToolCallContent[] = [];
  const locations: ToolCallLocation[] = [];
  for (const { oldFileName, newFileName, hunks } of parsePatch(patch)) {
    const isNew = oldFileName === NOTHING;
    const name = newFileName === NOTHING ? oldFileName : newFileName;
    if (name === undefined) continue;
    const path = join(root, name.replace(/^[ab]\//, ""));
    const [first] = hunks;
    locations.push(first === undefined ? { path } : { path, line: Math.max(1, first.newStart) });
    for (const { lines } of hunks) {
      const [oldText, newText] = [sideOf(lines, "-"), sideOf(lines, "+")];
      content.push({ type: "diff", path, oldText: isNew ? null : oldText, newText });
    }
  }
  return { content, locations };
}

/** The lines of a hunk as they are before (`-`) or after (`+`) the change. */
function sideOf(lines: readonly string[], mark: "-" | "+"): string {
  let text = "";
  for (const [index, line] of lines.entries()) {
    if (!line.startsWith(mark) && !line.startsWith(" ")) continue;
    const isCutShort = lines[index + 1]?.startsWith("\\") ?? false;
    text += isCutShort ? line.slice(1) : `${line.slice(1)}\n`;
  }
  return text;
}
