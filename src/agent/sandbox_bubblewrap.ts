/**
 * bubblewrap's arguments.
 * Rule: the whole file system read-only first, then what is writable, then what stays read-only
 * inside it, then what is hidden: for bwrap the later one wins.
 */

import { SHELL } from "../platform/shell.ts";

/** Namespaces of its own, no capabilities, and an end together with m31a. */
const CONFINEMENT = [
  "--unshare-pid",
  "--unshare-ipc",
  "--unshare-uts",
  "--unshare-cgroup-try",
  "--die-with-parent",
  "--cap-drop",
  "ALL",
];

// /run is empty but for what names the system's programs and the servers of names.
const SEEN_IN_RUN = [
  "/run/current-system",
  "/run/NetworkManager/resolv.conf",
  "/run/resolvconf/resolv.conf",
  "/run/systemd/resolve/resolv.conf",
  "/run/systemd/resolve/stub-resolv.conf",
];

// What is mounted afresh belongs to whoever made it, so a command could add to it, as root or not: only the
// folders for shared memory, terminals and temporary files are meant for that.
const BASE =
  "--ro-bind / / --dev /dev --remount-ro /dev --tmpfs /dev/shm --proc /proc --tmpfs /run";

// A namespace of users of its own is what takes root's rights from root, and one that cannot be made anew keeps
// a command from being the root of a nested one. Old kernels and bubblewraps, and some containers, have neither.
const USER_NAMESPACES = ["--unshare-user --disable-userns", "--unshare-user-try"];

// /proc holds files that belong to root and change the machine: to root without capabilities they are as
// writable as to any owner. Folders may hold such files, and which there are is up to the kernel.
const WRITABLE_IN_PROC = `
for entry in /proc/*; do
  case $entry in /proc/[0-9]*) continue ;; esac
  if [ ! -L "$entry" ] && { [ -d "$entry" ] || [ -w "$entry" ]; }; then
    printf "%s\\n" --ro-bind "$entry" "$entry"
  fi
done`;

/**
 * Ends with 0 where bubblewrap is there and may make namespaces, with 127 where it is not installed. Prints the
 * flags that this machine wants besides {@linkcode bubblewrapArguments}, one a line.
 */
export const BUBBLEWRAP_TRIAL = `command -v bwrap >/dev/null || exit 127
for flags in ${USER_NAMESPACES.map((flags) => `"${flags}"`).join(" ")}; do
  if bwrap $flags ${BASE} ${CONFINEMENT.join(" ")} --unshare-net sh -c '${WRITABLE_IN_PROC}'; then
    printf "%s\\n" $flags; exit 0
  fi
done
exit 1`;

// Nothing is confined by this: everything that is started in the namespace ends with the first process of it.
const ENDING = "--dev-bind / / --unshare-pid --proc /proc --die-with-parent";

/** Ends with 0 where {@linkcode ENDING_SCRIPT} works. */
export const ENDING_TRIAL = `exec bwrap ${ENDING} true`;

/**
 * Runs a command line without a sandbox, but with an end of all that it starts. Arguments: the command line, the path
 * of `bwrap`.
 */
export const ENDING_SCRIPT = `exec "$2" ${ENDING} -- ${SHELL} -c "$1" 2>&1`;

// Keys and log-ins that no build needs, and sockets that lead to services with more rights than a command has.
const HIDDEN_FOLDERS = ".ssh .gnupg .aws .azure .kube .docker .config/gcloud .config/gh";
const HIDDEN_FILES = ".netrc .git-credentials .pypirc .config/git/credentials .Xauthority";

/**
 * The part of the launch that must look at the file system outside the project, and make what m31a's own
 * code may not write. Arguments: what runs inside and its two arguments (command_caches.ts), the paths of
 * `bwrap` and `mkdir`, the root, the path of `.git` or nothing, the part of the tree in which no socket needs to be hidden, then {@linkcode bubblewrapArguments}.
 * What is hidden comes last: the project may be the home directory.
 *
 * A socket leads to its service from a read-only place, too. The kernel lists those of this network namespace. They are
 * looked at last: one that goes away before it is covered keeps the sandbox from starting.
 */
