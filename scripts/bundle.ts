/**
 * Bundles the program before it is compiled: one file for what main.ts needs at once, one for each lazy import.
 * Rule: only code that can be reached goes in. `deno compile` alone would embed every file of every package in
 * deno.json and list them all at each start, which triples the time that `m31a --version` takes.
 */
import { join } from "@std/path";
import { DIST, PROJECT_ROOT, runDeno } from "./deno.ts";

/** Where the bundler finds the packages and leaves its output. */
const BUILD = join(DIST, ".build");

/** The packages, laid out as esbuild looks for them. */
export const PACKAGES = join(BUILD, "node_modules");

/** CommonJS code asks for Node's built-in modules by `require`, which ES modules have not. */
const REQUIRE = `const require = (name) => {
  const builtin = globalThis.process.getBuiltinModule(name);
  if (builtin === undefined) throw new Error("Cannot find module " + name);
  return builtin;
};`;

/**
 * Bundles `entry` (a path) and gives the path of the JavaScript file to compile.
 *
 * esbuild does it rather than `deno bundle`, which in Deno 2.4.2 fails on packages that require JSON.
 *
 * @throws {Error} when the packages cannot be installed or the code cannot be bundled
 */
export async function bundle(entry: string): Promise<string> {
  const imports = await installPackages();
  const outdir = join(BUILD, "out");
  removeIfExists(outdir);
  const esbuild = await import("esbuild");
  try {
    await esbuild.build({
      entryPoints: { main: entry },
      outdir,
      bundle: true,
      splitting: true,
      format: "esm",
      platform: "node",
      conditions: ["deno"],
      // CommonJS that asks for its own files by a `require` of its own cannot be bundled; ES modules can.
      mainFields: ["module", "main"],
      target: "esnext",
      chunkNames: "chunks/[name]-[hash]",
      nodePaths: [PACKAGES],
      alias: builtinAliases(imports),
      banner: { js: REQUIRE },
      legalComments: "none",
      logLevel: "warning",
    });
  } finally {
    await esbuild.stop();
  }
  return join(outdir, "main.js");
}

/** Names of deno.json that stand for a module of Node's, such as `@std/path` for `node:path`. */
function builtinAliases(imports: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(imports).filter(([, specifier]) => specifier.startsWith("node:")),
  );
}

/**
 * Lays the packages of deno.json and its lock file out as a node_modules folder, the form that esbuild reads; resolves to
 * the imports of deno.json.
 *
 * @throws {Error} when they cannot be installed
 */
export async function installPackages(): Promise<Record<string, string>> {
  const { imports } = readDenoJson();
  Deno.mkdirSync(BUILD, { recursive: true });
  Deno.writeTextFileSync(
    join(BUILD, "deno.json"),
    JSON.stringify({ nodeModulesDir: "auto", imports }),
  );
  Deno.copyFileSync(join(PROJECT_ROOT, "deno.lock"), join(BUILD, "deno.lock"));
  const code = await runDeno(["install", "--quiet", "--frozen"], { cwd: BUILD });
  if (code !== 0) throw new Error(`deno install failed with exit code ${code}`);
  return imports;
}

function readDenoJson(): { imports: Record<string, string> } {
  return JSON.parse(Deno.readTextFileSync(join(PROJECT_ROOT, "deno.json")));
}

function removeIfExists(folder: string): void {
  try {
    Deno.removeSync(folder, { recursive: true });
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}
