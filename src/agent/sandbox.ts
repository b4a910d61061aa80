/**
 * The operating system's sandbox for commands: bubblewrap on Linux, sandbox-exec on macOS.
 * Rule: a command writes to the project's tree and a temporary folder and nowhere else; not to .git or
 * planning/ (which could make m31a or git run something later), and sessions/ it does not even see.
 */
import type { Environment } from "../platform/environment.ts";
import { ensurePrivateDirectory, lstatOrUndefined, refuseSymlinks } from "../platform/files.ts";
import { WorkFailed } from "../platform/errors.ts";
import { runProcess } from "../platform/processes.ts";
import { decodeLossy } from "../platform/text.ts";
import { BUBBLEWRAP_SCRIPT, BUBBLEWRAP_TRIAL, bubblewrapArguments } from "./sandbox_bubblewrap.ts";
import { SEATBELT_SCRIPT, SEATBELT_TRIAL, seatbeltProfile } from "./sandbox_seatbelt.ts";
import { environmentFilter } from "./command_environment.ts";

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

/** How `sh` is to be started for one command. */
export interface Launch {
  command: "sh";
  args: string[];
}

/** The sandbox of one m31a process. */
export class Sandbox {
  readonly kind: SandboxKind;
  /** Why there is none, where `kind` is `none`. */
  readonly missing: string;
  readonly #root: string;
  readonly #settings: SandboxSettings;
  #scratch: Promise<string> | undefined;

  private constructor(
    root: string,
    settings: SandboxSettings,
    found: { kind: SandboxKind; missing: string },
  ) {
    this.#root = root;
    this.#settings = settings;
    this.kind = found.kind;
    this.missing = found.missing;
  }

  /**
   * Finds out by a trial what this machine has; takes some 10 ms.
   *
   * @param root the project's root, a real path
   * @param environment for HOME, which `~/` stands for
   */
  static async find(
    root: string,
    settings: SandboxSettings,
    environment: Environment,
  ): Promise<Sandbox> {
    const writable = settings.writable.map((folder) =>
      folder.startsWith("~/") ? `${environment.HOME ?? ""}${folder.slice(1)}` : folder
    );
    const found = settings.mode === "off" ? SWITCHED_OFF : await tryOut();
    return new Sandbox(root, { ...settings, writable }, found);
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
   * @throws {WorkFailed} when a sandbox is required and there is none
   */
  async launch(commandLine: string): Promise<Launch> {
    if (this.kind === "none") {
      if (this.#settings.mode === "require") {
        throw new WorkFailed(
          `[tools] sandbox = "require", but there is none: ${this.missing}. ` +
            'Install bubblewrap, or set sandbox = "auto" in planning/config.toml.',
        );
      }
      const script = `${environmentFilter()}\nexec sh -c "$1" 2>&1`;
      return { command: "sh", args: ["-c", script, "sh", commandLine] };
    }
    const scratch = await this.#scratchFolder();
    const { network, writable } = this.#settings;
    // The folder must be there to be protected: a command could make one with a configuration of its own.
    refuseSymlinks(this.#root, "planning");
    ensurePrivateDirectory(`${this.#root}/planning`);
    if (this.kind === "sandbox-exec") {
      const profile = seatbeltProfile({ root: this.#root, scratch, network, writable });
      const args = [profile, scratch, commandLine];
      return { command: "sh", args: ["-c", environmentFilter() + SEATBELT_SCRIPT, "sh", ...args] };
    }
    const args = bubblewrapArguments({
      root: this.#root,
      scratch,
      network,
      writable,
      hasGit: isRealEntry(`${this.#root}/.git`),
      hasSessions: isRealEntry(`${this.#root}/sessions`),
    });
    return {
      command: "sh",
      args: ["-c", environmentFilter() + BUBBLEWRAP_SCRIPT, "sh", commandLine, ...args],
    };
  }

  /** Removes the temporary folder. */
  async close(): Promise<void> {
    const scratch = await this.#scratch;
    this.#scratch = undefined;
    if (scratch === undefined) return;
    await runProcess({
      command: "sh",
      args: ["-c", 'chmod -R u+rwx "$1" 2>/dev/null; rm -rf -- "$1"', "sh", scratch],
    });
  }

  #scratchFolder(): Promise<string> {
    this.#scratch ??= makeScratchFolder();
    return this.#scratch;
  }
}

const SWITCHED_OFF = { kind: "none", missing: 'switched off ([tools] sandbox = "off")' } as const;

function isRealEntry(path: string): boolean {
  const info = lstatOrUndefined(path);
  return info !== undefined && !info.isSymlink;
}

async function tryOut(): Promise<{ kind: SandboxKind; missing: string }> {
  if (Deno.build.os === "windows") return { kind: "none", missing: "Windows has none" };
  const isMac = Deno.build.os === "darwin";
  const trial = await runProcess({
    command: "sh",
    args: ["-c", isMac ? SEATBELT_TRIAL : BUBBLEWRAP_TRIAL],
    timeoutMs: 10_000,
  });
  if (trial.code === 0) return { kind: isMac ? "sandbox-exec" : "bubblewrap", missing: "" };
  const said = decodeLossy(trial.stderr).trim().split("\n").at(-1) ?? "";
  const program = isMac ? "sandbox-exec" : "bubblewrap (bwrap)";
  const missing = trial.code === 127 ? `${program} is not installed` : `${program} fails: ${said}`;
  return { kind: "none", missing };
}

async function makeScratchFolder(): Promise<string> {
  const script = 'cd "$(mktemp -d "${TMPDIR:-/tmp}/m31a-XXXXXXXX")" && pwd -P';
  const { code, stdout, stderr } = await runProcess({ command: "sh", args: ["-c", script] });
  const folder = decodeLossy(stdout).replace(/\n$/, "");
  if (code === 0 && folder.startsWith("/")) return folder;
  throw new WorkFailed(
    `cannot make a temporary folder for commands: ${decodeLossy(stderr).trim()}. Check TMPDIR.`,
  );
}
