/**
 * Being at the root of the project, wherever in it m31a was started.
 * Rule: permissions are relative to the folder in which a process starts, so moving means starting again there.
 */
import { UsageError } from "../platform/errors.ts";
import { decodeLossy, decodeStrict } from "../platform/text.ts";
import { startShell } from "../platform/shell.ts";

/** `<pid of the one that waits>:<pid of the one started at the root>`, in the environment of the latter. */
const RESTARTED = "M31A_RESTARTED";

/** How often the restarted process looks whether the one that waits for it still lives, in milliseconds. */
const PARENT_CHECK_MS = 500;

/**
 * The nearest folder above `cwd` that holds a `.git`, as a real path; undefined when `cwd` does, and where none
 * does. git is not asked: which git is to be trusted depends on which project this is. GIT_DIR and the like,
 * which a hook or an alias may have set for another repository, have no say either.
 */
export async function findRoot(cwd: string): Promise<string | undefined> {
  if (isAtRoot(cwd)) return undefined;
  const child = startShell(FIND_ROOT, [], { cwd, env: {}, stdin: "null", stdout: "piped" });
  const { stdout } = await child.output();
  const root = decodeStrict(stdout);
  if (root !== undefined) return root.replace(/\n$/, "") || undefined;
  throw new UsageError(
    `${
      decodeLossy(stdout).trim()
    }: holds a byte that is not UTF-8; m31a works with names in UTF-8 alone. Rename it.`,
  );
}

const FIND_ROOT = `
cd -P . || exit
until [ -e .git ]; do
  if [ "$PWD" = / ]; then exit; fi
  cd -P ..
done
pwd -P
`;

function isAtRoot(cwd: string): boolean {
  try {
    Deno.lstatSync(`${cwd}/.git`);
    return true;
  } catch {
    return false;
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
  const child = startShell(script, [root, String(Deno.pid), Deno.execPath(), ...args], {
    stdin: "inherit",
    stdout: "inherit",
    stderr: "inherit",
  });
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
