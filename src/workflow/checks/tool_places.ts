/**
 * Where a tool looks for its files: in the folder that it runs in, by a path from there, in folders below or above.
 * Rule: pure; paths are from the root, with `/` between parts, and the root is the empty path.
 */
import { posix } from "node:path";
import type { ToolFiles } from "./definition_tools.ts";

/** The folder that a path is in. */
export function folderOf(path: string): string {
  const folder = posix.dirname(path);
  return folder === "." ? "" : folder;
}

/** Whether a path is in a folder, or in one below it. */
export function isBelow(path: string, folder: string): boolean {
  return folder === "" || path.startsWith(`${folder}/`);
}

/** Whether a tool that runs in `folder` looks at `path` at all. */
export function mayConfigure(tool: ToolFiles, path: string, folder: string): boolean {
  const home = folderOf(path);
  return home === folder || tool.isInherited === true && isBelow(folder, home) ||
    tool.isAnywhere === true && isBelow(path, folder) || isByPath(tool, path, folder);
}

/** Whether all of a file at which it looks is its configuration. */
export function isWholly(tool: ToolFiles, path: string, folder: string): boolean {
  return tool.files.test(posix.basename(path)) || isByPath(tool, path, folder);
}

function isByPath({ paths, isInherited }: ToolFiles, path: string, folder: string): boolean {
  if (paths === undefined) return false;
  for (let home = folder;; home = folderOf(home)) {
    const prefix = home === "" ? "" : `${home}/`;
    if (path.startsWith(prefix) && paths.test(path.slice(prefix.length))) return true;
    if (home === "" || isInherited !== true) return false;
  }
}
