/**
 * What is at a path of the tree: nothing, a file or a symbolic link, byte for byte.
 * Rule: reading only; nothing is read through a symbolic link, and a folder is nobody's content.
 */
import { createHash } from "node:crypto";
import { join, relative } from "@std/path";
import { FileError, messageOf, UsageError } from "../platform/errors.ts";
import { lstatOrUndefined } from "../platform/files.ts";

/** The modes that git keeps: a file, an executable file, a symbolic link (whose bytes are its target). */
export type FileMode = "100644" | "100755" | "120000";

/** A file's or a link's content. */
export interface FileContent {
  readonly mode: FileMode;
  readonly bytes: Uint8Array;
}

/** What is at a path; `undefined` when nothing is. */
export type FileState = FileContent | undefined;

/** A change of one file: what is there before and after. Both are there, or one of them. */
export interface FileChange {
  /** Relative to the root, with `/` between the components. */
  readonly path: string;
  readonly before: FileState;
  readonly after: FileState;
  /** The file comes from this path, whose content is `before`; nothing is at `path` yet. */
  readonly renamedFrom?: string;
}

/**
 * Reads what is at `path` below `root`.
 *
 * @throws {FileError} when a folder is there, or something that is neither file nor link, or it cannot be read
 */
export function readFileState(root: string, path: string): FileState {
  const full = join(root, path);
  const info = lstatOrUndefined(full);
  if (info === undefined) return undefined;
  try {
    if (info.isSymlink) {
      return { mode: "120000", bytes: new TextEncoder().encode(Deno.readLinkSync(full)) };
    }
    if (info.isFile) {
      const isExecutable = ((info.mode ?? 0) & 0o100) !== 0;
      return { mode: isExecutable ? "100755" : "100644", bytes: Deno.readFileSync(full) };
    }
  } catch (error) {
    throw new FileError(full, `cannot read: ${messageOf(error)}`, { cause: error });
  }
  throw new FileError(full, info.isDirectory ? "is a folder, not a file" : "is not a regular file");
}

/** Whether two states are the same, in kind, executable bit and every byte. */
export function isSameState(a: FileState, b: FileState): boolean {
  if (a === undefined || b === undefined) return a === b;
  return a.mode === b.mode && isSameBytes(a.bytes, b.bytes);
}

/** Whether two arrays hold the same bytes. */
function isSameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.byteLength === b.byteLength && a.every((byte, index) => byte === b[index]);
}

/** The name that git gives to a content: the SHA-1 of `blob <size> NUL <bytes>`, as 40 hex digits. */
export function blobId(bytes: Uint8Array): string {
  return createHash("sha1").update(`blob ${bytes.byteLength}\0`).update(bytes).digest("hex");
}

/**
 * Refuses a path that m31a must not change: one that leaves the tree, is inside a `.git`, in a
 * submodule or another repository inside this one, or goes through a symbolic link.
 *
 * @param removed files that go away in the same change, so that a folder may take their place
 * @throws {UsageError} with the path and the reason
 */
export function refuseUnsafePath(
  root: string,
  path: string,
  removed: ReadonlySet<string> = new Set(),
): void {
  const refuse = (reason: string) => new UsageError(`${path}: ${reason}`);
  const components = path.split("/");
  if (path === "" || path.includes("\0")) throw refuse("is not a file name");
  if (path.startsWith("/") || /^[A-Za-z]:/.test(path) && Deno.build.os === "windows") {
    throw refuse("is an absolute path; give one relative to the project's root");
  }
  if (components.includes("..")) throw refuse("leads out of the project");
  if (components.some((name) => name === "" || name === ".")) {
    throw refuse("is not in its simplest form; leave out empty components, `.` and a final `/`");
  }
  if (components.some((name) => name.toLowerCase() === ".git")) {
    throw refuse("is inside .git, which only git itself changes");
  }
  let folder = root;
  for (const name of components.slice(0, -1)) {
    folder = join(folder, name);
    if (removed.has(relative(root, folder))) return;
    const info = lstatOrUndefined(folder);
    if (info === undefined) return;
    if (info.isSymlink) throw refuse(`goes through the symbolic link ${folder}`);
    if (!info.isDirectory) throw refuse(`${folder} is a file, not a folder`);
    if (lstatOrUndefined(join(folder, ".git")) !== undefined) {
      throw refuse(`is inside ${folder}, a submodule or a repository of its own`);
    }
  }
}
