/**
 * The operating system's sandbox for commands: bubblewrap on Linux, sandbox-exec on macOS.
 * Rule: a command writes to the project's tree and a temporary folder and nowhere else; not to .git or
 * planning/ (which could make m31a or git run something later), and sessions/ it does not even see.
 */
import { Git } from "../git/run.ts";
import type { Environment } from "../platform/environment.ts";
import { SHELL } from "../platform/shell.ts";
import { ensurePrivateDirectory, lstatOrUndefined, refuseSymlinks } from "../platform/files.ts";
import { WorkFailed } from "../platform/errors.ts";
import { runProcess } from "../platform/processes.ts";
import type { Programs } from "../platform/programs.ts";
import { decodeLossy } from "../platform/text.ts";
import { BUBBLEWRAP_SCRIPT, BUBBLEWRAP_TRIAL, bubblewrapArguments } from "./sandbox_bubblewrap.ts";
import { SEATBELT_SCRIPT, SEATBELT_TRIAL, seatbeltProfile } from "./sandbox_seatbelt.ts";
import { environmentFilter } from "./command_environment.ts";
import { gitProtection, removePlaceholder } from "./sandbox_git.ts";
import {
  makeScratchFolder,
  removeScratchFolder,
  type ScratchEnvironment,
} from "./sandbox_scratch.ts";

import { expandHome } from "./writable_folders.ts";

/** `auto`: where there is one; `require`: no command without one; `off`: never. */
export type SandboxMode = "auto" | "require" | "off";

/** What the configuration says about the sandbox. */
export interface SandboxSettings {
  mode: SandboxMode;
  /** Whether commands may use the network. */
  network: boolean;
  /** More folders that commands may write to, absolute or below `~/`. */
  writable: readonly string[];
}

/** Which sandbox this machine has. */
export type SandboxKind = "bubblewrap" | "sandbox-exec" | "none";

/** What `sh` is to be started with for one command, in the user's environment. */
export interface Launch {
  script: string;
  args: string[];
  /** To be called when the command has ended, or was not started after all. */
  ended(): Promise<void>;
}

/** The sandbox of one m31a process. */
export class Sandbox {
  readonly kind: SandboxKind;
  /** Why there is none, where `kind` is `none`. */
  readonly missing: string;
  readonly #git: Git;
  /** How many commands run that need the empty folder at `.git`. */
  #placeholders = 0;
  readonly #settings: SandboxSettings;
  readonly #tmpdir: string | undefined;
  #scratch: Promise<string> | undefined;

  private constructor(
    git: Git,
    settings: SandboxSettings,
    found: { kind: SandboxKind; missing: string },
    tmpdir: string | undefined,
  ) {
    this.#git = git;
    this.#tmpdir = tmpdir;
    this.#settings = settings;
    this.kind = found.kind;
    this.missing = found.missing;
  }

  /**
   * Finds out by a trial what this machine has; takes some 10 ms.
   *
   * @param root the project's root, a real path
   * @param environment for git, and for HOME, which `~/` stands for
   */
  static async find(
    root: string,
    settings: SandboxSettings,
    environment: Environment,
  ): Promise<Sandbox> {
    const writable = expandHome(settings.writable, environment);
    const git = new Git(root, environment);
    const found = settings.mode === "off" ? SWITCHED_OFF : await tryOut(await git.programs());
    return new Sandbox(git, { ...settings, writable }, found, environment.TMPDIR);
  }

  /** One sentence on what confines commands, for people. */
  describe(): string {
    if (this.kind === "none") {
      const refused = this.#settings.mode === "require" ? "Commands are refused" : "Commands run";
      return `${refused} without a sandbox: ${this.missing}.`;
    }
    const network = this.#settings.network ? "the network is allowed" : "no network";
    return `Commands run under ${this.kind}: they write to the project's tree (not .git, planning/, ` +
      `sessions/) and a temporary folder; ${network}.`;
  }

