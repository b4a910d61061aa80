/**
 * Files that git itself starts at a commit, and that this session has changed: hooks, what they name, filters.
 * Rule: what is other than when the session began was changed by it, be it ignored by git or not.
 */
import type { AddedLine } from "../../git/added_lines.ts";
import { startedNow } from "../../git/guard.ts";
import type { Git } from "../../git/run.ts";
import { changedSince, type StartedFiles } from "../../git/started_files.ts";

/**
 * Which files git would start, or what it starts would read for what to do.
 *
 * @param session what it began with, undefined where an earlier version began it and what it has touched counts; and the
 *   lines that it has added
 */
export async function changedHooks(git: Git, { before, touched, added }: {
  before: StartedFiles | undefined;
  touched: readonly string[];
  added: readonly AddedLine[];
}): Promise<StartedFiles> {
  const now = await startedNow(git);
  const started = before === undefined
    ? touched.filter((path) => now[path] !== undefined)
    : changedSince(before, now);
  const attributes = await filtersAnew(git, touched, added);
  const paths = [...started, ...attributes].toSorted();
  return Object.fromEntries(paths.map((path) => [path, now[path] ?? ""]));
}

/** The .gitattributes by which the session has given files a filter, where there is one. */
async function filtersAnew(
  git: Git,
  touched: readonly string[],
  added: readonly AddedLine[],
): Promise<string[]> {
  const isAttributes = (path: string) => /(?:^|\/)\.gitattributes$/.test(path);
  if (!added.some(({ path, text }) => isAttributes(path.text) && /\bfilter=/.test(text))) return [];
  const args = ["config", "--get-regexp", "^filter\\..*\\.(clean|process)$"];
  const filters = await git.readLineIfAny(args, { startsNothing: true });
  return filters === undefined ? [] : touched.filter(isAttributes);
}
