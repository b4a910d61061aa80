/** Running m31a from source in a test, as a process of its own. */
import { fileURLToPath } from "node:url";

const SCRIPT = fileURLToPath(new URL("../../scripts/m31a.ts", import.meta.url));

/** What a program that has ended printed, and its exit code. */
export interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs `program` with `args` to its end, without a terminal. */
export async function runProgram(
  program: string,
  args: readonly string[],
  options: { cwd?: string; env?: Record<string, string> } = {},
): Promise<Ended> {
  const { code, stdout, stderr } = await new Deno.Command(program, {
    args: [...args],
    ...options,
    env: { NO_COLOR: "1", ...options.env },
    stdin: "null",
  }).output();
  const decoder = new TextDecoder();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}

/** Runs m31a from source, with the executable's permissions, to its end. */
export async function runM31a(
  args: readonly string[],
  options: { cwd?: string; env?: Record<string, string> } = {},
): Promise<Ended> {
  return await runProgram(Deno.execPath(), ["run", "-A", "--no-check", SCRIPT, ...args], options);
}
