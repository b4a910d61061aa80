/**
 * Which paths a sandbox must keep read-only so that git, run outside of it, obeys no configuration of a
 * command's making.
 * Rule: what cannot be protected is refused, not run; a mount protects only direct children of the
 * root, because a folder on the way to a deeper one could be renamed and made anew.
 */
import { join, relative, resolve } from "@std/path";
import { GitError, NoGit } from "../git/errors.ts";
import type { Git } from "../git/run.ts";
import { WorkFailed } from "../platform/errors.ts";
import { lstatOrUndefined, naming, readTextIfExists } from "../platform/files.ts";
import { runProcess } from "../platform/processes.ts";

/** What to protect in one project. */
export interface GitProtection {
  /** Absolute; `.git` itself, which may be missing, is not among them. */
  elsewhere: string[];
  /**
   * There is no repository: an empty folder must stand at `.git` for as long as a command runs, so that
   * it can make none. git takes an empty folder for nothing.
   */
  needsPlaceholder: boolean;
}

/**
 * Finds out where the repository's own data are.
 *
 * @param git bound to the project's root
 * @throws {WorkFailed} when a command could make a repository of its own out of what is there
 */
export async function gitProtection(git: Git): Promise<GitProtection> {
  const path = join(git.root, ".git");
  const info = lstatOrUndefined(path);
  if (info === undefined) return { elsewhere: [], needsPlaceholder: true };
  if (info.isDirectory) {
    return { elsewhere: [], needsPlaceholder: isEmptyFolder(path) };
  }
  if (!info.isFile) {
    throw new WorkFailed(
      `${path}: is neither a folder nor a file, so the sandbox cannot protect it. Put a file there that ` +
        'says "gitdir: <path of the repository>".',
    );
  }
  const named = /^gitdir: (.*?)\n*$/s.exec(readTextIfExists(path) ?? "")?.[1] ?? "";
  const places = [resolve(git.root, named), ...await gitDirectories(git)];
  return {
    elsewhere: [...new Set(places.map((place) => protectable(git.root, place)))],
    needsPlaceholder: false,
  };
}

/** The git directory and the one that it shares with other worktrees; nothing where `.git` leads nowhere. */
async function gitDirectories(git: Git): Promise<string[]> {
  const args = ["rev-parse", "--path-format=absolute", "--git-dir", "--git-common-dir"];
  try {
    return (await git.readText(args)).trimEnd().split("\n");
  } catch (error) {
    if (error instanceof GitError || error instanceof NoGit) return [];
    throw error;
  }
}

/** `place` itself outside of the tree; inside it the folder of the root's that it is in. */
function protectable(root: string, place: string): string {
  const inside = relative(root, place);
  if (inside.startsWith("..")) return place;
  const child = join(root, inside.split("/", 1)[0] ?? "");
  if (child !== root && lstatOrUndefined(child)?.isDirectory) return child;
  throw new WorkFailed(
    `${root}/.git: leads to ${place}, which the sandbox cannot protect. Keep the repository outside of ` +
      "the tree, or in a folder of its own in it.",
  );
}

function isEmptyFolder(path: string): boolean {
  return naming(path, "list", () => Deno.readDirSync(path)[Symbol.iterator]().next().done === true);
}

function octal(character: string): string {
  return `\\${character.charCodeAt(0).toString(8).padStart(3, "0")}`;
}

// Removing a folder takes away what is mounted on it elsewhere, and so the protection of a command that
// another m31a runs in the same folder; one that was killed takes a moment to be gone. `rmdir` leaves a
// repository that the user has made meanwhile.
const REMOVE_PLACEHOLDER = `
for attempt in 1 2 3 4 5 6 7 8; do
  if ! grep -qsF -- " $1 " /proc/[0-9]*/mountinfo; then rmdir -- "$2" 2>/dev/null; exit; fi
  sleep 0.05
done
`;

/** Removes the empty folder at `.git` once no sandbox, of this process or another, has it mounted. */
export async function removePlaceholder(git: Git): Promise<void> {
  const path = join(git.root, ".git");
  // As proc(5) writes a mount point.
  const mounted = path.replace(/[ \t\n\\]/g, octal);
  const { searchPath } = await git.programs();
  await runProcess({
    script: REMOVE_PLACEHOLDER,
    args: [mounted, path],
    env: { PATH: searchPath },
  });
}
