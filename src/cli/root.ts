/**
 * Being at the root of the project, wherever in it m31a was started.
 * Rule: permissions are relative to the folder in which a process starts, so moving means starting again there.
 */
import { messageOf, UsageError, WorkFailed } from "../platform/errors.ts";
import { LOADER_VARIABLES } from "../platform/environment.ts";

/** `<pid of the one that waits>:<pid of the one started at the root>`, in the environment of the latter. */
const RESTARTED = "M31A_RESTARTED";

/** How often the restarted process looks whether the one that waits for it still lives, in milliseconds. */
const PARENT_CHECK_MS = 500;

/**
 * The root of the git repository that `cwd` is in, when that is another folder: `undefined` at the root
 * already, and outside of any repository. GIT_DIR and the like, which a hook or an alias may have
 * set for another repository, are not asked.
 *
 * @throws {UsageError} when there is no git, or git refuses to look (a repository of somebody else)
 */
export async function findRoot(cwd: string): Promise<string | undefined> {
  if (isAtRoot(cwd)) return undefined;
  const script = "unset $(git rev-parse --local-env-vars); " +
    "exec git -c safe.bareRepository=explicit rev-parse --show-toplevel";
  const { code, stdout, stderr } = await runShell(cwd, ["-c", script]);
  const decoder = new TextDecoder();
  if (code === 0) return decoder.decode(stdout).replace(/\n$/, "");
  const reason = decoder.decode(stderr).trim();
  // In git's own folder, or in a bare repository, there is no tree of files to be at the root of.
  if (/not a git repository|cannot use bare repository|must be run in a work tree/.test(reason)) {
    return undefined;
  }
  throw new UsageError(`git cannot say which repository this is: ${reason}`);
}

function isAtRoot(cwd: string): boolean {
  try {
    Deno.lstatSync(`${cwd}/.git`);
    return true;
  } catch {
    return false;
  }
}

async function runShell(cwd: string, args: string[]): Promise<Deno.CommandOutput> {
  try {
    return await new Deno.Command("sh", {
      args,
      cwd,
      env: { ...LOADER_VARIABLES, LC_ALL: "C" },
      stdin: "null",
    }).output();
  } catch (error) {
    throw new WorkFailed(`cannot start sh, which m31a needs: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

/**
 * Started below a repository's root, runs this executable with `args` there and resolves to its exit
 * code. Resolves to `undefined` when there is nothing to move, and the caller is to go on. From source,
 * scripts/m31a.ts has moved already.
 */
export async function restartAtRoot(args: readonly string[]): Promise<number | undefined> {
  if (!Deno.build.standalone) return undefined;
  const [parent, child] = Deno.env.get(RESTARTED)?.split(":") ?? [];
  if (child === String(Deno.pid)) {
    endWithParent(Number(parent));
    return undefined;
  }
  const root = await findRoot(".");
  return root === undefined ? undefined : await runAt(root, args);
}

/** Ends this process when the one that waits for it has been killed: no m31a goes on unseen. */
function endWithParent(parent: number): void {
  const timer = setInterval(() => {
    if (Deno.ppid !== parent) Deno.exit(130);
  }, PARENT_CHECK_MS);
  Deno.unrefTimer(timer);
}

async function runAt(root: string, args: readonly string[]): Promise<number> {
  const script = `cd "$1" && export ${RESTARTED}="$2:$$" && shift 2 && exec "$@"`;
  const child = new Deno.Command("sh", {
    args: ["-c", script, "sh", root, String(Deno.pid), Deno.execPath(), ...args],
    env: LOADER_VARIABLES,
    stdin: "inherit",
    stdout: "inherit",
    stderr: "inherit",
  }).spawn();
  // A terminal sends Ctrl-C to both, and the child decides what it means; the others come to one alone,
  // and so does SIGINT where nobody sits at a terminal.
  const isAtTerminal = Deno.stdin.isTerminal();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    Deno.addSignalListener(signal, () => {
      if (signal !== "SIGINT" || !isAtTerminal) handOn(child, signal);
    });
  }
  return (await child.status).code;
}

function handOn(child: Deno.ChildProcess, signal: Deno.Signal): void {
  try {
    child.kill(signal);
  } catch (error) {
    // It has ended already; its exit code is on its way.
    if (!(error instanceof TypeError)) throw error;
  }
}
