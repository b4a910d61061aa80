/**
 * Looking below the root for files that tell something: tests, packages.
 * Rule: nearest first; folders of others' code are passed over, and where the looking ends early it is said.
 */
import type { Manifests } from "./manifests.ts";

/** Folders with other people's code, or with what a build made. */
export const FOREIGN_FOLDERS: ReadonlySet<string> = new Set([
  ...["node_modules", "vendor", "third_party", "bower_components", "site-packages"],
  ...["dist", "build", "out", "target", "coverage", "_build", "deps", "obj", "bin"],
  ...["venv", "env", "virtualenv", "__pycache__", "planning", "sessions"],
]);

/** So many folders are looked into. */
const MAX_FOLDERS = 1000;

/** Files that hold tests, by the ecosystem whose runner finds them. */
const TEST_FILES = {
  Deno: /(?:^|\/)(?:\w[\w.-]*[._])?test\.(?:[cm]?[jt]s|[jt]sx)$/,
  Node: /\.(?:test|spec)\.[cm]?[jt]sx?$|(?:^|\/)(?:tests?|__tests__|spec)\/.*\.[cm]?[jt]sx?$/,
  Python: /(?:^|\/)(?:test[^/]*|[^/]+_test)\.py$/,
  Ruby: /(?:^|\/)[^/]+_(?:spec|test)\.rb$|(?:^|\/)test_[^/]+\.rb$/,
} as const;

/** Whether a path is a test file of that ecosystem, as its runners look for them. */
export function isTestFileOf(type: keyof typeof TEST_FILES): (path: string) => boolean {
  return (path) => TEST_FILES[type].test(path);
}

/** The files below a root, nearest first. */
export class TestLook {
  readonly #manifests: Manifests;

  constructor(manifests: Manifests) {
    this.#manifests = manifests;
  }

  /** The first path for which `isIt`. */
  first(isIt: (path: string) => boolean): string | undefined {
    for (const path of this.paths()) if (isIt(path)) return path;
    return undefined;
  }

  /** All paths of files and folders, but not of those in foreign or hidden folders. */
  *paths(): Generator<string> {
    const { reader, leftOut } = this.#manifests;
    const queue = [""];
    for (let at = 0; at < queue.length; at++) {
      if (at === MAX_FOLDERS) {
        const reason = `more than ${MAX_FOLDERS} folders; tests were looked for in the nearest`;
        leftOut.push({ source: ".", what: "what lies deepest", reason });
        return;
      }
      const folder = queue[at] ?? "";
      const below = (name: string) => folder === "" ? name : `${folder}/${name}`;
      for (const name of [...reader.list(folder)].sort()) yield below(name);
      for (const name of [...reader.folders(folder)].sort()) {
        if (!name.startsWith(".") && !FOREIGN_FOLDERS.has(name)) queue.push(below(name));
      }
    }
  }
}
