/**
 * What the project is called that a folder belongs to.
 * Rule: a folder below the root and a linked worktree are the same project as the repository itself.
 */
import { basename, dirname, resolve } from "@std/path";
import type { Environment } from "../platform/environment.ts";
import { NoGit } from "./errors.ts";
import { Git } from "./run.ts";

/**
 * The project's name: that of the folder which holds the repository, so that all its worktrees share
 * it; of a submodule, its own; outside a repository, the root's.
 */
export async function projectName(root: string, environment: Environment): Promise<string> {
  const given = await lineIfGit(new Git(root, environment), ["rev-parse", "--git-common-dir"]);
  if (given === undefined) return basename(root);
  const common = resolve(root, given);
  const holder = basename(common) === ".git" ? dirname(common) : common;
  return basename(holder).replace(/(?<=.)\.git$/, "");
}

async function lineIfGit(git: Git, args: readonly string[]): Promise<string | undefined> {
  try {
    return await git.readLineIfAny(args);
  } catch (error) {
    if (error instanceof NoGit) return undefined;
    throw error;
  }
}
