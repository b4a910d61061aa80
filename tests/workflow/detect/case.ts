/** A project to be detected, as files, with what must be found. */
import type { ManifestReader } from "../../../src/workflow/detect/detected.ts";

export type Files = Record<string, string>;

/** A project's files, its primary ecosystem in words, package manager, frameworks, and checks as `name: command @ source`. */
export type Case = readonly [
  name: string,
  files: Files,
  type: string,
  packageManager: string,
  frameworks: readonly string[],
  checks: readonly string[],
];

/** A reader over files in memory. */
export function reader(files: Files): ManifestReader {
  const below = (folder: string) => {
    const start = folder === "" ? "" : `${folder}/`;
    return Object.keys(files).filter((path) => path.startsWith(start))
      .map((path) => path.slice(start.length).split("/"));
  };
  return {
    list: (folder = "") => [...new Set(below(folder).map(([name = ""]) => name))],
    folders: (folder = "") => [
      ...new Set(below(folder).filter(({ length }) => length > 1).map(([name = ""]) => name)),
    ],
    read: (path) => files[path],
  };
}

/** JSON with a line a value. */
export function json(value: unknown): string {
  return JSON.stringify(value, null, 2);
}
