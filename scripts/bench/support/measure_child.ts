/**
 * Runs child.ts and gives its time and its peak memory.
 * Rule: the peak is the kernel's own count, read before the process ends; elsewhere than on Linux there is none.
 */
import { fileURLToPath } from "node:url";
import { applicationFlags } from "../../permissions.ts";
import { RUNTIME_FLAGS } from "../../runtime.ts";

const CHILD = fileURLToPath(new URL("./child.ts", import.meta.url));
const CONFIG = fileURLToPath(new URL("../../../deno.json", import.meta.url));

/** What a child came to. */
export interface Measured {
  durationMs: number;
  /** Undefined where the system does not say. */
  peakBytes: number | undefined;
}

/** Runs child.ts with `args` in `folder`. */
export async function measureChild(folder: string, ...args: string[]): Promise<Measured> {
  const child = new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--quiet",
      "--no-check",
      "--config",
      CONFIG,
      ...RUNTIME_FLAGS,
      ...applicationFlags(),
      CHILD,
      ...args,
    ],
    cwd: folder,
    stdin: "piped",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const reader = child.stdout.getReader();
  const { value } = await reader.read();
  const peakBytes = peakOf(child.pid);
  await child.stdin.close();
  await reader.cancel();
  const { code } = await child.status;
  if (code !== 0 || value === undefined) throw new Error(`child.ts ${args.join(" ")} failed`);
  return { durationMs: Number(new TextDecoder().decode(value)), peakBytes };
}

function peakOf(pid: number): number | undefined {
  if (Deno.build.os !== "linux") return undefined;
  const status = Deno.readTextFileSync(`/proc/${pid}/status`);
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
}
