/**
 * The files of a release that need no npm: compressed executables, their checksums, and install.sh with both.
 * Rule: install.sh installs the version it was made for and knows what it must hash to, so it belongs to one release.
 */
import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { join } from "@std/path";
import { PROJECT_ROOT } from "../deno.ts";
import type { Platform } from "./platforms.ts";

/** Compresses the executable at `path` into `folder`; gives the SHA-256 of the file that was written. */
export function writeCompressed(folder: string, { name }: Platform, path: string): string {
  const compressed = gzipSync(Deno.readFileSync(path));
  Deno.writeFileSync(join(folder, `m31a-${name}.gz`), compressed);
  return createHash("sha256").update(compressed).digest("hex");
}

/** SHA-256 by the platform's name. */
type Checksums = ReadonlyMap<string, string>;

/** Writes SHA256SUMS into `folder`, in the form that `sha256sum -c` reads. */
export function writeSums(folder: string, checksums: Checksums): void {
  const lines = [...checksums].map(([name, sum]) => `${sum}  m31a-${name}.gz\n`);
  Deno.writeTextFileSync(join(folder, "SHA256SUMS"), lines.join(""));
}

/**
 * Writes install.sh into `folder`.
 *
 * @param made.downloads the address of the folder that the files will be in
 */
export function writeInstaller(
  folder: string,
  made: { version: string; downloads: string; checksums: Checksums },
): void {
  const { version, downloads, checksums } = made;
  const cases = [...checksums].map(([name, sum]) => `    ${name}) echo ${sum} ;;`);
  const script = Deno.readTextFileSync(join(PROJECT_ROOT, "scripts", "pack", "install.sh"))
    .replaceAll("@VERSION@", version)
    .replaceAll("@DOWNLOADS@", downloads)
    .replace("@CHECKSUMS@", cases.join("\n"));
  Deno.writeTextFileSync(join(folder, "install.sh"), script, { mode: 0o755 });
}
