/**
 * Temporary files that a killed process left beside what it was about to replace.
 * Rule: one that its writer still holds locked is left alone.
 */
import { join } from "@std/path";
import { naming, removeIfExists } from "./files.ts";
import { tryLock } from "./lock.ts";

/** As `replaceFile()` names them. */
const TEMPORARY = /^\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.tmp$/;

/**
 * Removes those in `folder`.
 *
 * @throws {FileError} when the folder cannot be read, or one of them not removed
 */
export async function removeLeftTemporaries(folder: string): Promise<void> {
  const entries = naming(folder, "list", () => [...Deno.readDirSync(folder)]);
  for (const { name, isFile } of entries) {
    if (isFile && TEMPORARY.test(name)) await removeIfLeft(join(folder, name));
  }
}

async function removeIfLeft(path: string): Promise<void> {
  let file: Deno.FsFile;
  try {
    file = Deno.openSync(path, { read: true });
  } catch (error) {
    // Its writer was quicker: it has its real name now.
    if (error instanceof Deno.errors.NotFound) return;
    throw error;
  }
  if (!await tryLock(file)) return;
  removeIfExists(path);
  file.close();
}
