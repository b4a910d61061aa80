/**
 * What a session keeps of files, given to a copy of it as well.
 * Rule: contents never change, so the copy is another name for the same file where the file system can do that.
 */
import { join } from "@std/path";
import { ensurePrivateDirectory, naming, pathExists, refuseSymlinks } from "../platform/files.ts";
import { keptContentsDirectory } from "./layout.ts";

/** Gives session `to` the contents that session `from` keeps. */
export function copyContents(root: string, from: string, to: string): void {
  const source = keptContentsDirectory(from);
  refuseSymlinks(root, source);
  if (pathExists(join(root, source))) {
    copyFolder(join(root, source), join(root, keptContentsDirectory(to)));
  }
}

function copyFolder(from: string, to: string): void {
  ensurePrivateDirectory(to);
  for (const { name, isDirectory, isFile } of Deno.readDirSync(from)) {
    const [source, target] = [join(from, name), join(to, name)];
    if (isDirectory) copyFolder(source, target);
    if (isFile) naming(target, "copy", () => linkOrCopy(source, target));
  }
}

function linkOrCopy(source: string, target: string): void {
  try {
    Deno.linkSync(source, target);
  } catch {
    Deno.copyFileSync(source, target);
  }
}
