/** Commands in a real sandbox of the machine's. */
import { runCommandLine } from "../../src/agent/command.ts";
import { Sandbox, type SandboxSettings } from "../../src/agent/sandbox.ts";
import type { Proof } from "../../src/agent/sandbox_proof.ts";
import { type GitFolder, withGitFolder } from "./git_folder.ts";
import { toolContext } from "./tool_context.ts";

export const AUTO: SandboxSettings = { mode: "auto", network: false, writable: [] };

/** Whether this machine has bubblewrap, and lets it work. */
export const isConfined = await new Sandbox(Deno.cwd(), AUTO, {}).kind() === "bubblewrap";

/** A test of what bubblewrap confines; ignored where it does not work. */
export function confined(name: string, test: () => Promise<void>): void {
  Deno.test({ name, ignore: !isConfined, fn: test });
}

/** How {@linkcode Run} runs a command. */
export interface RunOptions {
  timeoutMs?: number;
  proof?: Proof;
}

/** Runs a command line and gives its exit code and output in one text, or `timed out`. */
export type Run = (commandLine: string, options?: RunOptions) => Promise<string>;

/** Runs commands in a sandbox whose project is a repository. */
export async function withSandbox(
  { temporaryFolder, ...settings }: Partial<SandboxSettings> & { temporaryFolder?: string },
  test: (run: Run, folder: GitFolder) => Promise<void>,
): Promise<void> {
  await withGitFolder(async (folder) => {
    const environment = {
      ...folder.environment,
      ...(temporaryFolder !== undefined && { TMPDIR: temporaryFolder }),
    };
    const sandbox = new Sandbox(folder.root, { ...AUTO, ...settings }, environment);
    const { clock, signal } = toolContext(folder);
    try {
      await test(async (commandLine, { timeoutMs = 20_000, proof } = {}) => {
        const result = await runCommandLine(sandbox, {
          commandLine,
          ...(proof !== undefined && { proof }),
          timeoutMs,
          outputBytes: 100_000,
          signal,
          clock,
          onOutput() {},
        });
        return result.timedOut ? "timed out" : `${result.exitCode} ${result.output}`.trim();
      }, folder);
    } finally {
      await sandbox.close();
    }
  });
}

/**
 * Runs a command line whose user's environment is `env` alone, and gives its exit code and output in one text. Test files
 * run side by side in one process, so none may change that of the process.
 */
export async function runWith(
  sandbox: Sandbox,
  commandLine: string,
  env: Readonly<Record<string, string>>,
): Promise<string> {
  const { script, args, cwd, ended } = await sandbox.launch(commandLine);
  try {
    const { code, stdout } = await new Deno.Command("/bin/sh", {
      args: ["-c", script, "sh", ...args],
      cwd,
      clearEnv: true,
      env: { ...env },
    }).output();
    return `${code} ${new TextDecoder().decode(stdout)}`.trim();
  } finally {
    await ended();
  }
}

/** A folder with links to the programs that m31a and a command line need, and without bubblewrap: a PATH. */
export function binWithoutBubblewrap(folder: string): string {
  const bin = `${folder}/bin`;
  Deno.mkdirSync(bin);
  const places = (Deno.env.get("PATH") ?? "").split(":");
  for (const name of ["sh", "env", "git", "sed", "grep", "find", "setsid", "sleep"]) {
    const place = places.find((place) => isFile(`${place}/${name}`));
    if (place !== undefined) Deno.symlinkSync(`${place}/${name}`, `${bin}/${name}`);
  }
  return bin;
}

function isFile(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}
