/**
 * Finding out by trial what this machine has to confine commands and to end what they leave running.
 * Rule: what is promised later has worked here once, with the very flags that a command gets.
 */
import type { Programs } from "../platform/programs.ts";
import { type ProcessResult, runProcess } from "../platform/processes.ts";
import { decodeLossy } from "../platform/text.ts";
import { BUBBLEWRAP_TRIAL, ENDING_TRIAL } from "./sandbox_bubblewrap.ts";
import { SEATBELT_TRIAL } from "./sandbox_seatbelt.ts";

/** Which sandbox this machine has. */
export type SandboxKind = "bubblewrap" | "sandbox-exec" | "none";

/** What the trials have shown. */
export interface Confinement {
  kind: SandboxKind;
  /** Why there is none, where `kind` is `none`. */
  missing: string;
  /** Arguments of bubblewrap's that depend on the machine. */
  flags: readonly string[];
  /** Whether everything that a command starts ends with it: it has a process namespace of its own. */
  endsAll: boolean;
}

/** Tries the sandbox of this system, unless it `isOff`, and where there is none at least a process namespace. */
export async function tryConfinement(isOff: boolean, programs: Programs): Promise<Confinement> {
  const found = isOff ? SWITCHED_OFF : await trySandbox(programs);
  if (found.kind !== "none" || Deno.build.os !== "linux") return found;
  return { ...found, endsAll: (await run(ENDING_TRIAL, programs)).code === 0 };
}

function run(script: string, { searchPath }: Programs): Promise<ProcessResult> {
  return runProcess({ script, args: [], env: { PATH: searchPath }, timeoutMs: 10_000 });
}

const NONE = { kind: "none", flags: [], endsAll: false } as const;

const SWITCHED_OFF = { ...NONE, missing: 'switched off ([tools] sandbox = "off")' } as const;

async function trySandbox(programs: Programs): Promise<Confinement> {
  if (Deno.build.os === "windows") return { ...NONE, missing: "Windows has none" };
  const isMac = Deno.build.os === "darwin";
  const trial = await run(isMac ? SEATBELT_TRIAL : BUBBLEWRAP_TRIAL, programs);
  if (trial.code === 0) {
    const kind = isMac ? "sandbox-exec" : "bubblewrap";
    const flags = decodeLossy(trial.stdout).split("\n").filter((line) => line !== "");
    return { kind, missing: "", flags, endsAll: !isMac };
  }
  const said = decodeLossy(trial.stderr).trim().split("\n").at(-1) ?? "";
  const program = isMac ? "sandbox-exec" : "bubblewrap (bwrap)";
  const missing = trial.code === 127 ? `${program} is not installed` : `${program} fails: ${said}`;
  return { ...NONE, missing };
}
