/**
 * Files, as m31a writes them: durable, private, never through a symbolic link.
 * Rule: every error carries the path it concerns; nothing is replaced but atomically.
 */
import { dirname, join } from "@std/path";
import { FileError, M31aError, messageOf } from "./errors.ts";
import { decodeStrict } from "./text.ts";

/** Runs `operation`, turning what it throws into a {@linkcode FileError} that names `path` and `action`. */
export function naming<T>(path: string, action: string, operation: () => T): T {
  try {
    return operation();
  } catch (error) {
    if (error instanceof M31aError) throw error;
    throw new FileError(path, `cannot ${action}: ${messageOf(error)}`, { cause: error });
  }
}

/** Whether anything, be it a dangling link, is at `path`. */
export function pathExists(path: string): boolean {
  return lstatOrUndefined(path) !== undefined;
}

/** What is at `path`, links not followed; `undefined` when nothing is. */
export function lstatOrUndefined(path: string): Deno.FileInfo | undefined {
  try {
    return Deno.lstatSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    if (error instanceof Deno.errors.NotADirectory) return undefined;
    throw new FileError(path, `cannot look at it: ${messageOf(error)}`, { cause: error });
  }
}

/**
 * Refuses a path of which any component below `root` is a symbolic link, or is neither a file nor a
 * folder. Deno checks a permission against the path as it is written, so a link inside an allowed
 * folder would lead out of it; and opening a named pipe waits for ever.
 *
 * @param root a folder that is trusted, such as the project's
 * @param path relative to `root`
 */
export function refuseSymlinks(root: string, path: string): void {
  let current = root;
  const components = path.split(/[\\/]/).filter((name) => name !== "" && name !== ".");
  for (const [index, component] of components.entries()) {
    current = join(current, component);
    const info = lstatOrUndefined(current);
    if (info === undefined) return;
    if (info.isSymlink) {
      throw new FileError(
        current,
        "is a symbolic link; m31a neither reads nor writes through one here. Replace it by a real file or folder.",
      );
    }
    if (info.isDirectory || (info.isFile && index === components.length - 1)) continue;
    throw new FileError(
      current,
      info.isFile
        ? "is a file; m31a keeps a folder there. Move it away first."
        : "is neither a file nor a folder; m31a would wait for it for ever. Move it away first.",
    );
  }
}

/** Makes the entries of a folder durable (their creation, renaming, removal). Does nothing on Windows, which has no such call. */
export function syncDirectory(path: string): void {
  if (Deno.build.os === "windows") return;
  naming(path, "sync the folder", () => {
    const directory = Deno.openSync(path);
    try {
      directory.syncSync();
    } finally {
      directory.close();
    }
  });
}

/** Writes all of `bytes` at the file's position; a single write may be short. */
export function writeAllSync(file: Pick<Deno.FsFile, "writeSync">, bytes: Uint8Array): void {
  let written = 0;
  while (written < bytes.byteLength) written += file.writeSync(bytes.subarray(written));
}

/** No text that m31a reads whole is larger than this, in bytes, where no less is said. */
const LARGEST_TEXT_BYTES = 64 * 1024 * 1024;

/**
 * Reads a whole text file. `undefined` when there is none.
 *
 * @throws {FileError} when it is not UTF-8, no regular file (a named pipe would be waited for), or huge
 */
export function readTextIfExists(
  path: string,
  maxBytes = LARGEST_TEXT_BYTES,
): string | undefined {
  let bytes: Uint8Array;
  try {
    const { isFile, isDirectory, size } = Deno.statSync(path);
    if (isDirectory) throw new FileError(path, "is a folder, where a file belongs; move it away");
    if (!isFile) throw new FileError(path, "is not a regular file");
    if (size > maxBytes) {
      throw new FileError(path, `is ${size} bytes, too large for what it is meant to hold`);
    }
    bytes = Deno.readFileSync(path);
  } catch (error) {
    if (error instanceof FileError) throw error;
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw new FileError(path, `cannot read: ${messageOf(error)}`, { cause: error });
  }
  const text = decodeStrict(bytes);
  if (text === undefined) throw new FileError(path, "is not UTF-8 text; mend it or move it away");
  return text;
}

