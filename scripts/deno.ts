/**
 * Starting the Deno that runs this script again, with other arguments.
 * Rule: no `deno` on the PATH is needed, and the child's exit code is what the caller gets.
 */
import { fileURLToPath } from "node:url";
import { join } from "@std/path";

/** The project's root: the folder that holds deno.json. */
export const PROJECT_ROOT = fileURLToPath(new URL("..", import.meta.url));

/** Where built things go. */
export const DIST = join(PROJECT_ROOT, "dist");

/** The name that the compiled executable has on this machine. */
export const EXECUTABLE_NAME = Deno.build.os === "windows" ? "m31a.exe" : "m31a";

/** How {@linkcode runDeno} starts Deno. */
export interface RunDenoOptions {
  /** The project's root by default. */
  cwd?: string;
  /** Set besides what is inherited. */
  env?: Record<string, string>;
}

/**
 * Runs Deno with `args`, its standard streams those of this process, and resolves to its exit code.
 *
 * Ctrl-C reaches the child from the terminal, and the child decides what it means; this process only
 * waits. SIGTERM is handed on.
 */
export async function runDeno(args: readonly string[], options: RunDenoOptions = {}) {
  const child = new Deno.Command(Deno.execPath(), {
    args: [...args],
    cwd: options.cwd ?? PROJECT_ROOT,
    env: { DENO_TLS_CA_STORE: "mozilla,system", ...options.env },
    stdin: "inherit",
    stdout: "inherit",
    stderr: "inherit",
  }).spawn();
  const stopIgnoring = handOnSignals(child);
  try {
    return (await child.status).code;
  } finally {
    stopIgnoring();
  }
}

function handOnSignals(child: Deno.ChildProcess): () => void {
  if (Deno.build.os === "windows") return () => {};
  const onInterrupt = () => {};
  const onTerminate = () => child.kill("SIGTERM");
  Deno.addSignalListener("SIGINT", onInterrupt);
  Deno.addSignalListener("SIGTERM", onTerminate);
  return () => {
    Deno.removeSignalListener("SIGINT", onInterrupt);
    Deno.removeSignalListener("SIGTERM", onTerminate);
  };
}

/** The folder in which Deno keeps what it has downloaded (DENO_DIR). */
export async function denoCacheFolder(): Promise<string> {
  const { code, stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["info", "--json"],
    cwd: PROJECT_ROOT,
    stdin: "null",
    stderr: "inherit",
  }).output();
  if (code !== 0) throw new Error(`deno info failed with exit code ${code}`);
  const info: unknown = JSON.parse(new TextDecoder().decode(stdout));
  if (typeof info === "object" && info !== null && "denoDir" in info) return String(info.denoDir);
  throw new Error("deno info names no denoDir");
}
