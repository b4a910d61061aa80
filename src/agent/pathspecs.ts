/**
 * What a tool's `path` and `glob` mean to git.
 * Rule: sessions/ is never part of it, and a name cannot become a pattern.
 */
import { readablePath } from "./paths.ts";

/**
 * Makes git pathspecs of a folder or file and a glob below it. A glob without `/` counts at any depth,
 * as in .gitignore.
 *
 * @throws {UsageError} for a path that may not be read
 */
export function pathspecsOf(
  root: string,
  path: string | undefined,
  glob: string | undefined,
): string[] {
  const folder = readablePath(root, path ?? ".").path;
  const privateFolder = ":(exclude,icase)sessions";
  if (glob === undefined) return [folder === "." ? "." : `:(literal)${folder}`, privateFolder];
  const trimmed = glob.replace(/^(?:\.?\/)+/, "");
  const pattern = trimmed.includes("/") ? trimmed : `**/${trimmed}`;
  const prefix = folder === "." ? "" : `${folder.replace(/[*?[\]\\]/g, "\\$&")}/`;
  return [`:(glob)${prefix}${pattern}`, privateFolder];
}