/** Creates `path` and its missing parents as private folders (mode 0700). */
export function ensurePrivateDirectory(path: string): void {
  naming(path, "create the folder", () => Deno.mkdirSync(path, { recursive: true, mode: 0o700 }));
}

/** Creates `path` and its missing parents as folders that everybody may read and the user alone may change (mode 0755, less the umask). */
export function ensureDirectory(path: string): void {
  naming(path, "create the folder", () => Deno.mkdirSync(path, { recursive: true, mode: 0o755 }));
}

/**
 * Refuses what another user could have put there, or could change: none of it is the user's word.
 *
 * @param path relative to `root`; what is not there is refused neither
 * @throws {FileError} that says how to mend it
 */
export function refuseForeign(root: string, path: string): void {
  const info = lstatOrUndefined(join(root, path));
  // Windows tells neither an owner nor such a mode.
  if (info === undefined || info.uid === null || info.mode === null) return;
  if (info.uid !== 0 && info.uid !== Deno.uid()) {
    throw new FileError(
      path,
      `belongs to another user (uid ${info.uid}), so m31a does not rely on it. Look into it, then make it yours: ` +
        `chown -R "$(id -u)" ${path}`,
    );
  }
  if ((info.mode & 0o002) === 0 || !keepsModes(join(root, path), info.mode)) return;
  throw new FileError(
    path,
    `can be changed by every user of this machine, so m31a does not rely on it. Look into it, then: chmod -R o-w ${path}`,
  );
}

/** Whether the file system keeps a mode that is set. Where it does not, as on a disk of Windows', every file looks open to all. */
function keepsModes(path: string, mode: number): boolean {
  try {
    Deno.chmodSync(path, mode & 0o7775);
    const isKept = ((lstatOrUndefined(path)?.mode ?? mode) & 0o002) === 0;
    if (isKept) Deno.chmodSync(path, mode & 0o7777);
    return isKept;
  } catch (error) {
    if (error instanceof Deno.errors.PermissionDenied) return true;
    throw new FileError(path, `cannot look at it: ${messageOf(error)}`, { cause: error });
  }
}

/** Creates a file that must not exist yet (mode 0600), with `bytes` in it, synced; its folder is not. */
export function createFileDurably(path: string, bytes: Uint8Array): void {
  naming(path, "create", () => {
    const file = Deno.openSync(path, { createNew: true, write: true, mode: 0o600 });
    try {
      writeAllSync(file, bytes);
      file.syncSync();
    } finally {
      file.close();
    }
  });
}

/**
 * Replaces `path` by `content` so that a reader, or the next start after a power cut, sees the old
 * text or the new one and nothing between: a temporary file beside it, with its mode whatever the umask is,
 * synced, renamed, the folder synced. When anything fails the old file is untouched and the temporary one is removed.
 *
 * @param newMode the mode of a file that was not there before
 */
export function writeAtomically(
  path: string,
  content: string | Uint8Array,
  newMode = 0o644,
): void {
  replaceFile(path, content, newMode);
  syncDirectory(dirname(path));
}

/**
 * As {@linkcode writeAtomically}, but the folder is left to be synced by the caller, once for several
 * files: until then a power cut may bring the old text back.
 */
export function replaceFile(path: string, content: string | Uint8Array, newMode = 0o644): void {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  const present = lstatOrUndefined(path)?.mode ?? undefined;
  const mode = (present ?? newMode) & 0o777;
  const temporary = join(dirname(path), `.${crypto.randomUUID()}.tmp`);
  naming(path, "write", () => {
    try {
      const file = Deno.openSync(temporary, { createNew: true, write: true, mode });
      try {
        // For as long as it is locked it is not one that a killed process left (left_temporaries.ts).
        file.lockSync(true);
        if (present !== undefined && Deno.build.os !== "windows") Deno.chmodSync(temporary, mode);
        writeAllSync(file, bytes);
        file.syncSync();
        Deno.renameSync(temporary, path);
      } finally {
        file.close();
      }
    } catch (error) {
      removeIfExists(temporary);
      throw error;
    }
  });
}

/** Removes a file; that there is none is not an error. */
export function removeIfExists(path: string): void {
  try {
    Deno.removeSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory) return;
    throw new FileError(path, `cannot remove: ${messageOf(error)}`, { cause: error });
  }
}
