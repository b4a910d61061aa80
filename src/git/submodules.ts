/**
 * Submodules: which there are, and what has changed in them.
 * Rule: a git directory that a command could have written is not entered, since git runs what its
 * configuration says; a submodule is looked into only through a git directory inside the project's own.
 */
import { runProcess } from "../platform/processes.ts";
import { decodeLossy } from "../platform/text.ts";
import { GitError } from "./errors.ts";
import { type GitPath, splitNul } from "./path.ts";
import type { Git } from "./run.ts";

/** The paths of submodules that are not as the last commit has them. */
export interface SubmoduleChanges {
  /** At another commit, or with changes of their own. */
  changed: string[];
  /** Not looked into: the repository there is not kept in the project's git directory. */
  unseen: string[];
}

/** Those of `paths` that are a submodule or in one, each with the submodule's path. */
export async function submodulePaths(
  git: Git,
  paths: readonly GitPath[],
): Promise<{ path: GitPath; submodule: string }[]> {
  const submodules = await listSubmodules(git, []);
  return paths.flatMap((path) => {
    const submodule = submodules.find((name) =>
      path.text === name || path.text.startsWith(`${name}/`)
    );
    return submodule === undefined ? [] : [{ path, submodule }];
  });
}

/**
 * Looks for submodules that are at another commit or hold changes, those inside of submodules too.
 *
 * @throws {GitError} {@linkcode NotARepository}
 */
export async function submoduleChanges(git: Git): Promise<SubmoduleChanges> {
  const changes: SubmoduleChanges = { changed: [], unseen: [] };
  if ((await listSubmodules(git, [])).length === 0) return changes;
  const args = ["rev-parse", "--path-format=absolute", "--git-dir", "--git-common-dir"];
  const homes = (await git.readText(args)).trimEnd().split("\n").map((home) => `${home}/modules/`);
  await lookInto(git, "", [], homes, changes);
  return changes;
}

/**
 * Looks at the submodules of one repository.
 *
 * @param folder the repository's tree below the root, empty or with a final `/`
 * @param at what makes git use exactly this repository
 * @param homes where the git directories of submodules are kept
 */
async function lookInto(
  git: Git,
  folder: string,
  at: readonly string[],
  homes: readonly string[],
  changes: SubmoduleChanges,
): Promise<void> {
  const names = await listSubmodules(git, at);
  if (names.length === 0) return;
  const status = [...at, "status", "--porcelain", "-z", "--no-renames", "--untracked-files=no"];
  const moved = new Set(
    statusPaths(await git.read([...status, "--ignore-submodules=dirty", "--", ...names])),
  );
  for (const name of names) {
    const path = folder + name;
    if (moved.has(name)) {
      changes.changed.push(path);
      continue;
    }
    const directory = await findGitDirectory(git, path, homes);
    if (directory === NOT_POPULATED) continue;
    if (directory === "") {
      changes.unseen.push(path);
      continue;
    }
    const inside = ["-C", path, `--git-dir=${directory}`, "--work-tree=."];
    try {
      if (await hasChanges(git, inside)) changes.changed.push(path);
      await lookInto(git, `${path}/`, inside, homes, changes);
    } catch (error) {
      if (!(error instanceof GitError)) throw error;
      changes.unseen.push(path);
    }
  }
}

async function hasChanges(git: Git, at: readonly string[]): Promise<boolean> {
  const args = [...at, "status", "--porcelain", "-z", "--no-renames", "--ignore-submodules=dirty"];
  return (await git.read(args)).byteLength > 0;
}

function statusPaths(output: Uint8Array): string[] {
  return splitNul(output).fields.map((field) => decodeLossy(field).slice(3));
}

/** The paths of the submodules that the index names. */
async function listSubmodules(git: Git, at: readonly string[]): Promise<string[]> {
  const entries = splitNul(await git.read([...at, "ls-files", "--stage", "-z"])).fields;
  return entries.filter(isSubmoduleEntry).map(decodeLossy)
    .map((entry) => entry.slice(entry.indexOf("\t") + 1));
}

/** Whether an entry of `git ls-files --stage` begins with `16`, as the mode 160000 alone does. */
function isSubmoduleEntry(entry: Uint8Array): boolean {
  return entry[0] === 0x31 && entry[1] === 0x36;
}

/** No repository is there: `git submodule update` was never run. */
const NOT_POPULATED = "none";

// A worktree's git directory is outside what m31a may read, so `sh` looks. Every link is resolved, on
// the way to the submodule (none is allowed) and on the way to its git directory.
const FIND_GIT_DIRECTORY = `
path=$1; shift
if [ ! -e "$path/.git" ] && [ ! -L "$path/.git" ]; then echo ${NOT_POPULATED}; exit; fi
[ -f "$path/.git" ] && [ ! -L "$path/.git" ] || exit
root=$(pwd -P)
cd -P "./$path" && [ "$(pwd -P)" = "$root/$path" ] || exit
target=$(head -c 4096 .git)
case $target in "gitdir: "*) target=\${target#gitdir: } ;; *) exit ;; esac
case $target in /*) ;; *) target=./$target ;; esac
cd -P "$target" || exit
for home; do
  case $(pwd -P)/ in "$home"?*) pwd -P; exit ;; esac
done
`;

/** The git directory of the submodule at `path`; {@linkcode NOT_POPULATED}, or empty when it is in none of `homes`. */
async function findGitDirectory(
  git: Git,
  path: string,
  homes: readonly string[],
): Promise<string> {
  const { stdout } = await runProcess({
    script: FIND_GIT_DIRECTORY,
    args: [path, ...homes],
    env: { PATH: (await git.programs()).searchPath },
    cwd: git.root,
  });
  return decodeLossy(stdout).replace(/\n$/, "");
}
