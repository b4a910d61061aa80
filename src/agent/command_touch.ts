/**
 * Which files a command has touched, so that they can be kept, shipped and taken back like any other change.
 * Rule: what git ignores and what tools keep for themselves is nobody's change; without git nothing is told.
 */
import { keepTreeFiles } from "../git/blob.ts";
import { type DirtySnapshot, listDirty, snapshotDirty, touchedBetween } from "../git/dirty.ts";
import { NotARepository } from "../git/errors.ts";
import type { Git } from "../git/run.ts";
import type { TouchedFile } from "../session/outcome.ts";
import { isPrivatePath } from "./paths.ts";

/** In a tree with more changed files than this it is not looked for: it would take longer than the command. */
const MAX_DIRTY_FILES = 2000;

/** Folders and files that builds and tests leave behind where nobody has told git to ignore them. */
const LEFT_BEHIND =
  /(?:^|\/)(?:__pycache__|node_modules|target|coverage|\.(?:pytest|mypy|ruff)_cache|\.DS_Store|\.coverage)(?:\/|$)|\.py[co]$/;

/** Watches the tree while a command runs. */
export class CommandTouch {
  readonly #git: Git;
  readonly #before: DirtySnapshot | undefined;

  private constructor(git: Git, before: DirtySnapshot | undefined) {
    this.#git = git;
    this.#before = before;
  }

  /** To be called before the command. Contents that are not committed yet are kept in git's object store. */
  static async begin(git: Git): Promise<CommandTouch> {
    return new CommandTouch(git, await snapshot(git));
  }

  /** To be called after it; nothing when it has touched nothing, or that cannot be told. */
  async end(): Promise<TouchedFile[]> {
    const before = this.#before;
    const after = before === undefined ? undefined : await snapshot(this.#git);
    if (before === undefined || after === undefined) return [];
    const touched = (await touchedBetween(this.#git, before, after)).filter(({ path, before }) =>
      !isPrivatePath(path) && !path.startsWith("planning/") &&
      (before !== null || !LEFT_BEHIND.test(path))
    );
    const now = await keepTreeFiles(this.#git, touched.map(({ path }) => path));
    return touched.map(({ path, before }) => ({ path, before, after: now.get(path) ?? null }));
  }
}

async function snapshot(git: Git): Promise<DirtySnapshot | undefined> {
  try {
    if ((await listDirty(git)).length > MAX_DIRTY_FILES) return undefined;
    return await snapshotDirty(git);
  } catch (error) {
    if (error instanceof NotARepository) return undefined;
    throw error;
  }
}