  /**
   * How to start `commandLine` (text for `sh`) in the project's root.
   *
   * @throws {WorkFailed} when a sandbox is required and there is none, and when it could not protect `.git`
   */
  async launch(commandLine: string): Promise<Launch> {
    if (this.kind === "none") {
      if (this.#settings.mode === "require") {
        throw new WorkFailed(
          `[tools] sandbox = "require", but there is none: ${this.missing}. ` +
            'Install bubblewrap, or set sandbox = "auto" in planning/config.toml.',
        );
      }
      const script = `${environmentFilter()}\nexec ${SHELL} -c "$1" 2>&1`;
      return { script, args: [commandLine], ended: nothing };
    }
    const scratch = await this.#scratchFolder();
    const { found } = await this.#git.programs();
    const { network, writable } = this.#settings;
    // The folder must be there to be protected: a command could make one with a configuration of its own.
    const { root } = this.#git;
    refuseSymlinks(root, "planning");
    ensurePrivateDirectory(`${root}/planning`);
    const { elsewhere: gitFolders, needsPlaceholder } = await gitProtection(this.#git);
    if (this.kind === "sandbox-exec") {
      const profile = seatbeltProfile({ root, scratch, network, writable, gitFolders });
      const script = environmentFilter() + SEATBELT_SCRIPT;
      const program = found.get("sandbox-exec") ?? "";
      return { script, args: [profile, scratch, commandLine, program], ended: nothing };
    }
    const args = bubblewrapArguments({
      root,
      scratch,
      network,
      writable,
      gitFolders,
      hasSessions: isRealEntry(`${root}/sessions`),
    });
    const placeholder = needsPlaceholder ? `${root}/.git` : "";
    if (needsPlaceholder) this.#placeholders++;
    const script = environmentFilter() + BUBBLEWRAP_SCRIPT;
    return {
      script,
      args: [commandLine, found.get("mkdir") ?? "", found.get("bwrap") ?? "", placeholder, ...args],
      ended: needsPlaceholder ? () => this.#endPlaceholder() : nothing,
    };
  }

  async #endPlaceholder(): Promise<void> {
    this.#placeholders--;
    if (this.#placeholders === 0) await removePlaceholder(this.#git);
  }

  /** Removes the temporary folder. */
  async close(): Promise<void> {
    const scratch = await this.#scratch;
    this.#scratch = undefined;
    if (scratch !== undefined) await removeScratchFolder(scratch, await this.#scratchEnvironment());
  }

  #scratchFolder(): Promise<string> {
    this.#scratch ??= this.#scratchEnvironment().then(makeScratchFolder);
    return this.#scratch;
  }

  async #scratchEnvironment(): Promise<ScratchEnvironment> {
    const { searchPath } = await this.#git.programs();
    return { PATH: searchPath, ...(this.#tmpdir !== undefined && { TMPDIR: this.#tmpdir }) };
  }
}

const SWITCHED_OFF = { kind: "none", missing: 'switched off ([tools] sandbox = "off")' } as const;

async function nothing(): Promise<void> {}

function isRealEntry(path: string): boolean {
  const info = lstatOrUndefined(path);
  return info !== undefined && !info.isSymlink;
}

async function tryOut({ searchPath }: Programs): Promise<{ kind: SandboxKind; missing: string }> {
  if (Deno.build.os === "windows") return { kind: "none", missing: "Windows has none" };
  const isMac = Deno.build.os === "darwin";
  const trial = await runProcess({
    script: isMac ? SEATBELT_TRIAL : BUBBLEWRAP_TRIAL,
    args: [],
    env: { PATH: searchPath },
    timeoutMs: 10_000,
  });
  if (trial.code === 0) return { kind: isMac ? "sandbox-exec" : "bubblewrap", missing: "" };
  const said = decodeLossy(trial.stderr).trim().split("\n").at(-1) ?? "";
  const program = isMac ? "sandbox-exec" : "bubblewrap (bwrap)";
  const missing = trial.code === 127 ? `${program} is not installed` : `${program} fails: ${said}`;
  return { kind: "none", missing };
}
