/**
 * On which line of a TOML document each key is.
 * Rule: the real parser decides; a statement is what makes the document up to a line parse again.
 */
import { parse } from "smol-toml";

/** Beyond so many lines with content no line numbers are looked for: the search takes time by its square. */
const MAX_LINES = 1_000;

/**
 * Gives the line (from 1) on which each key begins, by the key's path joined with NUL. The text must parse.
 *
 * @example
 * ```ts
 * import { tomlLines } from "./toml_lines.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(tomlLines("[a]\n# note\nb = 1\n").get("a\0b"), 3);
 * ```
 */
export function tomlLines(text: string): Map<string, number> {
  const lines = text.split("\n");
  const found = new Map<string, number>();
  if (lines.filter(hasContent).length > MAX_LINES) return found;
  let start = 0;
  for (const [index, line] of lines.entries()) {
    if (!hasContent(lines[start] ?? "")) start = index;
    if (!hasContent(line)) continue;
    const known = parseIfWhole(lines.slice(0, index + 1).join("\n"));
    if (known === undefined) continue;
    for (const path of pathsOf(known, "")) {
      if (!found.has(path)) found.set(path, start + 1);
    }
    start = index + 1;
  }
  return found;
}

function hasContent(line: string): boolean {
  return !/^\s*(?:#|$)/.test(line);
}

function parseIfWhole(text: string): unknown {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

function pathsOf(value: unknown, prefix: string): string[] {
  if (value === null || typeof value !== "object") return [];
  return Object.entries(value).flatMap(([key, entry]) => {
    const path = prefix === "" ? key : `${prefix}\0${key}`;
    return [path, ...pathsOf(entry, path)];
  });
}
