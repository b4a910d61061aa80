/**
 * A unified patch in colour. Rule: a line of the patch is a line on the screen, and nothing in it is hidden.
 */
import type { Paint, Span, StyleName } from "./ansi.ts";
import { expandTabs } from "./width.ts";
import { showHidden } from "../../platform/visible.ts";

/** Whether `text` looks like a unified patch. */
export function isPatch(text: string): boolean {
  return /^(?:diff --git |--- |@@ -\d)/m.test(text) &&
    /^@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@/m.test(text);
}

/** Paints a unified patch, line by line. */
export function paintPatch(patch: string, paint: Paint): string {
  return patchLines(patch).map(({ text, styles }) => paint(text, ...styles)).join("\n");
}

/** The lines of a unified patch as they are shown: `+` green, `-` red, hunk heads cyan, file heads bold. */
export function patchLines(patch: string): Span[] {
  const lines = patch.replace(/\n$/, "").split("\n");
  // Line breaks of CRLF files are no news; a single CR that comes or goes is.
  const isCrlf = lines.filter((line) => /^[ +-](?!-- |\+\+ )/.test(line))
    .every((line) => line.endsWith("\r"));
  let isInHunk = false;
  return lines.map((line) => {
    if (line.startsWith("diff --git ")) isInHunk = false;
    if (line.startsWith("@@ ")) isInHunk = true;
    const shown = showHidden(isCrlf ? line.replace(/\r$/, "") : line);
    return { text: expandTabs(shown), styles: lineStyles(line, isInHunk) };
  });
}

function lineStyles(line: string, isInHunk: boolean): StyleName[] {
  if (line.startsWith("@@ ")) return ["cyan"];
  if (!isInHunk) return ["bold"];
  if (line.startsWith("+")) return ["green"];
  if (line.startsWith("-")) return ["red"];
  return line.startsWith("\\") ? ["dim"] : [];
}
