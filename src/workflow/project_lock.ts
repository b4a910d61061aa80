/**
 * One workflow a project at a time.
 * Rule: the lock is the operating system's, so a killed process frees it; the file says which session holds it.
 */
import { join } from "@std/path";
import { UsageError } from "../platform/errors.ts";
import {
  ensureDirectory,
  naming,
  pathExists,
  readTextIfExists,
  refuseSymlinks,
  writeAllSync,
} from "../platform/files.ts";
import { removeLeftTemporaries } from "../platform/left_temporaries.ts";
import { tryLock } from "../platform/lock.ts";
import { ensureSessionsDirectory, SESSIONS } from "../session/layout.ts";
import { PLANNING } from "./projection.ts";

/** In sessions/, which git ignores. */
const LOCK_FILE = join(SESSIONS, ".lock");

/** Another workflow is under way in this project. */
export class WorkflowInUse extends UsageError {
  constructor(session: string) {
    const holder = session === "" ? "another session" : `session ${session}`;
    super(
      `${LOCK_FILE}: ${holder} has a workflow under way in this project, and there can be one at a time; ` +
        "wait for it to end, or end it",
    );
  }
}

/** The project's workflow, held by one session until it is closed. */
export class ProjectLock {
  readonly #file: Deno.FsFile;

  private constructor(file: Deno.FsFile) {
    this.#file = file;
  }

  /**
   * Takes the lock for `session`, and clears away what a killed workflow left half-written in planning/.
   *
   * @throws {WorkflowInUse} naming the session that holds it
   * @throws {FileError} when the file cannot be written
   */
  static async take(root: string, session: string): Promise<ProjectLock> {
    refuseSymlinks(root, LOCK_FILE);
    ensureSessionsDirectory(root);
    const path = join(root, LOCK_FILE);
    const file = naming(LOCK_FILE, "open", () => {
      ensureDirectory(join(root, PLANNING));
      return Deno.openSync(path, { read: true, write: true, create: true, mode: 0o600 });
    });
    if (!await tryLock(file)) throw new WorkflowInUse((readTextIfExists(path) ?? "").trim());
    naming(LOCK_FILE, "write", () => {
      file.truncateSync(0);
      writeAllSync(file, new TextEncoder().encode(`${session}\n`));
    });
    const lock = new ProjectLock(file);
    try {
      await removeLeftTemporaries(join(root, PLANNING));
    } catch (error) {
      lock.release();
      throw error;
    }
    return lock;
  }

  /** As {@linkcode take}; undefined where there is no planning/, and so no workflow to keep out. */
  static async takeIfPlanned(root: string, session: string): Promise<ProjectLock | undefined> {
    refuseSymlinks(root, LOCK_FILE);
    if (!pathExists(join(root, PLANNING))) return undefined;
    return await ProjectLock.take(root, session);
  }

  /**
   * Finds out whether the project is free, before anything is begun for it.
   *
   * @throws {WorkflowInUse}
   */
  static async expectFree(root: string): Promise<void> {
    (await ProjectLock.take(root, "")).release();
  }

  /** Lets go. */
  release(): void {
    naming(LOCK_FILE, "empty", () => this.#file.truncateSync(0));
    this.#file.close();
  }
}
