/**
 * The operating system's sandbox for commands: bubblewrap on Linux, sandbox-exec on macOS.
 * Rule: a command writes to the project's tree and a temporary folder and nowhere else; not to .git or
 * planning/ (which could make m31a or git run something later), and sessions/ it does not even see.
 */
import { Git } from "../git/run.ts";
import type { Environment } from "../platform/environment.ts";
import { ensureSessionsDirectory, SESSIONS } from "../session/layout.ts";
import { ensureDirectory, ensurePrivateDirectory, refuseSymlinks } from "../platform/files.ts";
import { SHELL } from "../platform/shell.ts";
import { WorkFailed } from "../platform/errors.ts";
import {
  BUBBLEWRAP_SCRIPT,
  bubblewrapArguments,
  CACHES_PLACE,
  ENDING_SCRIPT,
} from "./sandbox_bubblewrap.ts";
import { SEATBELT_SCRIPT, seatbeltProfile } from "./sandbox_seatbelt.ts";
import { cacheScript } from "./command_caches.ts";
import { environmentFilter } from "./command_environment.ts";
import { gitProtection, removePlaceholder } from "./sandbox_git.ts";
import { borrowedBy, copyIgnored, type Proof, PROOF_ENVIRONMENT } from "./sandbox_proof.ts";
import {
  isScratchIntact,
  makeScratch,
  removeScratch,
  type Scratch,
  type ScratchEnvironment,
} from "./sandbox_scratch.ts";
import { type Confinement, type SandboxKind, tryConfinement } from "./sandbox_trial.ts";
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

/** What `sh` is to be started with for one command, in the user's environment. */
export interface Launch {
  script: string;
  args: string[];
  /** Where to start it. */
  cwd: string;
  /** What it runs under. */
  sandbox: SandboxKind;
  /** Whether everything that it starts ends with it. Else what has left its process group may go on. */
  endsAll: boolean;
  /** To be called when the command has ended, or was not started after all. */
  ended(): Promise<void>;
}

/** The project's folder for caches of package managers and compilers, relative to its root. */
const CACHES = `${SESSIONS}/caches`;

/** The sandbox of one m31a process. What the machine has is found out when it is needed first. */
export class Sandbox {
  readonly #git: Git;
  readonly #settings: SandboxSettings;
  readonly #tmpdir: string;
  #trial: Promise<Confinement> | undefined;
  /** How many commands run that need the empty folder at `.git`. */
  #placeholders = 0;
  #scratch: Promise<Scratch> | undefined;
  /** Whether a command has made the links to the user's caches. */
  #hasLinks = false;

  /**
   * @param root the project's root, a real path
   * @param environment for git, for HOME, which `~/` stands for, and for TMPDIR
   */
  constructor(root: string, settings: SandboxSettings, environment: Environment) {
    this.#git = new Git(root, environment);
    this.#settings = { ...settings, writable: expandHome(settings.writable, environment) };
    this.#tmpdir = environment.TMPDIR ?? "";
  }

