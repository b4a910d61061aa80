/**
 * What the tab key offers in a chat: commands after a slash, the project's files after an @.
 * Rule: the files are asked for once a chat, when they are first needed.
 */
import { Git } from "../../../git/run.ts";
import { GitError, NoGit } from "../../../git/errors.ts";
import type { Environment } from "../../../platform/environment.ts";
import type { Completion } from "../completion.ts";
import { completeSlash } from "../../../app/slash_commands.ts";

/** How many files are offered at the most. */
const MAX_FILES = 200;

/** Completes lines of a chat. */
export class ChatCompleter {
  readonly #git: Git;
  #files: Promise<string[]> | undefined;

  constructor(root: string, environment: Environment) {
    this.#git = new Git(root, environment);
  }

  async complete(text: string, cursor: number): Promise<Completion> {
    const before = text.slice(0, cursor);
    if (/^\/[a-z]*$/.test(before)) return { start: 0, candidates: completeSlash(before) };
    const at = /(?:^|\s)@(\S*)$/.exec(before);
    if (at === null) return { start: cursor, candidates: [] };
    const typed = at[1] ?? "";
    this.#files ??= this.#list();
    const files = (await this.#files).filter((file) => file.startsWith(typed));
    return { start: cursor - typed.length, candidates: files.slice(0, MAX_FILES) };
  }

  async #list(): Promise<string[]> {
    try {
      const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
      return (await this.#git.readText(args)).split("\0").filter((name) => name !== "");
    } catch (error) {
      if (error instanceof GitError || error instanceof NoGit) return [];
      throw error;
    }
  }
}
