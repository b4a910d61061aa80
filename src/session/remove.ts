/**
 * Removing a session.
 * Rule: one that is open is refused; a session is there whole or not at all.
 */
import { join } from "@std/path";
import { naming, refuseSymlinks, syncDirectory } from "../platform/files.ts";
import { SessionNotFound } from "./errors.ts";
import { listEpochs, logPath, sessionDirectory, SESSIONS } from "./layout.ts";
import { openLocked } from "./epoch_files.ts";

/** What a session's folder is called while its files are removed. */
const REMOVING = ".removing-";

/**
 * Removes a session with all of its epochs and copies. A removal that was cut short before is finished.
 *
 * @throws {SessionInUse} when a process has it open
 * @throws {SessionNotFound}
 */
export async function removeSession(root: string, id: string): Promise<void> {
  const directory = sessionDirectory(id);
  refuseSymlinks(root, directory);
  const lock = await lockNewest(root, id);
  try {
    const removing = join(root, SESSIONS, `${REMOVING}${id}`);
    naming(directory, "remove", () => Deno.renameSync(join(root, directory), removing));
    syncDirectory(join(root, SESSIONS));
  } finally {
    lock?.close();
  }
  for (const { name } of Deno.readDirSync(join(root, SESSIONS))) {
    if (!name.startsWith(REMOVING)) continue;
    const leftover = join(root, SESSIONS, name);
    naming(leftover, "remove", () => Deno.removeSync(leftover, { recursive: true }));
  }
}

/**
 * Finds out that no process has the session open.
 *
 * @throws {SessionInUse} when one has
 * @throws {SessionNotFound}
 */
export async function expectClosed(root: string, id: string): Promise<void> {
  refuseSymlinks(root, sessionDirectory(id));
  (await lockNewest(root, id))?.close();
}

/** The lock on the newest epoch; none for a session that was killed while it was made. */
async function lockNewest(root: string, id: string): Promise<Deno.FsFile | undefined> {
  let epoch: number | undefined;
  try {
    epoch = listEpochs(root, id).at(-1);
  } catch (error) {
    if (!(error instanceof SessionNotFound) || error.exitCode !== 3) throw error;
  }
  return epoch === undefined ? undefined : await openLocked(root, logPath(id, epoch), id);
}
