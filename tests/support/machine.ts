/**
 * What this machine lets a test do.
 * Rule: asked when tests are registered, so that one that cannot be run is counted as ignored, its reason in its name.
 */

/** Whether `command` can be run and succeeds. */
export function canRun(...command: readonly string[]): boolean {
  const [program = "", ...args] = command;
  try {
    const options = { args, stdin: "null", stdout: "null", stderr: "null" } as const;
    return new Deno.Command(program, options).outputSync().success;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

/** Whether system calls can be watched and made to fail. */
export const hasStrace: boolean = canRun("strace", "-f", "-e", "inject=chdir:error=EIO", "true");

/** Whether a process can be started as a user without rights. */
export const canBeNobody: boolean = canRun("setpriv", "--reuid=65534", "--clear-groups", "true");

/** Whether a small file system can be mounted. */
export const canMount: boolean = canMountSmallFileSystem();

function canMountSmallFileSystem(): boolean {
  const folder = Deno.makeTempDirSync({ prefix: "m31a-mount-" });
  try {
    if (!canRun(...mountCommand(folder, "64k"))) return false;
    return canRun("umount", folder);
  } finally {
    Deno.removeSync(folder);
  }
}

/** The command that mounts a file system of `size` in memory on `folder`. */
export function mountCommand(folder: string, size: string): string[] {
  return ["mount", "-t", "tmpfs", "-o", `size=${size},mode=0700`, "tmpfs", folder];
}

/** A test that is ignored, and says why in its name, where `isPossible` is false. */
export function testWhere(
  isPossible: boolean,
  reason: string,
  name: string,
  test: () => Promise<void>,
): void {
  Deno.test({
    name: isPossible ? name : `${name} (${reason})`,
    ignore: !isPossible,
    fn: test,
  });
}
