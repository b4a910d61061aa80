/** A git that does something of the test's before it is itself. */
import type { GitFolder } from "./git_folder.ts";

/**
 * Puts a `git` in front of the real one, in the test's home folder, and gives the environment with it.
 *
 * @param script shell that runs before each command, with its arguments; `$real` is the real git
 */
export function wrappedGit(folder: GitFolder, script: string): Record<string, string> {
  const bin = `${folder.environment.HOME}/bin`;
  const { stdout } = new Deno.Command("sh", { args: ["-c", "command -v git"] }).outputSync();
  const real = new TextDecoder().decode(stdout).trim();
  Deno.mkdirSync(bin, { recursive: true });
  Deno.writeTextFileSync(`${bin}/git`, `#!/bin/sh\nreal='${real}'\n${script}\nexec "$real" "$@"\n`);
  Deno.chmodSync(`${bin}/git`, 0o755);
  return { ...folder.environment, PATH: `${bin}:${folder.environment["PATH"]}` };
}
