/**
 * Compiles m31a to dist/m31a, with the permissions of scripts/permissions.ts built in.
 * Rule: arguments given here (`--target …`, `--output …`) go on to `deno compile`.
 */
import { join } from "@std/path";
import { bundle } from "./bundle.ts";
import { denoCacheFolder, DIST, EXECUTABLE_NAME, PROJECT_ROOT, runDeno } from "./deno.ts";
import { denortFromNpm, isDenortOnNpm } from "./denort.ts";
import { applicationFlags } from "./permissions.ts";
import { RUNTIME_FLAGS } from "./runtime.ts";

/**
 * What every compilation is given. No code cache: Deno would keep it in a file with a guessable name in
 * the folder for temporary files, outside of what m31a may write, where others might write it too.
 */
const COMPILE_FLAGS = [
  "compile",
  "--quiet",
  "--no-check",
  "--no-code-cache",
  "--no-config",
  "--no-lock",
];

/** Where `deno task compile` puts the executable. */
export const EXECUTABLE = join(DIST, EXECUTABLE_NAME);

/** Compiles m31a to {@linkcode EXECUTABLE}, or where an `--output` among `flags` says; resolves to the exit code of `deno compile`. */
export async function compileM31a(flags: readonly string[] = []): Promise<number> {
  const entry = await bundle(join(PROJECT_ROOT, "main.ts"));
  const isOutputGiven = flags.some((flag) => flag.startsWith("--output"));
  const output = isOutputGiven ? [] : ["--output", EXECUTABLE];
  const os = flags.some((flag) => flag.includes("windows")) ? "windows" : Deno.build.os;
  return await compile(entry, [...output, ...RUNTIME_FLAGS, ...applicationFlags(os), ...flags]);
}

/** Compiles the module at `entry` as it is; resolves to the exit code of `deno compile`. */
export async function compile(entry: string, flags: readonly string[]): Promise<number> {
  const args = [...COMPILE_FLAGS, ...flags, entry];
  const base = await denort(flags);
  return await runDeno(args, base === undefined ? {} : { env: { DENORT_BIN: base } });
}

/** The base executable to use; `undefined` leaves it to Deno's own download. */
async function denort(flags: readonly string[]): Promise<string | undefined> {
  const given = Deno.env.get("DENORT_BIN");
  if (given !== undefined && given !== "") return given;
  const isForThisMachine = !flags.some((flag) => flag.startsWith("--target"));
  if (isForThisMachine && !await canDenoDownload()) {
    if (isDenortOnNpm(Deno.build.target, Deno.version.deno)) {
      return await denortFromNpm(join(await denoCacheFolder(), "m31a"));
    }
    console.error(
      `Deno's download host cannot be reached, and denort ${Deno.version.deno} for ` +
        `${Deno.build.target} is not known on npm. Set DENORT_BIN to a denort of this version.`,
    );
    Deno.exit(1);
  }
  return undefined;
}

/** Whether Deno has its base executable already, or the host that it is downloaded from answers. */
async function canDenoDownload(): Promise<boolean> {
  const file = `release/v${Deno.version.deno}/denort-${Deno.build.target}.zip`;
  try {
    const cached = join(await denoCacheFolder(), "dl", file);
    if ((await Deno.stat(cached)).isFile) return true;
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  try {
    const signal = AbortSignal.timeout(5000);
    const response = await fetch(`https://dl.deno.land/${file}`, { method: "HEAD", signal });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}

if (import.meta.main) {
  const code = await compileM31a(Deno.args);
  Deno.exit(code);
}
