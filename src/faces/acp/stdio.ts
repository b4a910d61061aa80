/**
 * The protocol on the pipes of processes: this one's, and those of an m31a that is started in another project.
 * Rule: a line is a message; stdout belongs to the protocol alone, and stderr is for people.
 */
import { ndJsonStream, type Stream } from "@agentclientprotocol/sdk";
import { EXEC, startShell } from "../../platform/shell.ts";

/** The stream to whoever has started this process. */
export function ownStream(): Stream {
  return ndJsonStream(Deno.stdout.writable, Deno.stdin.readable);
}

/**
 * Starts another m31a in the folder `cwd`, and gives the stream to it. It ends when its stdin does.
 *
 * @param command the executable and its arguments
 */
export function startIn(cwd: string, command: readonly string[]): Stream {
  const script = `cd "$1" && shift && ${EXEC}`;
  const child = startShell(script, [cwd, ...command], {
    stdin: "piped",
    stdout: "piped",
    stderr: "inherit",
  });
  return ndJsonStream(child.stdin, child.stdout);
}
