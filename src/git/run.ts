/**
 * The one place that starts git.
 * Rule: no command opens a pager, an editor or a prompt, asks an fsmonitor, or runs for ever; none inherits a variable
 * but those that run as the user's own, and only those run hooks, which a command may have written; reading commands take no lock, and no folder for a bare repository because it looks like one. Bytes in, bytes out.
 */
import type { Environment } from "../platform/environment.ts";
import { WorkFailed } from "../platform/errors.ts";
import { type ProcessRequest, type ProcessResult, runProcess } from "../platform/processes.ts";
import { type Programs, programsFor } from "../platform/programs.ts";
import { EXEC } from "../platform/shell.ts";
import { decodeLossy } from "../platform/text.ts";
import { GitError, NoGit, NotARepository } from "./errors.ts";
import { expectUnchanged } from "./guard.ts";
import { AS_USER } from "./user_environment.ts";

/** How one git command is run. */
export interface GitOptions {
  /** Standard input; empty by default. */
  stdin?: Uint8Array;
  /** After this many milliseconds git and what it started are killed. 60,000 by default. */
  timeoutMs?: number;
  signal?: AbortSignal;
  /** More variables, such as `GIT_INDEX_FILE`. */
  env?: Readonly<Record<string, string>>;
  /** Exit codes that are answers, not failures (`git diff --quiet` says 1). Only 0 by default. */
  okCodes?: readonly number[];
  /** Of each stream, how many bytes to keep (head and tail). All by default. */
  maxOutputBytes?: number;
  onOutput?: (bytes: Uint8Array, stream: "stdout" | "stderr") => void;
  /**
   * `literal`: what follows `--` are names, in which `*` and a leading `:` mean themselves. `magic`: patterns.
   * Reading commands take names literally unless told otherwise; writing commands never do by
   * themselves, because the hooks they run would inherit it.
   */
  pathspecs?: "literal" | "magic";
  /**
   * With the user's whole environment, as git has it in their own terminal: who commits, how it is signed and
   * what hooks need is said there. A writing command runs their hooks.
   */
  asUser?: boolean;
  /** git does this itself, without a hook, a filter or another program: it can be started in the quick way. */
  startsNothing?: boolean;
}

const DEFAULT_TIMEOUT_MS = 60_000;

/** git's highest exit code of its own; above it are 128 + the number of the signal that ended it. */
const USAGE_ERROR = 129;

/** What git needs from the user's environment: where its configuration is, above all. */
const INHERITED = [
  "GIT_CONFIG_GLOBAL",
  "GIT_CONFIG_SYSTEM",
  "HOME",
  "SHELL",
  "TMPDIR",
  "TZ",
  "USER",
  "XDG_CONFIG_HOME",
] as const;

/** Before the subcommand of every command. */
const ALWAYS = ["--no-pager", "-c", "core.fsmonitor=false"];

/** Before the subcommand of every command that does not run as the user's own. */
const WITHOUT_HOOKS = [...ALWAYS, "-c", "core.hooksPath=/dev/null"];

/** Before the subcommand of every command that only reads. */
const READ_ONLY = [
  ...WITHOUT_HOOKS,
  "--no-optional-locks",
  "-c",
  "safe.bareRepository=explicit",
  "-c",
  "submodule.recurse=false",
];

/**
 * git, bound to a folder: the project's root.
 *
 * @example
 * ```ts
 * import { Git } from "./run.ts";
 *
 * const git = new Git(Deno.cwd(), { PATH: Deno.env.get("PATH") });
 * console.log(await git.readText(["--version"]));
 * ```
 */
export class Git {
  /** The folder that git is run in. */
  readonly root: string;
  readonly #environment: Environment;
  readonly #variables: Readonly<Record<string, string>>;

  /**
   * @param root the folder to run git in
   * @param environment the user's environment, of which PATH, HOME and the like reach every git
   * @param variables more variables for every command, such as `GIT_OBJECT_DIRECTORY`
   */
  constructor(
    root: string,
    environment: Environment,
    variables: Readonly<Record<string, string>> = {},
  ) {
    this.root = root;
    this.#environment = environment;
    this.#variables = variables;
  }

