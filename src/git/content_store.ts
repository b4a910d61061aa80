/**
 * Contents that are kept beside the repository: an object folder of their own.
 * Rule: written there, read from there and from the repository; what a ref of the repository is to hold is copied into it first.
 */
import { join } from "@std/path";
import { ensurePrivateDirectory } from "../platform/files.ts";
import { quoteName } from "./quote.ts";
import type { Git } from "./run.ts";

/** See the head of this file. */
export class ContentStore {
  /** git as it writes objects into the folder. Not for what changes refs or an index. */
  readonly git: Git;
  readonly #repository: Git;
  readonly #objects: string;

  private constructor(git: Git, repository: Git, objects: string) {
    this.git = git;
    this.#repository = repository;
    this.#objects = objects;
  }

  /**
   * Opens the store in `folder`, an absolute path that only m31a writes to.
   *
   * @throws {NotARepository} {@linkcode NoGit}
   */
  static async open(git: Git, folder: string): Promise<ContentStore> {
    const args = ["rev-parse", "--path-format=absolute", "--git-path", "objects"];
    const objects = (await git.readText(args, { startsNothing: true })).trimEnd();
    const own = join(folder, "objects");
    ensurePrivateDirectory(own);
    const variables = {
      GIT_OBJECT_DIRECTORY: own,
      GIT_ALTERNATE_OBJECT_DIRECTORIES: quoteName(objects),
      // Whatever the umask is, what is kept is the user's alone.
      GIT_CONFIG_COUNT: "1",
      GIT_CONFIG_KEY_0: "core.sharedRepository",
      GIT_CONFIG_VALUE_0: "0600",
    };
    return new ContentStore(git.withVariables(variables), git, objects);
  }

  /** Gives the repository those of the blobs `ids` that it does not have. */
  async copyToRepository(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    const stdin = new TextEncoder().encode(ids.map((id) => `${id}\n`).join(""));
    const found = await this.#repository.readText(["cat-file", "--batch-check"], { stdin });
    const missing = found.split("\n").flatMap((line) => /^(\w+) missing$/.exec(line)?.[1] ?? []);
    if (missing.length === 0) return;
    // An alias is git's way to run two commands with a pipe between them.
    await this.git.write(["-c", `alias.copy-objects=!${COPY}`, "copy-objects", this.#objects], {
      stdin: new TextEncoder().encode(missing.map((id) => `${id}\n`).join("")),
    });
  }
}

const COPY = 'copy() { git pack-objects -q --stdout | GIT_OBJECT_DIRECTORY="$1" ' +
  "GIT_ALTERNATE_OBJECT_DIRECTORIES= git unpack-objects -q; }; copy";
