/**
 * From the arguments to an exit code.
 * Rule: whatever is thrown, here or in the background, ends in src/cli/exit.ts and nowhere else.
 */
import type { ExitCode } from "../platform/errors.ts";
import { installFilteredProcessEnv, readEnvironment } from "../platform/environment.ts";
import { useNetwork } from "../platform/network.ts";
import { setWritableFolders } from "../platform/programs.ts";
import { report } from "./exit.ts";
import { restartAtRoot } from "./root.ts";

/**
 * Runs the command that `args` name and resolves to the process's exit code.
 *
 * Started below the root of a repository, the whole program is started again at the root, since what
 * it may read and write is decided by the folder in which it starts.
 */
export async function main(args: readonly string[], version: string): Promise<ExitCode | number> {
  globalThis.addEventListener("unhandledrejection", (event) => {
    event.preventDefault();
    Deno.exit(report(event.reason, version));
  });
  try {
    const restartedCode = await restartAtRoot(args);
    if (restartedCode !== undefined) return restartedCode;
    const environment = readEnvironment();
    installFilteredProcessEnv(environment);
    useNetwork(environment);
    setWritableFolders(async () => {
      const { writableFolders } = await import("../agent/writable_folders.ts");
      return writableFolders(Deno.realPathSync("."), environment);
    });
    const { runProgram } = await import("./program.ts");
    return await runProgram(args, { environment, version });
  } catch (error) {
    return report(error, version);
  }
}
