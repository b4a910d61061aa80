/**
 * Names that a file system has otherwise than the tree, though git takes them for the same.
 * Rule: folders are listed once each; a composed letter and its parts are the same name.
 */
import { posix } from "node:path";
import { textOf } from "./classify.ts";
import type { ByteName } from "./index_file.ts";

/** A path, and what is there that no checkout gives it. */
export interface Unlike {
  path: string;
  what: string;
}

/** Names that a file system without case has in another case than the tree, or composed in another way. */
export function otherNames(root: string, names: Iterable<ByteName>): Unlike[] {
  const listed = new Map<string, Set<string>>();
  const there = (folder: string) => {
    const known = listed.get(folder) ?? new Set(namesIn(folder));
    listed.set(folder, known);
    return known;
  };
  const unlike = new Map<string, Unlike>();
  for (const name of names) {
    const path = textOf(name);
    if (path === undefined) continue;
    for (let at = path; at !== "."; at = posix.dirname(at)) {
      const folder = posix.join(root, posix.dirname(at));
      if (unlike.has(at) || there(folder).has(posix.basename(at).normalize())) continue;
      unlike.set(at, { path: at, what: "is written in another case" });
    }
  }
  return [...unlike.values()];
}

function namesIn(folder: string): string[] {
  try {
    return [...Deno.readDirSync(folder)].map(({ name }) => name.normalize());
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory) {
      return [];
    }
    throw error;
  }
}