  /** Which sandbox this machine has. The first call tries it, which takes some 10 ms. */
  async kind(): Promise<SandboxKind> {
    return (await this.#confinement()).kind;
  }

  /**
   * @throws {WorkFailed} when a sandbox is required and there is none. Where none is required nothing is tried.
   */
  async refuseIfMissing(): Promise<void> {
    if (this.#settings.mode !== "require") return;
    const { kind, missing } = await this.#confinement();
    if (kind !== "none") return;
    throw new WorkFailed(
      `[tools] sandbox = "require", but there is none: ${missing}. ` +
        'Install bubblewrap, or set sandbox = "auto" in planning/config.toml.',
    );
  }

  /**
   * Says what confines commands and what ends them, for people. Makes the temporary folder: to be closed.
   *
   * @throws {WorkFailed} when there is no place for it
   */
  async describe(): Promise<string> {
    const { kind, missing, endsAll } = await this.#confinement();
    const ending = endsAll
      ? "Everything that a command starts ends with it."
      : "What a command detaches from its process group (setsid) may go on after its end.";
    if (kind === "none") {
      const refused = this.#settings.mode === "require" ? "Commands are refused" : "Commands run";
      return `${refused} without a sandbox: ${missing}. ${ending}`;
    }
    const network = this.#settings.network ? "the network is allowed" : "no network";
    const { passedOver } = await this.#scratchFolder();
    const place = passedOver === "" ? "" : ` TMPDIR is not used for their files: ${passedOver}.`;
    return `Commands run under ${kind}: they write to the project's tree (not .git, planning/, sessions/), a ` +
      `temporary folder and caches of the project's own (${CACHES}); ${network}. ${ending}${place}`;
  }

  /**
   * How to start `commandLine` (text for `sh`) in the project's root.
   *
   * @param proof a checkout that stands in the project's place. Under bubblewrap it lies at the project's own path,
   *   with what git ignores; elsewhere the command runs in the checkout's folder, without that.
   * @throws {WorkFailed} when a sandbox is required and there is none, and when it could not protect `.git`
   */
  async launch(commandLine: string, proof?: Proof): Promise<Launch> {
    await this.refuseIfMissing();
    const { kind, flags, endsAll } = await this.#confinement();
    const { root } = this.#git;
    const tree = proof?.folder ?? root;
    const launch = { cwd: tree, sandbox: kind, endsAll, ended: nothing };
    const programs = await this.#git.programs();
    const { found } = programs;
    const filter = environmentFilter() + (proof === undefined ? "" : PROOF_ENVIRONMENT);
    if (kind === "none") {
      const script = filter + (endsAll ? ENDING_SCRIPT : `exec ${SHELL} -c "$1" 2>&1`);
      return { ...launch, script, args: [commandLine, found.get("bwrap") ?? ""] };
    }
    const { tmp } = await this.#scratchFolder();
    const { network, writable } = this.#settings;
    // The folder must be there to be protected: a command could make one with a configuration of its own.
    refuseSymlinks(root, "planning");
    ensureDirectory(`${root}/planning`);
    const caches = `${root}/${CACHES}`;
    ensureSessionsDirectory(root);
    refuseSymlinks(root, CACHES);
    ensurePrivateDirectory(caches);
    const links = this.#hasLinks ? "" : "links";
    this.#hasLinks = true;
    const { elsewhere: gitFolders, needsPlaceholder } = await gitProtection(this.#git);
    if (kind === "sandbox-exec") {
      const profile = seatbeltProfile({
        root,
        tree,
        caches,
        scratch: tmp,
        network,
        writable,
        gitFolders,
      });
      const inside = [cacheScript(caches, network), commandLine, links];
      const args = [profile, tmp, found.get("sandbox-exec") ?? "", ...inside];
      return { ...launch, script: filter + SEATBELT_SCRIPT, args };
    }
    if (proof !== undefined) await copyIgnored(root, proof, programs);
    const mounts = bubblewrapArguments({
      root,
      tree,
      borrowed: proof === undefined ? [] : borrowedBy(proof),
      scratch: tmp,
      network,
      writable,
      gitFolders,
      caches,
      flags,
    });
    const placeholder = needsPlaceholder ? `${root}/.git` : "";
    if (needsPlaceholder) this.#placeholders++;
    const unseen = proof === undefined ? `${root}/sessions` : root;
    const inside = [cacheScript(CACHES_PLACE, network), commandLine, links];
    const used = [found.get("bwrap") ?? "", found.get("mkdir") ?? ""];
    return {
      ...launch,
      script: filter + BUBBLEWRAP_SCRIPT,
      args: [...inside, ...used, root, placeholder, unseen, ...mounts],
      cwd: root,
      ended: needsPlaceholder ? () => this.#endPlaceholder() : nothing,
    };
  }

  async #endPlaceholder(): Promise<void> {
    this.#placeholders--;
    if (this.#placeholders === 0) await removePlaceholder(this.#git);
  }

  /** Removes the temporary folder. */
  async close(): Promise<void> {
    const scratch = await this.#scratch?.catch(() => undefined);
    this.#scratch = undefined;
    if (scratch !== undefined) await removeScratch(scratch, await this.#scratchEnvironment());
  }

  #confinement(): Promise<Confinement> {
    this.#trial ??= this.#git.programs().then((programs) =>
      tryConfinement(this.#settings.mode === "off", programs)
    );
    return this.#trial;
  }

  /** The temporary folder; a new one when the first has been taken away or swapped for another. */
  #scratchFolder(): Promise<Scratch> {
    const before = this.#scratch;
    const look = async () => {
      const made = await before?.catch(() => undefined);
      if (made !== undefined && await isScratchIntact(made)) return made;
      const { writable } = this.#settings;
      return await makeScratch(this.#git.root, writable, await this.#scratchEnvironment());
    };
    this.#scratch = look();
    return this.#scratch;
  }

  async #scratchEnvironment(): Promise<ScratchEnvironment> {
    const { searchPath } = await this.#git.programs();
    return { PATH: searchPath, TMPDIR: this.#tmpdir };
  }
}

async function nothing(): Promise<void> {}
