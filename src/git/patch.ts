/**
 * Changes of files as a patch that git applies.
 * Rule: pure; the patch says the whole change, so it can be shown, applied, checked and taken back.
 */
import { structuredPatch } from "diff";
import { decodeStrict } from "../platform/text.ts";
import { binaryPatchBody } from "./binary_patch.ts";
import { blobId, type FileChange, type FileContent, isSameState } from "./file_state.ts";
import { quoteName } from "./quote.ts";

const CONTEXT_LINES = 3;
/** Beyond so many changed lines the smallest difference is not looked for; one hunk holds everything. */
const MAX_EDIT_LENGTH = 2000;
const EMPTY = new Uint8Array();

/**
 * Writes `changes` as a git patch: text as unified hunks, anything else (with a NUL, or not UTF-8) as
 * a binary patch. Changes that change nothing are left out; no changes give an empty string.
 *
 * @example
 * ```ts
 * import { buildPatch } from "./patch.ts";
 * import assert from "node:assert/strict";
 *
 * const text = (text: string) => ({ mode: "100644" as const, bytes: new TextEncoder().encode(text) });
 * const patch = buildPatch([{ path: "a", before: text("1\n"), after: text("2\n") }]);
 * assert.match(patch, /^diff --git a\/a b\/a\n--- a\/a\n\+\+\+ b\/a\n@@ -1,1 \+1,1 @@\n-1\n\+2\n$/);
 * ```
 */
export function buildPatch(changes: readonly FileChange[]): string {
  return changes.map(filePatch).join("");
}

function filePatch(change: FileChange): string {
  const { path, before, after, renamedFrom } = change;
  if (renamedFrom === undefined && isSameState(before, after)) return "";
  if (before !== undefined && after !== undefined && isLink(before) !== isLink(after)) {
    // A file that becomes a link, or a link that becomes a file, is to git a deletion and a creation.
    return filePatch({ path: renamedFrom ?? path, before, after: undefined }) +
      filePatch({ path, before: undefined, after });
  }
  const oldPath = renamedFrom ?? path;
  const lines = [`diff --git ${quoteName(`a/${oldPath}`)} ${quoteName(`b/${path}`)}`];
  if (before === undefined && after !== undefined) lines.push(`new file mode ${after.mode}`);
  if (before !== undefined && after === undefined) lines.push(`deleted file mode ${before.mode}`);
  if (before !== undefined && after !== undefined && before.mode !== after.mode) {
    lines.push(`old mode ${before.mode}`, `new mode ${after.mode}`);
  }
  if (renamedFrom !== undefined) {
    lines.push(`rename from ${quoteName(oldPath)}`, `rename to ${quoteName(path)}`);
  }
  return `${lines.join("\n")}\n${contentPatch(change, oldPath)}`;
}

function contentPatch({ path, before, after }: FileChange, oldPath: string): string {
  const oldBytes = before?.bytes ?? EMPTY;
  const newBytes = after?.bytes ?? EMPTY;
  const oldText = plainText(oldBytes);
  const newText = plainText(newBytes);
  if (oldText === undefined || newText === undefined) {
    if (before !== undefined && after !== undefined && blobId(oldBytes) === blobId(newBytes)) {
      return "";
    }
    const ids = [before, after].map((state) =>
      state === undefined ? "0".repeat(40) : blobId(state.bytes)
    );
    return `index ${ids.join("..")}\n${binaryPatchBody(oldBytes, newBytes)}`;
  }
  if (oldText === newText) return "";
  const oldName = before === undefined ? "/dev/null" : quoteName(`a/${oldPath}`);
  const newName = after === undefined ? "/dev/null" : quoteName(`b/${path}`);
  return `--- ${oldName}\n+++ ${newName}\n${hunks(oldText, newText)}`;
}

/** The text of bytes that a patch may show as lines; `undefined` for any others. */
function plainText(bytes: Uint8Array): string | undefined {
  return bytes.includes(0) ? undefined : decodeStrict(bytes);
}

function isLink(state: FileContent): boolean {
  return state.mode === "120000";
}

function hunks(oldText: string, newText: string): string {
  const found = structuredPatch("", "", oldText, newText, undefined, undefined, {
    context: CONTEXT_LINES,
    maxEditLength: MAX_EDIT_LENGTH,
  });
  const list = found?.hunks ?? [wholeHunk(splitLines(oldText), splitLines(newText))];
  return list.map((hunk) => {
    // Where a side has no lines, the line before it is named (POSIX diff -u).
    const oldStart = hunk.oldLines === 0 ? hunk.oldStart - 1 : hunk.oldStart;
    const newStart = hunk.newLines === 0 ? hunk.newStart - 1 : hunk.newStart;
    const range = `-${oldStart},${hunk.oldLines} +${newStart},${hunk.newLines}`;
    return `@@ ${range} @@\n${hunk.lines.join("\n")}\n`;
  }).join("");
}

/** Lines with their newline; the last one may have none. */
function splitLines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** One hunk from the first line that differs to the last, for texts that have little in common. */
function wholeHunk(oldLines: string[], newLines: string[]) {
  const shorter = Math.min(oldLines.length, newLines.length);
  let same = 0;
  while (same < shorter && oldLines[same] === newLines[same]) same++;
  let tail = 0;
  while (tail < shorter - same && oldLines.at(-1 - tail) === newLines.at(-1 - tail)) tail++;
  const start = Math.max(0, same - CONTEXT_LINES);
  const after = Math.min(tail, CONTEXT_LINES);
  const context = [
    oldLines.slice(start, same),
    oldLines.slice(oldLines.length - tail, oldLines.length - tail + after),
  ] as const;
  const removed = oldLines.slice(same, oldLines.length - tail);
  const added = newLines.slice(same, newLines.length - tail);
  const around = context[0].length + context[1].length;
  return {
    oldStart: start + 1,
    oldLines: removed.length + around,
    newStart: start + 1,
    newLines: added.length + around,
    lines: [
      ...marked(" ", context[0]),
      ...marked("-", removed),
      ...marked("+", added),
      ...marked(" ", context[1]),
    ],
  };
}

function marked(mark: string, lines: readonly string[]): string[] {
  return lines.flatMap((line) =>
    line.endsWith("\n")
      ? [`${mark}${line.slice(0, -1)}`]
      : [`${mark}${line}`, "\\ No newline at end of file"]
  );
}
