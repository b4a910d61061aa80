/**
 * Compares what the log says that files held with what they hold now, and with what is committed.
 * Rule: many files in few processes; git's filters (line ends) are asked only where the plain contents differ.
 */
import { isSameKept, type KeptFile, readTreeFiles } from "../../git/blob.ts";
import { committed } from "../../git/committed.ts";
import { readTree } from "../../git/tree.ts";
import type { Git } from "../../git/run.ts";
import type { KnownContent, Touched } from "../touched_files.ts";

/** The trees that have been read. */
class Trees {
  readonly #git: Git;
  readonly #trees = new Map<string, Promise<Map<string, KeptFile>>>();

  constructor(git: Git) {
    this.#git = git;
  }

  /** What `commit` has at `path`, as git stores it. */
  async at(commit: string, path: string): Promise<KeptFile | null> {
    const tree = this.#trees.get(commit) ?? readTree(this.#git, commit);
    this.#trees.set(commit, tree);
    return (await tree).get(path) ?? null;
  }

  /** What the log says that a file held; `side` is which side of a checkpoint. */
  async contentOf(known: KnownContent, path: string, side: "^" | ""): Promise<KeptFile | null> {
    return "kept" in known ? known.kept : await this.at(`${known.checkpoint}${side}`, path);
  }
}

/**
 * The files that held something before the session touched them that no commit has: neither the one
 * that the session began at nor the last.
 *
 * @param bases commits, the likelier first
 */
export async function dirtyBefore(
  git: Git,
  touched: readonly Touched[],
  bases: readonly string[],
): Promise<string[]> {
  const trees = new Trees(git);
  const dirty: string[] = [];
  for (const { path, before } of touched) {
    if ("kept" in before && before.kept?.committed === true) continue;
    const kept = await trees.contentOf(before, path, "^");
    if (!await isCommitted(git, trees, path, kept, bases)) dirty.push(path);
  }
  return dirty;
}

async function isCommitted(
  git: Git,
  trees: Trees,
  path: string,
  kept: KeptFile | null,
  bases: readonly string[],
): Promise<boolean> {
  // What was not there is nobody's change; that a committed file was missing is one.
  if (bases.length === 0) return kept === null;
  for (const base of bases) if (isSameKept(await trees.at(base, path), kept)) return true;
  if (kept === null) return false;
  return isSameKept(await committed(git, path), kept);
}

/** The files that are not as the session left them. */
export async function changedSince(git: Git, touched: readonly Touched[]): Promise<string[]> {
  const trees = new Trees(git);
  const now = await readTreeFiles(git, touched.map(({ path }) => path));
  const changed: string[] = [];
  for (const { path, after } of touched) {
    const left = await trees.contentOf(after, path, "");
    if (!isSameKept(left, now.get(path) ?? null)) changed.push(path);
  }
  return changed;
}
