/**
 * `/bin/sh`, the one program that m31a starts: everything else is started by it.
 * Rule: nothing that is inherited changes what a script of m31a's does: no function, no start-up file, no
 * option of a shell's and no variable of the loader's.
 */
import { readOwnVariable } from "./environment.ts";

/** By its absolute path: a name would be looked up in PATH, where a project may have put its own. Windows has `sh` in PATH alone. */
export function shellOn(os: string): string {
  return os === "windows" ? "sh" : "/bin/sh";
}

/** The shell of this machine. */
export const SHELL = shellOn(Deno.build.os);

/** What a script runs after having set up the environment: its arguments, as a command. */
export const EXEC = 'exec "$@"';

/**
 * In front of each script. A shell that takes functions from the environment may have got one for any
 * command that is not a special builtin; `unset` is one.
 */
const PRELUDE = "unset -f cd pwd test [ printf echo command kill read type umask true false " +
  "ls find realpath readlink mktemp mkdir rmdir rm chmod head grep sleep id git bwrap\n" +
  "unset IFS CDPATH ENV\n" +
  "case $SHELLOPTS in ?*) export -n SHELLOPTS BASHOPTS ;; *) unset SHELLOPTS BASHOPTS ;; esac\n";

/** Variables that change how a shell reads a script, set to nothing before it starts. */
const SHELL_VARIABLES: Readonly<Record<string, string>> = { ENV: "", SHELLOPTS: "", BASHOPTS: "" };

/**
 * Variables that tell the system's loader what to load into a program. Deno starts nothing while one of
 * them is set, unless it may start everything; which are set it says when it refuses.
 */
const loaderVariables = new Set<string>();

/** Of those, the ones that a process which started this one had to empty: it found them, this one does not. */
const EMPTIED = "M31A_EMPTIED";

/** The variables of the loader's that are set and are empty for whatever m31a starts. Starts something to find out. */
export async function emptiedLoaderVariables(): Promise<string[]> {
  await startShell(":", [], { stdin: "null" }).status;
  const before = readOwnVariable(EMPTIED)?.split(" ") ?? [];
  return [...new Set([...before, ...loaderVariables])].sort();
}

/**
 * Lines of `sh` that take variables out of the environment, by builtins alone: m31a itself may not read
 * most of their names.
 *
 * @param patterns of names, as `case` has them, joined by `|`
 * @param kept names that stay all the same
 */
export function unsetVariables(patterns: string, kept: readonly string[] = []): string {
  const names = kept.filter((name) => /^[A-Za-z_][A-Za-z_0-9]*$/.test(name));
  const isKept = names.length === 0 ? "" : `${names.join("|")}) ;; `;
  // A value with line breaks may make a name up; unsetting what is not set does no harm.
  return `
set -f; IFS='
'
for M31A_LINE in $(export -p); do
  case $M31A_LINE in
    "export "*|"declare -x "*|"typeset -x "*) M31A_LINE=\${M31A_LINE%%=*}; M31A_LINE=\${M31A_LINE##* } ;;
    *) continue ;;
  esac
  case $M31A_LINE in *[!A-Za-z_0-9]*) ;; ${isKept}${patterns}) unset "$M31A_LINE" ;; esac
done
unset IFS M31A_LINE; set +f
`;
}

/** How `sh` is started. */
export interface ShellOptions extends Omit<Deno.CommandOptions, "args" | "clearEnv" | "env"> {
  /** The whole environment; nothing is inherited when it is given. */
  env?: Readonly<Record<string, string>>;
  /** Variables over the inherited ones, where `env` is not given. */
  overrides?: Readonly<Record<string, string>>;
}

/**
 * Starts `sh` with a script and its arguments, `$1` and on.
 *
 * @throws {Deno.errors.NotFound} when there is no `sh`, or no such folder
 *
 * @example
 * ```ts
 * import { startShell } from "./shell.ts";
 *
 * const child = startShell('echo "$1"', ["hello"], { stdout: "piped" });
 * console.log(new TextDecoder().decode((await child.output()).stdout));
 * ```
 */
export function startShell(
  script: string,
  args: readonly string[],
  { env, overrides, ...options }: ShellOptions = {},
): Deno.ChildProcess {
  const start = () =>
    new Deno.Command(SHELL, {
      ...options,
      args: ["-c", PRELUDE + script, "sh", ...args],
      ...(env === undefined
        ? { env: { ...SHELL_VARIABLES, ...overrides, ...emptied() } }
        : { env: { ...env }, clearEnv: true }),
    }).spawn();
  try {
    return start();
  } catch (error) {
    if (!(error instanceof Deno.errors.NotCapable)) throw error;
    const named = error.message.match(/\b(?:LD|DYLD)_\w+/g) ?? [];
    if (named.every((name) => loaderVariables.has(name))) throw error;
    for (const name of named) loaderVariables.add(name);
    return start();
  }
}

function emptied(): Record<string, string> {
  if (loaderVariables.size === 0) return {};
  const variables = Object.fromEntries([...loaderVariables].map((name) => [name, ""]));
  return { ...variables, [EMPTIED]: [...loaderVariables].join(" ") };
}
