/**
 * Packs m31a: `deno task pack [--all] [--repository=https://…]`, by default for this machine alone.
 * Rule: what is installed in a test is what is published: archives for npm in dist/npm, the files of a release in dist/release.
 */
import { join } from "@std/path";
import { compileM31a } from "./compile.ts";
import { DIST, PROJECT_ROOT } from "./deno.ts";
import { writeLauncherPackage, writePlatformPackage } from "./pack/npm_packages.ts";
import { type Platform, PLATFORMS } from "./pack/platforms.ts";
import { writeCompressed, writeInstaller, writeSums } from "./pack/release_files.ts";

const NPM = join(DIST, "npm");
const RELEASE = join(DIST, "release");

/** Where the files of a release lie, by what GitHub does. */
function downloadsOf(repository: string, version: string): string {
  return `${repository}/releases/download/v${version}`;
}

/** Compiles for `platform` and gives the executable's path. */
async function compileFor(platform: Platform): Promise<string> {
  const executable = join(DIST, "executables", platform.name);
  const isThisMachine = platform.target === Deno.build.target;
  const target = isThisMachine ? [] : ["--target", platform.target];
  const code = await compileM31a([...target, "--output", executable]);
  if (code !== 0) throw new Error(`compiling for ${platform.name} failed with exit code ${code}`);
  return executable;
}

/** Makes an archive of the package in `folder`, as `npm publish` would, and gives its name. */
async function npmPack(folder: string): Promise<string> {
  const { success, stdout } = await new Deno.Command("npm", {
    args: ["pack", "--silent", "--pack-destination", NPM, folder],
    cwd: NPM,
    stdin: "null",
    stderr: "inherit",
  }).output();
  if (!success) throw new Error(`npm pack failed in ${folder}`);
  return new TextDecoder().decode(stdout).trim().split("\n").at(-1) ?? "";
}

/** Packs for `platforms`; the launcher's package names all there are. */
async function pack(platforms: readonly Platform[], repository: string | undefined): Promise<void> {
  const { version } = JSON.parse(Deno.readTextFileSync(join(PROJECT_ROOT, "deno.json")));
  const release = { version, repository };
  for (const folder of [NPM, RELEASE]) {
    await Deno.remove(folder, { recursive: true }).catch(() => {});
    Deno.mkdirSync(folder, { recursive: true });
  }
  const checksums = new Map<string, string>();
  for (const platform of platforms) {
    const executable = await compileFor(platform);
    const folder = join(NPM, "packages", platform.name);
    writePlatformPackage(folder, platform, executable, release);
    const archive = await npmPack(folder);
    checksums.set(platform.name, writeCompressed(RELEASE, platform, executable));
    console.log(`dist/npm/${archive}${platform.isTested ? "" : " (untested)"}`);
  }
  const launcher = join(NPM, "packages", "m31a");
  writeLauncherPackage(launcher, release);
  console.log(`dist/npm/${await npmPack(launcher)}`);
  const downloads = repository === undefined ? undefined : downloadsOf(repository, version);
  writeSums(RELEASE, checksums);
  if (downloads !== undefined) writeInstaller(RELEASE, { version, downloads, checksums });
  const installer = downloads === undefined ? "no install.sh without --repository" : "install.sh";
  console.log(`dist/release: ${platforms.length} executables, SHA256SUMS, ${installer}`);
}

if (import.meta.main) {
  const repository = Deno.args.find((argument) => argument.startsWith("--repository="))
    ?.slice("--repository=".length);
  const isAll = Deno.args.includes("--all");
  const platforms = PLATFORMS.filter(({ target }) => isAll || target === Deno.build.target);
  if (platforms.length === 0) {
    console.error(`m31a is not packed for ${Deno.build.target}`);
    Deno.exit(2);
  }
  await pack(platforms, repository);
}
