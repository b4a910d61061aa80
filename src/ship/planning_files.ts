/**
 * The files of planning/ that go along with a commit, where `[ship] planning_files` says so.
 * Rule: what git ignores stays out, and so does what is there for the moment only.
 */
import { type GitPath, gitPath, splitNul } from "../git/path.ts";
import type { Git } from "../git/run.ts";

/** A file that is being written, or the lock of versions that had it there. */
const MOMENTARY = /^planning\/(\.lock|.*\.tmp|(.*\/)?\.[0-9a-f-]{36}\.tmp)$/;

/** Lists them: those that git knows, and new ones. */
export async function planningFiles(git: Git): Promise<GitPath[]> {
  const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", "planning"];
  const paths = splitNul(await git.read(args)).fields.map((name) => gitPath(name));
  return paths.filter(({ text }) => !MOMENTARY.test(text));
}

/** Whether git neither tracks anything of planning/ nor ignores it: nobody has said what is to become of it. */
export async function isPlanningUndecided(git: Git): Promise<boolean> {
  const list = (...which: string[]) => git.read(["ls-files", "-z", ...which, "--", "planning"]);
  if ((await list("--cached")).byteLength > 0) return false;
  return (await list("--others", "--exclude-standard")).byteLength > 0;
}
