/**
 * Where a path that the model gave really leads.
 * Rule: reading stays inside the project by real path, out of every .git and out of sessions/.
 */
import { dirname, isAbsolute, join, relative, resolve } from "@std/path";
import { FileError, messageOf, UsageError } from "../platform/errors.ts";

/** A place inside the project. */
export interface ProjectPath {
  /** Relative to the root, with `/` between the components, links resolved; `.` is the root. */
  path: string;
  /** The real, absolute path. */
  real: string;
}

/**
 * Resolves `given`, relative to the root or absolute, to a place that a tool may read. It need not exist.
 *
 * @param root the project's root, a real path
 * @throws {UsageError} with the path and the reason, for a path that is empty, leads out of the
 *   project (by `..`, as an absolute path or through a symbolic link), into a `.git` or into sessions/
 */
export function readablePath(root: string, given: string): ProjectPath {
  if (given === "") throw new UsageError("the path is empty; `.` is the project's folder");
  if (given.includes("\0")) throw new UsageError(`${JSON.stringify(given)}: holds a NUL character`);
  refusePrivate(root, resolve(root, given), given);
  const real = realPathOf(resolve(root, given), given);
  refusePrivate(root, real, given);
  return { path: slashed(relative(root, real)) || ".", real };
}

/** Whether a path relative to the root is one that tools neither list nor read: in a `.git` or in sessions/. */
export function isPrivatePath(path: string): boolean {
  const components = path.split(/[\\/]/).map(foldName);
  return components.includes(".git") || components[0] === "sessions";
}

/** Names that some file systems take for the same: other case, trailing dots and spaces, a stream, ignorable characters, the short name. */
export function foldName(name: string): string {
  const plain = name.replace(/[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g, "")
    .replace(/:.*$/s, "").replace(/[. ]+$/, "").toLowerCase();
  return plain === "git~1" ? ".git" : plain;
}

function refusePrivate(root: string, absolute: string, given: string): void {
  const inside = relative(root, absolute);
  if (inside === ".." || inside.startsWith("../") || /^\.\.\\/.test(inside) || isAbsolute(inside)) {
    throw new UsageError(`${given}: leads out of the project; only files inside it can be read`);
  }
  if (!isPrivatePath(inside)) return;
  const what = inside.toLowerCase().startsWith("sessions") ? "sessions/" : ".git";
  throw new UsageError(
    what === ".git"
      ? `${given}: is inside .git; ask about the repository with git_diff or run_command`
      : `${given}: is inside sessions/, whose transcripts are private`,
  );
}

/** The real path; of what does not exist, that of its nearest folder that does, with the rest behind it. */
function realPathOf(absolute: string, given: string): string {
  try {
    return Deno.realPathSync(absolute);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory) {
      const parent = dirname(absolute);
      if (parent === absolute) return absolute;
      return join(realPathOf(parent, given), relative(parent, absolute));
    }
    throw new FileError(given, `cannot be reached: ${messageOf(error)}`, { cause: error });
  }
}

function slashed(path: string): string {
  return Deno.build.os === "windows" ? path.replaceAll("\\", "/") : path;
}
