/**
 * Running a command line of a real project's.
 * Rule: nothing is asked, nothing is coloured, and what it says is kept whole.
 */

/** How a command line ended. */
export interface Ran {
  code: number;
  /** stdout, and behind it stderr. */
  output: string;
  seconds: number;
}

/** Runs text for `sh` in a folder; its `$1`, `$2` … are `args`. */
export async function shell(cwd: string, script: string, ...args: string[]): Promise<Ran> {
  const start = Date.now();
  const { code, stdout, stderr } = await new Deno.Command("sh", {
    args: ["-c", script, "sh", ...args],
    cwd,
    env: { NO_COLOR: "1", CI: "true" },
    stdin: "null",
  }).output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { code, output: text(stdout) + text(stderr), seconds: (Date.now() - start) / 1000 };
}
