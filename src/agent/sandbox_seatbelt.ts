/**
 * The profile for macOS's sandbox-exec.
 * Rule: the same promises as under bubblewrap; in a profile the last rule that matches wins.
 */

/** Ends with 0 where sandbox-exec works, with 127 where there is none. */
export const SEATBELT_TRIAL = `command -v sandbox-exec >/dev/null || exit 127
exec sandbox-exec -p '(version 1)(allow default)' true`;

/** Arguments: the profile, the temporary folder, the path of sandbox-exec, what runs inside and its two arguments. */
export const SEATBELT_SCRIPT = `
export TMPDIR=$2
exec "$3" -p "$1" /bin/sh -c "$4" sh "$5" "$6" 2>&1
`;

/**
 * Writes the profile.
 *
 * @param request the project's root, the tree to work in, the temporary folder, more writable ones and git's own, real paths
 */
export function seatbeltProfile(
  request: {
    root: string;
    /** What the command works in: the root, or the folder of a proof. */
    tree: string;
    /** The project's folder for caches. */
    caches: string;
    scratch: string;
    network: boolean;
    writable: readonly string[];
    gitFolders: readonly string[];
  },
): string {
  const { root, tree, caches, scratch, network, writable, gitFolders } = request;
  const kept = [`${root}/.git`, `${root}/planning`, ...gitFolders];
  const subpath = (path: string) => `(subpath ${quoted(path)})`;
  const home = ["ssh", "gnupg", "aws", "azure", "kube", "docker", "config/gcloud", "config/gh"]
    .map((name) => `(regex #"^/Users/[^/]+/\\.${name}(/|$)")`).join("");
  return [
    "(version 1)",
    "(allow default)",
    "(deny file-write*)",
    `(allow file-write* ${[tree, scratch, ...writable].map(subpath).join(" ")}`,
    '  (literal "/dev/null") (literal "/dev/tty") (regex #"^/dev/fd/") (literal "/dev/stdout") (literal "/dev/stderr"))',
    `(deny file-write* ${kept.map(subpath).join(" ")})`,
    `(deny file-read* file-write* ${subpath(`${root}/sessions`)} ${home})`,
    `(allow file-read* file-write* ${subpath(caches)})`,
    ...(network ? [] : [
      "(deny network*)",
      '(allow network* (local ip "localhost:*"))',
      '(allow network-outbound (remote ip "localhost:*"))',
    ]),
  ].join("\n");
}

function quoted(path: string): string {
  return `"${path.replace(/["\\]/g, "\\$&")}"`;
}
