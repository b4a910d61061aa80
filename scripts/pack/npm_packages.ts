/**
 * The packages for npm: `m31a` with a launcher, and a package a platform with its executable.
 * Rule: npm installs the one executable that fits (optionalDependencies with os, cpu, libc); no script runs at installation.
 */
import { join } from "@std/path";
import { PROJECT_ROOT } from "../deno.ts";
import { type Platform, PLATFORMS } from "./platforms.ts";

/** What is the same in all packages of a release. */
export interface Release {
  version: string;
  /** The repository's address, where it is known. */
  repository?: string | undefined;
}

/** The name of a platform's package. */
export function packageNameOf({ name }: Platform): string {
  return `@m31a/${name}`;
}

/** The fields of the launcher's package.json. */
export function launcherManifest(release: Release) {
  return {
    name: "m31a",
    description: "A coding agent for the terminal that can prove what it did",
    ...commonFields(release),
    bin: { m31a: "bin/m31a" },
    os: [...new Set(PLATFORMS.map(({ os }) => os))],
    cpu: [...new Set(PLATFORMS.map(({ cpu }) => cpu))],
    optionalDependencies: Object.fromEntries(
      PLATFORMS.map((platform) => [packageNameOf(platform), release.version]),
    ),
  };
}

/** The fields of a platform's package.json. */
export function platformManifest(platform: Platform, release: Release) {
  return {
    name: packageNameOf(platform),
    description: `The executable of m31a for ${platform.name}; install the package m31a`,
    ...commonFields(release),
    os: [platform.os],
    cpu: [platform.cpu],
    ...(platform.libc !== undefined && { libc: [platform.libc] }),
    preferUnplugged: true,
  };
}

function commonFields({ version, repository }: Release) {
  return {
    version,
    license: "MIT",
    ...(repository !== undefined && { repository: { type: "git", url: `git+${repository}.git` } }),
  };
}

/** Lays the launcher's package out in `folder`. */
export function writeLauncherPackage(folder: string, release: Release): void {
  writeManifest(folder, launcherManifest(release));
  copyExecutable(join(PROJECT_ROOT, "scripts", "pack", "launcher.sh"), folder);
  Deno.copyFileSync(join(PROJECT_ROOT, "README.md"), join(folder, "README.md"));
}

/** Lays a platform's package out in `folder`, with the executable that is at `executable`. */
export function writePlatformPackage(
  folder: string,
  platform: Platform,
  executable: string,
  release: Release,
): void {
  writeManifest(folder, platformManifest(platform, release));
  copyExecutable(executable, folder);
}

function writeManifest(folder: string, manifest: object): void {
  Deno.mkdirSync(join(folder, "bin"), { recursive: true });
  Deno.writeTextFileSync(join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  Deno.copyFileSync(join(PROJECT_ROOT, "LICENSE"), join(folder, "LICENSE"));
}

function copyExecutable(from: string, folder: string): void {
  const path = join(folder, "bin", "m31a");
  Deno.copyFileSync(from, path);
  Deno.chmodSync(path, 0o755);
}
