/**
 * Where m31a takes its own programs from: git, bwrap and what its scripts use.
 * Rule: a program is taken from no folder that a command of the model's, or another user, could have put it
 * into. The user's own commands get the user's PATH all the same.
 */
import { join } from "@std/path";
import { WorkFailed } from "./errors.ts";
import type { Environment } from "./environment.ts";
import { startShell } from "./shell.ts";
import { decodeLossy } from "./text.ts";

/** The programs that m31a uses itself. */
const PROGRAM_NAMES = [
  "bwrap",
  "chmod",
  "find",
  "git",
  "grep",
  "head",
  "id",
  "mkdir",
  "mktemp",
  "rm",
  "rmdir",
  "sandbox-exec",
  "sleep",
] as const;
export type ProgramName = typeof PROGRAM_NAMES[number];

/** A folder of PATH that m31a takes no program from. */
export interface SkippedFolder {
  /** As PATH has it. */
  folder: string;
  why: string;
}

/** What was found in PATH. */
export interface Programs {
  /** The folders of PATH that can be trusted, in their order: the PATH of whatever m31a starts for itself. */
  searchPath: string;
  /** The absolute paths of those of {@linkcode PROGRAM_NAMES} that are in these folders. */
  found: ReadonlyMap<ProgramName, string>;
  skipped: readonly SkippedFolder[];
}

/** Where the tools are that judge PATH itself or read files outside of the project, and what stands for a PATH that is not set. */
export const SYSTEM_FOLDERS = "/usr/bin:/bin:/run/current-system/sw/bin";

let writableFolders: () => Promise<readonly string[]> = () => Promise.resolve([]);

/**
 * Tells of folders besides the project's that commands may write to, absolute. They are asked for when the
 * first program is looked for: most commands of m31a's never read the configuration.
 */
export function setWritableFolders(folders: () => Promise<readonly string[]>): void {
  writableFolders = folders;
}

const known = new Map<string, Promise<Programs>>();

/**
 * Looks through PATH, once for each project and each PATH.
 *
 * @param root the project's root, a real path
 * @throws {WorkFailed} when the folders of PATH cannot be looked at
 */
export function programsFor(root: string, environment: Environment): Promise<Programs> {
  const path = environment.PATH ?? SYSTEM_FOLDERS;
  const key = `${root}\0${path}`;
  const programs = known.get(key) ?? lookThrough(root, path);
  known.set(key, programs);
  return programs;
}

/** What the script says of a folder: where it really is, and which programs are in it, each with where that really is. */
interface Look {
  real: string;
  programs: Map<ProgramName, string>;
}

// Arguments: the names, this user's number, and the folders. Prints, line by line: for each folder `folder` and
// where it really is (nothing when it is not there) and the programs in it; then, behind a line `real`, where
// those that are links really are; then, behind a line `bad`, of all these and of what they are in: once what anybody may
// change, twice what belongs to another user.
const LOOK = `
names=$1; user=$2; shift 2
newline='
'
count=$#
places=
for folder; do
  if cd -P -- "$folder" 2>/dev/null; then
    here=\${PWD%/}
    echo "folder $PWD"
    places=$places$PWD$newline
    for name in $names; do
      if [ -f "$here/$name" ] && [ -x "$here/$name" ]; then
        if [ -L "$here/$name" ]; then
          echo "link $name"
          set -- "$@" "$here/$name"
        else
          echo "file $name"
          places=$places$here/$name$newline
        fi
      fi
    done
  else
    echo folder
  fi
done
shift "$count"
echo real
if [ $# -gt 0 ]; then
  reals=$(if command -v realpath >/dev/null; then realpath "$@"; else for link; do readlink -f "$link"; done; fi)
  echo "$reals"
  places=$places$reals$newline
fi
echo bad
set -f; IFS=$newline
set --
seen=$newline
for place in $places; do
  while :; do
    case $seen in *"$newline$place$newline"*) break ;; esac
    seen=$seen$place$newline
    set -- "$@" "$place"
    if [ "$place" = / ]; then break; fi
    place=\${place%/*}; place=\${place:-/}
  done
done
if [ $# -gt 0 ]; then
  exec find "$@" -prune '(' -perm -0002 ! -perm -1000 -print ')' -o '(' ! -user 0 ! -user "$user" -print -print ')'
fi
`;

