/**
 * A file outside of the project that the user means, read by `sh`, since m31a itself may not.
 * Rule: the path is one that the user gave or that docs/security.md names, never one of the model's or the project's.
 */
import { SYSTEM_FOLDERS } from "./programs.ts";
import { runProcess } from "./processes.ts";

/** What reading came to. */
export type OutsideFile =
  | { kind: "read"; bytes: Uint8Array }
  | { kind: "missing" }
  | { kind: "unreadable" }
  | { kind: "too large" };

/** How long reading a file may take: one on a disk that hangs is not waited for. */
const READ_TIMEOUT_MS = 5_000;

// A named pipe would be waited for; it is no file.
const READ = `
[ -e "$1" ] || exit 10
[ -f "$1" ] || exit 11
exec cat -- "$1"`;

/** Reads the file at `path`, an absolute one, of `maxBytes` at the most. */
export async function readOutsideFile(path: string, maxBytes: number): Promise<OutsideFile> {
  const { code, stdout, omittedBytes } = await runProcess({
    script: READ,
    args: [path],
    overrides: { PATH: SYSTEM_FOLDERS },
    timeoutMs: READ_TIMEOUT_MS,
    maxOutputBytes: maxBytes,
  });
  if (code === 10) return { kind: "missing" };
  if (code !== 0) return { kind: "unreadable" };
  if (omittedBytes > 0) return { kind: "too large" };
  return { kind: "read", bytes: stdout };
}
