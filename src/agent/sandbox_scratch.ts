/**
 * The folder of temporary files that commands in a sandbox have.
 * Rule: it is outside what m31a's own code may touch, so `sh` makes and removes it, and looks before each use
 * that it is still the folder that was made. It lies where no command and no other user can swap it for another;
 * one that a killed m31a has left is removed by a later one, never one that may still be in use.
 */
import { WorkFailed } from "../platform/errors.ts";
import { runProcess } from "../platform/processes.ts";
import { decodeLossy } from "../platform/text.ts";

/** What the scripts get: PATH, in which what they use is looked up, and TMPDIR where it is set. */
export type ScratchEnvironment = Readonly<{ PATH: string; TMPDIR?: string }>;

/** A temporary folder that has been made. */
export interface Scratch {
  /** Where m31a made it, a real path; only its owner enters it. */
  folder: string;
  /** The part of it that commands see and write to. */
  tmp: string;
  /** Why it is not where TMPDIR says, where it is not. */
  passedOver: string;
}

/** Whether `$folder` is a folder, no link, and this user's own. */
const IS_OWN =
  '[ -d "$folder/tmp" ] && [ ! -L "$folder" ] && [ ! -L "$folder/tmp" ] && [ -O "$folder" ]';

const REMOVE = `if [ ! -L "$folder" ] && [ -O "$folder" ]; then
  chmod -R u+rwx -- "$folder" 2>/dev/null; rm -rf -- "$folder"
fi`;

// A folder above that others can write to, without the sticky bit, is one in which they can put another in the
// place of ours; so is one that a command can write to. Who owns `/` owns the machine, whatever number they have here.
const FITS = `
me=$(id -u)
machine=$(ls -nd / | { read -r _ _ owner _; echo "$owner"; })
refused() {
  reached=$1
  for writable in "$project" $writable_folders; do
    case $reached/ in "\${writable%/}"/*) echo "commands can write there"; return ;; esac
  done
  while :; do
    if [ -z "$(find "$reached" -prune -type d '(' -user "$me" -o -user "$machine" ')')" ]; then
      echo "$reached belongs to somebody else"; return
    fi
    if [ -z "$(find "$reached" -prune '(' ! -perm -020 ! -perm -002 -o -perm -1000 ')')" ]; then
      echo "others can write to $reached, which has no sticky bit"; return
    fi
    if [ "$reached" = / ]; then return; fi
    reached=\${reached%/*}; reached=\${reached:-/}
  done
}`;

// Left by a killed one: the user's own, its process is gone, and nothing was put into it for a day (a
// process in another container, which shares the folder, is not seen).
const MAKE = `
pid=$1; project=$2; wanted=$3; shift 3
newline='
'
writable_folders=
for folder in "$@"; do
  real=$(cd -P -- "$folder" 2>/dev/null && pwd) && writable_folders=$writable_folders$newline$real
done
${FITS}
set -f; IFS=$newline
why=
for place in "$wanted" /tmp /var/tmp; do
  if [ -z "$place" ]; then continue; fi
  case $place in
    /*)
      if real=$(cd -P -- "$place" 2>/dev/null && pwd); then
        place=$real; reason=$(refused "$place")
      else
        reason="cannot be entered"
      fi ;;
    *) reason="is no absolute path" ;;
  esac
  if [ -z "$reason" ]; then found=$place; break; fi
  why="$why$newline$place: $reason"
done
if [ -z "$found" ]; then printf '%s\\n' "$why" >&2; exit 1; fi
set +f
cd "$found" || exit
for folder in ./m31a-*-????????; do
  other=\${folder#./m31a-}; other=\${other%-????????}
  case $other in ''|*[!0-9]*) continue ;; esac
  if kill -0 "$other" 2>/dev/null; then continue; fi
  if [ -z "$(find "$folder" -prune -type d -user "$me" -mtime +0)" ]; then continue; fi
  if [ -n "$(find "$folder/tmp" -prune -mtime -1 2>/dev/null)" ]; then continue; fi
  ${REMOVE}
done
folder=$(mktemp -d "$PWD/m31a-$pid-XXXXXXXX") && mkdir -m 700 "$folder/tmp" || exit
printf '%s\\n%s\\n' "$folder" "$why"
`;

/**
 * Makes the folder of this process, in TMPDIR where that is fit for it. Removes those that killed ones have left.
 *
 * @param project the project's root, a real path
 * @param writable more folders that commands can write to
 * @throws {WorkFailed} when there is no place that nobody else can change
 */
export async function makeScratch(
  project: string,
  writable: readonly string[],
  { PATH, TMPDIR = "" }: ScratchEnvironment,
): Promise<Scratch> {
  const { code, stdout, stderr } = await runProcess({
    script: MAKE,
    args: [String(Deno.pid), project, TMPDIR, ...writable],
    env: { PATH },
  });
  const [folder = "", ...why] = decodeLossy(stdout).split("\n");
  if (code === 0 && folder.startsWith("/")) {
    return { folder, tmp: `${folder}/tmp`, passedOver: why.filter(Boolean).join("; ") };
  }
  const reasons = decodeLossy(stderr).trim().split("\n").join("; ");
  throw new WorkFailed(
    `cannot make a temporary folder for commands: ${reasons}. Set TMPDIR to a folder of your own, outside of ` +
      "the project, that nobody else can write to.",
  );
}

/** Whether it still is what was made: a folder of this user's, reached through no link. */
export async function isScratchIntact({ folder }: Scratch): Promise<boolean> {
  const { code } = await runProcess({ script: `folder=$1; ${IS_OWN}`, args: [folder], env: {} });
  return code === 0;
}

/** Removes the folder, also what a command has made unreadable in it; nothing when it is not the one that was made. */
export async function removeScratch(
  { folder }: Scratch,
  { PATH }: ScratchEnvironment,
): Promise<void> {
  await runProcess({ script: `folder=$1; ${REMOVE}`, args: [folder], env: { PATH } });
}
