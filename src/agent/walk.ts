/**
 * The files of a folder that is in no repository.
 * Rule: bounded in entries, links not followed, nothing private.
 */
import { join } from "@std/path";
import { isPrivatePath } from "./paths.ts";

/** Folders that hold what others made; skipped, since there is no .gitignore to ask. */
const SKIPPED = new Set(["node_modules", ".venv", "__pycache__"]);

/**
 * Lists the files below `folder` (relative to `root`), sorted by name within each folder, looking at `maxEntries` entries at
 * the most.
 */
export async function walkFiles(
  root: string,
  folder: string,
  maxEntries: number,
  signal: AbortSignal,
): Promise<{ paths: string[]; isComplete: boolean }> {
  const paths: string[] = [];
  const folders = [folder === "." ? "" : folder];
  let entriesSeen = 0;
  for (let next = folders.shift(); next !== undefined; next = folders.shift()) {
    signal.throwIfAborted();
    for (const entry of await entriesOf(join(root, next))) {
      if (++entriesSeen > maxEntries) return { paths, isComplete: false };
      const path = next === "" ? entry.name : `${next}/${entry.name}`;
      if (isPrivatePath(path)) continue;
      if (!entry.isDirectory) paths.push(path);
      if (entry.isDirectory && !SKIPPED.has(entry.name)) folders.push(path);
    }
  }
  return { paths, isComplete: true };
}

async function entriesOf(folder: string): Promise<Deno.DirEntry[]> {
  try {
    const entries = await Array.fromAsync(Deno.readDir(folder));
    return entries.sort((a, b) => a.name < b.name ? -1 : 1);
  } catch {
    // A folder that may not be read, has gone, or is a file, has no files to list.
    return [];
  }
}
