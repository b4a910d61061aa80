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
  /** Whether folders of dependencies are copied, too; else the command reads the project's own. */
  copiesDependencies?: boolean;
}

/**
 * A line of `sh` for the environment: what runs in a proof takes dependencies as they are. uv goes by the times of
 * files, which are new in a checkout, and would install the project again.
 */
export const PROOF_ENVIRONMENT = "export UV_NO_SYNC=1\n";

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

/** Whether `path` is a folder of dependencies. */
export function isDependency(path: string): boolean {
  return DEPENDENCIES.has(path.slice(path.lastIndexOf("/") + 1));
}

/** What of a project's a proof takes read-only, and does not copy. */
export function borrowedBy({ ignored, copiesDependencies }: Proof): string[] {
  return copiesDependencies === true ? [] : ignored.filter(isDependency);
}

/** What tools say of a place that is read-only. */
const READ_ONLY = /read-only file system|EROFS|os error 30|Errno 30/i;

/**
 * Whether a command's output says that it could not write to what the proof has borrowed. Some checks install
 * something, or keep a cache among the dependencies.
 *
 * @param root the project's root, which is where the command has seen them
 */
export function wroteToBorrowed(root: string, proof: Proof, output: string): boolean {
  const places = borrowedBy(proof).map((path) => `${root}/${path}`);
  return output.split("\n").some((line) =>
    READ_ONLY.test(line) && places.some((place) => line.includes(place))
  );
}

// Where the file system can, a copy shares its blocks with what it was made from. What is there already is from
// an earlier command of the same proof, but for an empty folder: that may be the place of a mount.
const COPY = `
root=$1; folder=$2; shift 2
for path; do
  if [ -d "$folder/$path" ] && [ ! -L "$folder/$path" ]; then
    rmdir -- "$folder/$path" 2>/dev/null
  fi
  if [ -e "$folder/$path" ] || [ -L "$folder/$path" ]; then continue; fi
  if [ ! -e "$root/$path" ] && [ ! -L "$root/$path" ]; then continue; fi
  mkdir -p -- "$(dirname -- "$folder/$path")" || exit
  if cp -a --reflink=auto -- "$root/$path" "$folder/$path"; then continue; fi
  rm -rf -- "$folder/$path"; exit 1
done`;

/**
 * Puts into the checkout what a build may have to write: a copy of everything ignored that is not borrowed.
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
  const borrowed = new Set(borrowedBy(proof));
  const copied = proof.ignored.filter((path) => !borrowed.has(path));
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
