/**
 * The folders of `[tools] writable`: what commands in the sandbox may write to besides the project.
 * Rule: programs that m31a starts for itself are not taken from them (platform/programs.ts).
 */
import type { Environment } from "../platform/environment.ts";
import { M31aError } from "../platform/errors.ts";
import { readConfigurationFile } from "./configuration_file.ts";
import { trustedText } from "./trust.ts";
import { isTrusted } from "./trust_store.ts";

/** `folders` with `~/` replaced by the home directory. */
export function expandHome(folders: readonly string[], environment: Environment): string[] {
  return folders.map((folder) =>
    folder.startsWith("~/") ? `${environment.HOME ?? ""}${folder.slice(1)}` : folder
  );
}

/**
 * The folders that the configuration names, if the user has trusted it. That git tracks no sessions/ is not asked
 * here: it takes a git, and which one may be used depends on these folders.
 */
export function writableFolders(root: string, environment: Environment): string[] {
  try {
    const read = readConfigurationFile(root);
    const { writable } = read.file.tools;
    const text = writable.length > 0 ? trustedText(root, read) : "";
    return writable.length > 0 && isTrusted(root, text) ? expandHome(writable, environment) : [];
  } catch (error) {
    // A file that makes no sense puts nothing into force; whoever needs it says what is wrong with it.
    if (error instanceof M31aError) return [];
    throw error;
  }
}
