/**
 * m31a's own system calls, counted, with its end at one of them.
 * Rule: only its main thread, on which it does all that is synchronous; the programs that it starts are left alone.
 */

/** The calls at which something of the log or of a document becomes what it is. */
export const CALLS = ["fdatasync", "rename"] as const;

/** The call with this number, from 1. `fdatasync`: the record is written; `rename`: the document is not in its place yet. */
export interface CallPoint {
  call: typeof CALLS[number];
  number: number;
}

/** The command to put before m31a to count into the file `output`. */
export function countCalls(output: string): string[] {
  return ["strace", "-qq", "-o", output, "-e", `trace=${CALLS.join()}`];
}

/** How often each was made. */
export function countsIn(output: string): Record<CallPoint["call"], number> {
  const lines = Deno.readTextFileSync(output).split("\n");
  const count = (call: string) => lines.filter((line) => line.startsWith(`${call}(`)).length;
  return { fdatasync: count("fdatasync"), rename: count("rename") };
}

/** The command to put before m31a to end it at a call. */
export function killAtCall({ call, number }: CallPoint): string[] {
  const inject = `inject=${call}:signal=SIGKILL:when=${number}`;
  return ["strace", "-qq", "-o", "/dev/null", "-e", `trace=${call}`, "-e", inject];
}
