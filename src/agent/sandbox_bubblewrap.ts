/**
 * bubblewrap's arguments.
 * Rule: the whole file system read-only first, then what is writable, then what stays read-only
 * inside it, then what is hidden: for bwrap the later one wins.
 */

/** Namespaces of its own, no capabilities, and an end together with m31a. */
const CONFINEMENT = [
  "--unshare-user-try",
  "--unshare-pid",
  "--unshare-ipc",
  "--unshare-uts",
  "--unshare-cgroup-try",
  "--die-with-parent",
  "--cap-drop",
  "ALL",
];

const BASE = "--ro-bind / / --dev /dev --proc /proc";

/** Ends with 0 where bubblewrap is there and may make namespaces, with 127 where it is not installed. */
export const BUBBLEWRAP_TRIAL = `command -v bwrap >/dev/null || exit 127
exec bwrap ${BASE} ${CONFINEMENT.join(" ")} --unshare-net true`;

// Keys and log-ins that no build needs, and sockets that lead to services with more rights than a command has.
const HIDDEN_FOLDERS = ".ssh .gnupg .aws .azure .kube .docker .config/gcloud .config/gh";
const HIDDEN_FILES = ".netrc .git-credentials .pypirc .config/git/credentials";

/**
 * The part of the launch that must look at the file system outside the project, and make what m31a's own
 * code may not write. Arguments: the command line, the paths of `mkdir` and `bwrap`, the path of `.git` or
 * nothing, then {@linkcode bubblewrapArguments}. What is hidden comes last: the project may be the home directory.
 */
export const BUBBLEWRAP_SCRIPT = `
commandline=$1; mkdir=$2; bwrap=$3; placeholder=$4; shift 4
if [ -n "$placeholder" ]; then "$mkdir" -p -- "$placeholder"; fi
if [ -n "$HOME" ]; then
  for name in ${HIDDEN_FOLDERS}; do
    if [ -d "$HOME/$name" ]; then set -- "$@" --tmpfs "$(cd -P "$HOME/$name" && pwd)"; fi
  done
  for name in ${HIDDEN_FILES}; do
    if [ -f "$HOME/$name" ] && [ ! -L "$HOME/$name" ]; then
      set -- "$@" --ro-bind /dev/null "$HOME/$name"
    fi
  done
fi
if [ -z "$GOCACHE" ]; then export GOCACHE=/tmp/go-build; fi
export TMPDIR=/tmp
exec "$bwrap" ${BASE} "$@" -- /bin/sh -c "$commandline" 2>&1
`;

/** What the arguments depend on. */
export interface BubblewrapRequest {
  /** The project's root, a real path. */
  root: string;
  /** The folder that is `/tmp` to commands. */
  scratch: string;
  network: boolean;
  /** More folders to write to, absolute; those that do not exist are left out. */
  writable: readonly string[];
  /** Paths of git's besides the root's `.git`, absolute, that stay read-only where they exist. */
  gitFolders: readonly string[];
  /** Whether the root has a `sessions` that is no link. */
  hasSessions: boolean;
}

/** The mounts and namespaces of one project's sandbox. */
export function bubblewrapArguments(request: BubblewrapRequest): string[] {
  const { root, scratch } = request;
  return [
    "--bind",
    scratch,
    "/tmp",
    "--tmpfs",
    "/run",
    "--ro-bind-try",
    "/run/current-system",
    "/run/current-system",
    ...(request.network
      ? ["--ro-bind-try", "/run/systemd/resolve", "/run/systemd/resolve"]
      : ["--unshare-net"]),
    ...request.writable.flatMap((folder) => ["--bind-try", folder, folder]),
    "--bind",
    root,
    root,
    "--ro-bind",
    `${root}/.git`,
    `${root}/.git`,
    ...request.gitFolders.flatMap((folder) => ["--ro-bind-try", folder, folder]),
    "--ro-bind",
    `${root}/planning`,
    `${root}/planning`,
    ...(request.hasSessions
      ? ["--tmpfs", `${root}/sessions`, "--remount-ro", `${root}/sessions`]
      : []),
    ...CONFINEMENT,
    "--chdir",
    root,
  ];
}
