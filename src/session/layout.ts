/**
 * Where the files of sessions are.
 * Rule: nothing in `sessions/` is reached through a symbolic link.
 */
import { join } from "@std/path";
import {
  ensurePrivateDirectory,
  pathExists,
  refuseForeign,
  refuseSymlinks,
  syncDirectory,
  writeAtomically,
} from "../platform/files.ts";
import { messageOf } from "../platform/errors.ts";
import { SessionIo, SessionNotFound } from "./errors.ts";
import { isSessionId } from "./session_id.ts";

/** The folder of all sessions, relative to the project's root. */
export const SESSIONS = "sessions";

/** The folder of one session, relative to the project's root. */
export function sessionDirectory(id: string): string {
  return `${SESSIONS}/${id}`;
}

/** Where a session keeps what it keeps of the project's files, relative to the project's root. */
export function keptFilesDirectory(id: string): string {
  return `${SESSIONS}/${id}/tree`;
}

/** The contents among it, relative to the project's root. */
export function keptContentsDirectory(id: string): string {
  return `${keptFilesDirectory(id)}/objects`;
}

/** The log of an epoch, relative to the project's root: the path that messages name. */
export function logPath(id: string, epoch: number): string {
  return `${SESSIONS}/${id}/${epoch}.jsonl`;
}

/** The baseline of an epoch, relative to the project's root. */
export function baselinePath(id: string, epoch: number): string {
  return `${SESSIONS}/${id}/${epoch}.baseline.json`;
}

/** Makes `sessions/` with the `.gitignore` that keeps transcripts out of the repository, if it is not there. */
export function ensureSessionsDirectory(root: string): void {
  refuseSymlinks(root, `${SESSIONS}/.gitignore`);
  const directory = join(root, SESSIONS);
  if (!pathExists(directory)) {
    ensurePrivateDirectory(directory);
    syncDirectory(root);
  }
  refuseForeign(root, SESSIONS);
  const ignore = join(directory, ".gitignore");
  if (!pathExists(ignore)) writeAtomically(ignore, "*\n", 0o600);
}

/** The ids of all sessions, oldest first. Folders of other names are not sessions. */
export function listSessionIds(root: string): string[] {
  refuseSymlinks(root, SESSIONS);
  refuseForeign(root, SESSIONS);
  const directory = join(root, SESSIONS);
  try {
    return [...Deno.readDirSync(directory)]
      .filter((entry) => entry.isDirectory && isSessionId(entry.name))
      .map((entry) => entry.name)
      .sort();
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw new SessionIo(SESSIONS, `cannot list: ${messageOf(error)}`, { cause: error });
  }
}

/**
 * The epochs of a session that have a log, in order. A baseline alone is an epoch that was never
 * begun: compaction was cut short, and the epoch before it goes on.
 *
 * @throws {SessionNotFound} when there is no such session
 */
export function listEpochs(root: string, id: string): number[] {
  const directory = sessionDirectory(id);
  refuseSymlinks(root, directory);
  for (const path of [SESSIONS, directory]) refuseForeign(root, path);
  const epochs: number[] = [];
  try {
    for (const entry of Deno.readDirSync(join(root, directory))) {
      const match = /^(0|[1-9]\d*)\.jsonl$/.exec(entry.name);
      if (match !== null) epochs.push(Number(match[1]));
    }
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) {
      throw new SessionIo(directory, `cannot list: ${messageOf(error)}`, { cause: error });
    }
    throw new SessionNotFound(`${directory}: there is no such session; see: m31a session list`);
  }
  if (epochs.length === 0) {
    throw new SessionNotFound(
      `${
        logPath(id, 0)
      }: the session has no log: it was killed while it was made, before anything was said. ` +
        `Remove it: m31a session rm ${id}`,
      3,
    );
  }
  return epochs.sort((a, b) => a - b);
}
