/**
 * A checkout of a commit that stands in the project's place while its checks run.
 * Rule: the command sees the project's own path with the commit's files; what git ignores is there as
 * always, and nothing that it writes reaches the user's tree.
 */
import { dirname } from "@std/path";
import { WorkFailed } from "../platform/errors.ts";
import { refuseSymlinks } from "../platform/files.ts";
import type { Programs } from "../platform/programs.ts";
import { runProcess } from "../platform/processes.ts";
import { decodeLossy } from "../platform/text.ts";

/** A checkout to run a command on. */
export interface Proof {
  /**
   * The checkout: a folder of this proof alone, absolute. Mount points and copies of what git ignores remain in it,
   * so it is to be removed when the proof is over.
   */
  folder: string;
  /** What git ignores in the project and the command is to find: paths below the root, folders without a last `/`. */
  ignored: readonly string[];
}

/** Folders of dependencies: large, read by a check and written by an installation alone. */
const DEPENDENCIES = new Set([
  ".bundle",
  ".pnpm-store",
  ".venv",
  "Pods",
  "bower_components",
  "deps",
  "elm-stuff",
  "node_modules",
  "vendor",
  "venv",
]);

/** Whether `path` is a folder of dependencies, which a proof takes from the project read-only. */
export function isDependency(path: string): boolean {
  return DEPENDENCIES.has(path.slice(path.lastIndexOf("/") + 1));
}

// Where the file system can, a copy shares its blocks with what it was made from. What is there already is from
// an earlier command of the same proof.
const COPY = `
root=$1; folder=$2; shift 2
for path; do
  if [ -e "$folder/$path" ] || [ -L "$folder/$path" ]; then continue; fi
  if [ ! -e "$root/$path" ] && [ ! -L "$root/$path" ]; then continue; fi
  mkdir -p -- "$(dirname -- "$folder/$path")" || exit
  if cp -a --reflink=auto -- "$root/$path" "$folder/$path"; then continue; fi
  rm -rf -- "$folder/$path"; exit 1
done`;

/**
 * Puts into the checkout what a build may have to write: a copy of everything ignored that is no dependency.
 *
 * @throws {WorkFailed} when it cannot be copied, and when the checkout has a link where the project has a folder
 */
export async function copyIgnored(
  root: string,
  proof: Proof,
  { searchPath }: Programs,
  signal?: AbortSignal,
): Promise<void> {
  for (const path of proof.ignored) refuseSymlinks(proof.folder, dirname(path));
  const copied = proof.ignored.filter((path) => !isDependency(path));
  if (copied.length === 0) return;
  const { code, stderr } = await runProcess({
    script: COPY,
    args: [root, proof.folder, ...copied],
    env: { PATH: searchPath },
    ...(signal !== undefined && { signal }),
  });
  signal?.throwIfAborted();
  if (code === 0) return;
  const said = decodeLossy(stderr).trim().split("\n")[0] ?? "";
  throw new WorkFailed(`cannot copy what git ignores into ${proof.folder}: ${said}`);
}