  /** git in the same folder, with more variables for every command. */
  withVariables(variables: Readonly<Record<string, string>>): Git {
    return new Git(this.root, this.#environment, { ...this.#variables, ...variables });
  }

  /** Where the user's own configuration is read from, should it be there; absolute. */
  get userConfigurations(): string[] {
    const { HOME, XDG_CONFIG_HOME, GIT_CONFIG_GLOBAL } = this.#environment;
    return [
      HOME && `${HOME}/.gitconfig`,
      XDG_CONFIG_HOME ? `${XDG_CONFIG_HOME}/git/config` : HOME && `${HOME}/.config/git/config`,
      GIT_CONFIG_GLOBAL,
    ].flatMap((path) => path?.startsWith("/") ? path : []);
  }

  /** The programs that can be trusted in the project that this git works in. @throws {WorkFailed} */
  async programs(): Promise<Programs> {
    return await programsFor(this.root, this.#environment);
  }

  /**
   * Runs a command that changes nothing and resolves to its standard output. A `diff`, `log` or `show`
   * must carry `--no-ext-diff --no-textconv` itself, and a `status` or `diff` of the tree
   * `--ignore-submodules=dirty` (submodules.ts says why): not every command takes them.
   *
   * @throws {NoGit} {@linkcode NotARepository} {@linkcode GitError}
   */
  async read(args: readonly string[], options: GitOptions = {}): Promise<Uint8Array> {
    return (await this.run("read", args, options)).stdout;
  }

  /** {@linkcode read} as text; what is not UTF-8 becomes U+FFFD. */
  async readText(args: readonly string[], options: GitOptions = {}): Promise<string> {
    return decodeLossy(await this.read(args, options));
  }

  /**
   * The first line of {@linkcode readText}; `undefined` when git fails or says nothing. Without a git it
   * still throws, and where git did not get to its end: that it was killed answers nothing.
   */
  async readLineIfAny(
    args: readonly string[],
    options: GitOptions = {},
  ): Promise<string | undefined> {
    try {
      const text = await this.readText(args, options);
      return text.replace(/\n$/, "") || undefined;
    } catch (error) {
      if (!(error instanceof GitError) || error.timedOut || error.code > USAGE_ERROR) throw error;
      return undefined;
    }
  }

  /**
   * Runs a command that may change the repository or the tree, and resolves to its standard output. Only `asUser` it
   * runs hooks: they may be in the tree, where a command can change them unseen.
   *
   * @throws {NoGit} {@linkcode NotARepository} {@linkcode GitError}
   */
  async write(args: readonly string[], options: GitOptions = {}): Promise<Uint8Array> {
    return (await this.run("write", args, options)).stdout;
  }

  /** {@linkcode write} as text; what is not UTF-8 becomes U+FFFD. */
  async writeText(args: readonly string[], options: GitOptions = {}): Promise<string> {
    return decodeLossy(await this.write(args, options));
  }

  /**
   * Runs git and resolves to how it ended, for callers that need the exit code or both streams.
   *
   * @throws {NoGit} when there is no git
   * @throws {NotARepository} when the command needs a repository and there is none
   * @throws {GitError} when it ends with a code not in `okCodes` or its time is over
   * @throws {StartsChanged} when it would start what a session has changed
   * @throws the signal's reason when it is aborted
   */
  async run(
    effect: "read" | "write",
    args: readonly string[],
    options: GitOptions = {},
  ): Promise<ProcessResult> {
    const timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    const isLiteral = (options.pathspecs ?? (effect === "read" ? "literal" : "magic")) ===
      "literal";
    const result = await this.#spawn([
      ...(effect === "read" ? READ_ONLY : options.asUser ? ALWAYS : WITHOUT_HOOKS),
      ...(isLiteral ? ["--literal-pathspecs"] : []),
      ...args,
    ], { ...options, timeoutMs });
    if (result.aborted) throw options.signal?.reason;
    const stderr = decodeLossy(result.stderr);
    const { code, timedOut } = result;
    if (timedOut) throw new GitError(args, { code, stderr, timedOut, timeoutMs });
    if ((options.okCodes ?? [0]).includes(code)) return result;
    if (/^fatal: (?:not a git|cannot use bare) repository/m.test(stderr)) {
      throw new NotARepository(this.root, args, { code, stderr });
    }
    throw new GitError(args, { code, stderr });
  }

  async #spawn(args: string[], options: GitOptions): Promise<ProcessResult> {
    if (!options.startsNothing) await expectUnchanged(this, "always");
    const { found, searchPath, skipped } = await this.programs();
    const program = found.get("git");
    if (program === undefined) throw new NoGit(skipped);
    const command = [program, ...args];
    try {
      return await runProcess({
        ...(options.asUser
          ? this.#asUser(command, options)
          : this.#confined(command, options, searchPath)),
        cwd: this.root,
        ...(options.stdin !== undefined && { stdin: options.stdin }),
        ...(options.timeoutMs !== undefined && { timeoutMs: options.timeoutMs }),
        ...(options.signal !== undefined && { signal: options.signal }),
        ...(options.startsNothing !== undefined && { startsNothing: options.startsNothing }),
        ...(options.maxOutputBytes !== undefined && { maxOutputBytes: options.maxOutputBytes }),
        ...(options.onOutput !== undefined && { onOutput: options.onOutput }),
      });
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
      throw new WorkFailed(`${this.root}: the folder is not there any more`, { cause: error });
    }
  }

  /** Variables such as GIT_DIR or GIT_INDEX_FILE, which a hook or another worktree exports, do not reach it. */
  #confined(command: readonly string[], { env }: GitOptions, searchPath: string): StartedGit {
    const inherited = chosen(this.#environment, INHERITED);
    return {
      script: EXEC,
      args: command,
      env: { ...inherited, PATH: searchPath, ...QUIET, ...this.#variables, ...env },
    };
  }

  #asUser(command: readonly string[], { env }: GitOptions): StartedGit {
    const assigned = Object.entries({ ...QUIET, ...this.#variables, ...env }).map(([name, value]) =>
      `${name}=${value}`
    );
    const overrides = chosen(this.#environment, [...INHERITED, "PATH"]);
    return { script: AS_USER, args: [...assigned, "--", ...command], overrides };
  }
}

type StartedGit = Pick<ProcessRequest, "script" | "args" | "env" | "overrides">;

/** C.UTF-8 keeps messages untranslated and regular expressions in Unicode. */
const QUIET = {
  LC_ALL: "C.UTF-8",
  GIT_TERMINAL_PROMPT: "0",
  GIT_EDITOR: ":",
  GIT_SEQUENCE_EDITOR: ":",
};

function chosen(environment: Environment, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => {
    const value = environment[name];
    return value === undefined ? [] : [[name, value]];
  }));
}
