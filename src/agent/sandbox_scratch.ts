/**
 * The temporary folder that is `/tmp` to commands in a sandbox.
 * Rule: it is outside what m31a's own code may touch, so `sh` makes and removes it; one that a killed
 * m31a has left is removed by a later one, never one that may still be in use.
 */
import { WorkFailed } from "../platform/errors.ts";
import { runProcess } from "../platform/processes.ts";
import { decodeLossy } from "../platform/text.ts";

const REMOVE = 'chmod -R u+rwx "$folder" 2>/dev/null; rm -rf -- "$folder"';

// Left by a killed one: the user's own, its process is gone, and nothing was put into it for a day (a
// process in another container, which shares the folder, is not seen).
const MAKE = `
cd "\${TMPDIR:-/tmp}" || exit
for folder in ./m31a-*-????????; do
  pid=\${folder#./m31a-}; pid=\${pid%-????????}
  case $pid in ''|*[!0-9]*) continue ;; esac
  if kill -0 "$pid" 2>/dev/null; then continue; fi
  if [ -n "$(find "$folder" -prune -type d -user "$(id -u)" -mtime +0)" ]; then ${REMOVE}; fi
done
cd "$(mktemp -d "$PWD/m31a-$1-XXXXXXXX")" && pwd -P
`;

/** What the scripts get: PATH, in which what they use is looked up, and TMPDIR where it is set. */
export type ScratchEnvironment = Readonly<{ PATH: string; TMPDIR?: string }>;

/** Makes the folder of this process and gives its real path. Removes those that killed ones have left. */
export async function makeScratchFolder(env: ScratchEnvironment): Promise<string> {
  const args = [String(Deno.pid)];
  const { code, stdout, stderr } = await runProcess({ script: MAKE, args, env: { ...env } });
  const folder = decodeLossy(stdout).replace(/\n$/, "");
  if (code === 0 && folder.startsWith("/")) return folder;
  throw new WorkFailed(
    `cannot make a temporary folder for commands: ${decodeLossy(stderr).trim()}. Check TMPDIR.`,
  );
}

/** Removes the folder, also what a command has made unreadable in it. */
export async function removeScratchFolder(folder: string, env: ScratchEnvironment): Promise<void> {
  await runProcess({ script: `folder=$1; ${REMOVE}`, args: [folder], env: { ...env } });
}