async function lookThrough(root: string, path: string): Promise<Programs> {
  // Windows has no such rights to look at, and its own way to write a PATH, which its `sh` translates.
  if (Deno.build.os === "windows") {
    return {
      searchPath: path,
      found: new Map(PROGRAM_NAMES.map((name) => [name, name])),
      skipped: [],
    };
  }
  const skipped: SkippedFolder[] = [];
  const folders = [...new Set(path.split(":"))].filter((folder) => {
    const why = whyNotLookedAt(folder);
    if (why !== undefined) skipped.push({ folder, why });
    return why === undefined;
  });
  const writable = [root, ...await writableFolders()].filter((folder) => folder.startsWith("/"));
  const { looks, bad } = await look([...folders, ...writable]);
  const inside = looks.slice(folders.length).flatMap((folder, index) => [
    folder?.real ?? writable[index] ?? "",
  ]);
  const trusted: string[] = [];
  const found = new Map<ProgramName, string>();
  for (const [index, folder] of folders.entries()) {
    const here = looks[index];
    if (here === undefined) continue;
    const why = whyNotTrusted(here, inside, bad);
    if (why !== undefined) {
      skipped.push({ folder, why });
      continue;
    }
    trusted.push(here.real);
    for (const name of here.programs.keys()) {
      if (!found.has(name)) found.set(name, join(here.real, name));
    }
  }
  return { searchPath: [...new Set(trusted)].join(":"), found, skipped };
}

function whyNotLookedAt(folder: string): string | undefined {
  if (!folder.startsWith("/")) return "it is not absolute, so it is another folder in each project";
  // deno-lint-ignore no-control-regex -- such characters are what is looked for
  return /[\0-\x1f\x7f]/.test(folder) ? "its name holds a control character" : undefined;
}

/** Runs {@linkcode LOOK}; a folder that is not there is undefined. */
async function look(
  folders: readonly string[],
): Promise<{ looks: (Look | undefined)[]; bad: ReadonlyMap<string, Bad> }> {
  const names = PROGRAM_NAMES.join(" ");
  const { code, stdout, stderr } = await startShell(LOOK, [names, String(Deno.uid()), ...folders], {
    env: { PATH: SYSTEM_FOLDERS, LC_ALL: "C" },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).output();
  const lines = decodeLossy(stdout).split("\n");
  const [realAt, badAt] = [lines.indexOf("real"), lines.indexOf("bad")];
  if (code !== 0 || badAt < 0) {
    const said = decodeLossy(stderr).trim();
    throw new WorkFailed(
      `cannot look at the folders of PATH, from which git is taken: ${
        said || "sh says nothing"
      }. ` +
        `The programs find and realpath must be in one of ${SYSTEM_FOLDERS}.`,
    );
  }
  const reals = lines.slice(realAt + 1, badAt);
  const looks: (Look | undefined)[] = [];
  for (const line of lines.slice(0, realAt)) {
    const space = line.indexOf(" ");
    const [word, rest] = space < 0 ? [line, ""] : [line.slice(0, space), line.slice(space + 1)];
    const last = looks.at(-1);
    if (word === "folder") {
      looks.push(rest === "" ? undefined : { real: rest, programs: new Map() });
    }
    const name = PROGRAM_NAMES.find((name) => name === rest);
    if (name === undefined || last === undefined) continue;
    const real = word === "link" ? reals.shift() ?? "" : `${last.real}/${name}`;
    last.programs.set(name, real);
  }
  return { looks, bad: badPlaces(lines.slice(badAt + 1)) };
}

type Bad = "anybody" | "another";

/** Where `/` itself belongs to another, as in a user namespace, whose numbers are not the machine's, owners say nothing. */
function badPlaces(lines: readonly string[]): Map<string, Bad> {
  const bad = new Map<string, Bad>();
  for (const line of lines) {
    if (line !== "") bad.set(line, bad.has(line) ? "another" : "anybody");
  }
  const isOwnerTelling = bad.get("/") !== "another";
  return new Map([...bad].filter(([, why]) => why === "anybody" || isOwnerTelling));
}

function whyNotTrusted(
  { real, programs }: Look,
  inside: readonly string[],
  bad: ReadonlyMap<string, Bad>,
): string | undefined {
  for (const place of [real, ...programs.values()]) {
    const what = place === real ? "it" : `its ${place}`;
    const folder = inside.find((folder) => isInside(place, folder));
    if (folder !== undefined) {
      return `${what} is in ${folder}, which commands may write to`;
    }
    for (let part = place; part !== ""; part = part.slice(0, part.lastIndexOf("/"))) {
      const why = bad.get(part);
      const subject = part === place ? what : `${what} is in ${part}, which`;
      if (why === "anybody") return `${subject} can be changed by anybody`;
      if (why === "another") return `${subject} belongs to another user`;
    }
  }
  return undefined;
}

function isInside(place: string, folder: string): boolean {
  return folder === "/" || place === folder || place.startsWith(`${folder}/`);
}
