/** How long a program takes and how much memory. Rule: from its start to its end, output included. */

/** What one run took. */
export interface Measured {
  durationMs: number;
  /** The highest resident memory, as Linux counts it (VmHWM); 0 where there is no /proc. */
  peakMb: number;
  stdout: string;
}

/** How often the highest memory so far is looked at, in milliseconds. */
const LOOK_EVERY_MS = 10;

/** Runs a program to its end. @throws {Error} when it fails */
export async function measureProgram(
  program: string,
  args: readonly string[],
  cwd: string,
): Promise<Measured> {
  const startMs = performance.now();
  const child = new Deno.Command(program, {
    args: [...args],
    cwd,
    stdout: "piped",
    stderr: "inherit",
  })
    .spawn();
  let peakMb = 0;
  const timer = setInterval(() => peakMb = peakOf(child.pid) ?? peakMb, LOOK_EVERY_MS);
  try {
    const { success, code, stdout } = await child.output();
    const durationMs = performance.now() - startMs;
    if (!success) throw new Error(`${program} ended with ${code}`);
    return { durationMs, peakMb, stdout: new TextDecoder().decode(stdout) };
  } finally {
    clearInterval(timer);
  }
}

function peakOf(pid: number): number | undefined {
  try {
    const peak = /VmHWM:\s+(\d+) kB/.exec(Deno.readTextFileSync(`/proc/${pid}/status`));
    return peak === null ? undefined : Number(peak[1]) / 1000;
  } catch {
    return undefined;
  }
}