export const BUBBLEWRAP_SCRIPT = `
inside=$1; commandline=$2; links=$3; bwrap=$4; mkdir=$5; root=$6; placeholder=$7; unseen=$8; shift 8
if [ -n "$placeholder" ]; then "$mkdir" -p -- "$placeholder"; fi
if [ -d /var/run ] && [ ! -L /var/run ]; then set -- "$@" --tmpfs /var/run --remount-ro /var/run; fi
hidden=:
if [ -n "$HOME" ]; then
  for name in ${HIDDEN_FOLDERS}; do
    if [ -d "$HOME/$name" ]; then
      place=$(cd -P "$HOME/$name" && pwd)
      set -- "$@" --tmpfs "$place" --remount-ro "$place"
      hidden=$hidden$place/:
    fi
  done
  for name in ${HIDDEN_FILES}; do
    if [ -f "$HOME/$name" ] && [ ! -L "$HOME/$name" ]; then
      set -- "$@" --ro-bind /dev/null "$HOME/$name"
    fi
  done
fi
seen=:
sockets=
while read -r _ _ _ _ _ _ _ socket; do
  case $seen in *":$socket:"*) continue ;; esac
  seen=$seen$socket:
  case $socket in
    "$unseen"/*) continue ;;
    "$root"/*) ;;
    [!/]*|''|/run/*|/var/run/*|/tmp/*|/dev/*|/proc/*) continue ;;
  esac
  if [ ! -S "$socket" ] || [ -L "$socket" ]; then continue; fi
  folder=$(cd -P -- "\${socket%/*}/" 2>/dev/null && pwd) || continue
  above=$folder
  while [ -n "$above" ]; do
    case $hidden in *":$above/:"*) continue 2 ;; esac
    above=\${above%/*}
  done
  sockets="$sockets$folder/\${socket##*/}
"
done </proc/net/unix
if [ -n "$sockets" ]; then
  case " $* " in
    *" --unshare-user "*) apart=--unshare-user ;;
    *) apart=--unshare-user-try ;;
  esac
  # What root reaches without the sandbox, such as another user's folders, it may not reach in it: nothing is to be covered.
  sockets=$(printf %s "$sockets" | "$bwrap" $apart --ro-bind / / -- ${SHELL} -c '
    while IFS= read -r socket; do if [ -S "$socket" ]; then printf "%s\\n" "$socket"; fi; done')
fi
while IFS= read -r socket; do
  if [ -n "$socket" ]; then set -- "$@" --ro-bind /dev/null "$socket"; fi
done <<SOCKETS
$sockets
SOCKETS
export TMPDIR=/tmp
exec "$bwrap" ${BASE} "$@" -- ${SHELL} -c "$inside" sh "$commandline" "$links" 2>&1
`;

/** Where commands see the project's folder for caches: outside of the tree, which tools walk through. */
export const CACHES_PLACE = "/run/m31a-caches";

/** What the arguments depend on. */
export interface BubblewrapRequest {
  /** The project's root, a real path. */
  root: string;
  /** What lies at the root: the project itself, or the folder of a proof. */
  tree: string;
  /** Paths below the root that are taken from the project although another tree lies there; read-only. */
  borrowed: readonly string[];
  /** The folder that is `/tmp` to commands. */
  scratch: string;
  network: boolean;
  /** More folders to write to, absolute; those that do not exist are left out. */
  writable: readonly string[];
  /** Paths of git's besides the root's `.git`, absolute, that stay read-only where they exist. */
  gitFolders: readonly string[];
  /** The folder that is {@linkcode CACHES_PLACE} to commands. */
  caches: string;
  /** What the trial has printed. */
  flags: readonly string[];
}

/** The mounts and namespaces of one project's sandbox. */
export function bubblewrapArguments(request: BubblewrapRequest): string[] {
  const { root, tree, scratch } = request;
  const isProject = tree === root;
  return [
    ...request.flags,
    "--bind",
    scratch,
    "/tmp",
    ...readOnly(SEEN_IN_RUN, "--ro-bind-try"),
    "--bind",
    request.caches,
    CACHES_PLACE,
    "--remount-ro",
    "/run",
    ...(request.network ? [] : ["--unshare-net"]),
    ...request.writable.flatMap((folder) => ["--bind-try", folder, folder]),
    "--bind",
    tree,
    root,
    ...readOnly(request.borrowed.map((path) => `${root}/${path}`), "--ro-bind-try"),
    ...readOnly([`${root}/.git`], "--ro-bind"),
    ...readOnly(request.gitFolders, "--ro-bind-try"),
    ...(isProject ? readOnly([`${root}/planning`], "--ro-bind") : []),
    ...(isProject ? ["--tmpfs", `${root}/sessions`, "--remount-ro", `${root}/sessions`] : []),
    ...CONFINEMENT,
    "--chdir",
    root,
  ];
}

function readOnly(paths: readonly string[], flag: string): string[] {
  return paths.flatMap((path) => [flag, path, path]);
}
