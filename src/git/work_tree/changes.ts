/**
 * Which files are not the same in two trees, and which of their contents can be had again.
 * Rule: a file of which it cannot be told what it was is named, and in no list of changes.
 */
import type { GitPath } from "../path.ts";
import { classify } from "./classify.ts";
import { type ChangedFile, contentsOf, type SideOfChange } from "./contents.ts";
import { ignoredByThen } from "./ignored_then.ts";
import { type ByteName, type IndexEntry, pathOf } from "./index_file.ts";
import type { OwnFiles, RawIds } from "./own_files.ts";
import { addFiles } from "./read_files.ts";
import type { TakenTree } from "./work_tree.ts";

/** What lies between two trees. */
export interface TreeChanges {
  files: ChangedFile[];
  /** What cannot be told, and why. */
  unknown: { path: GitPath; why: string }[];
}

/** See {@linkcode WorkTree.changesBetween}. */
export async function changesBetween(
  own: OwnFiles,
  keepBytes: number,
  before: TakenTree,
  after: TakenTree,
  signal?: AbortSignal,
): Promise<TreeChanges> {
  const unknown = new Map([...before.unknown, ...after.unknown]);
  const now = await withIgnoredSince(own, keepBytes, before, after, unknown, signal);
  const differing = namesThatDiffer(before, now).filter((name) => !isBelow(unknown, name));
  const changesRules = differing.some((name) => /(?:^|\/)\.gitignore$/.test(name));
  const made = differing.filter((name) => !before.entries.has(name));
  const ignored = changesRules ? await ignoredByThen(own, before, made) : new Set();
  const sides: SideOfChange[] = [];
  for (const name of differing) {
    const [was, is] = [before.entries.get(name), now.entries.get(name)];
    if (was?.mode === SUBMODULE || is?.mode === SUBMODULE) {
      unknown.set(name, "is a submodule, at another commit");
    } else if (ignored.has(name)) {
      unknown.set(name, "was ignored by git before");
    } else sides.push({ name, before: was, after: is });
  }
  return {
    files: await contentsOf(own, keepBytes, sides, before.rawIds, now.rawIds),
    unknown: [...unknown].map(([name, why]) => ({ path: pathOf(name), why })),
  };
}

const SUBMODULE = "160000";

/** The tree's files now, with those that are not in it any more only because git ignores them by now. */
async function withIgnoredSince(
  own: OwnFiles,
  keepBytes: number,
  before: TakenTree,
  after: TakenTree,
  unknown: Map<ByteName, string>,
  signal: AbortSignal | undefined,
): Promise<Pick<TakenTree, "entries" | "rawIds">> {
  const missing = [...before.entries.keys()].filter((name) => !after.entries.has(name));
  const kinds = await classify(own.git, missing);
  const there = missing.filter((name) => {
    const kind = kinds.get(name)?.kind;
    return (kind === "file" || kind === "link") && !isBelow(unknown, name);
  });
  if (there.length === 0) return after;
  const rawIds: RawIds = new Map(after.rawIds);
  return await own.withEmptyIndex(async (index) => {
    const reading = { own, index, keepBytes, rawIds, unknown };
    await addFiles({ ...reading, ...(signal === undefined ? {} : { signal }) }, there, kinds);
    return { entries: new Map([...after.entries, ...own.entriesOf(index)]), rawIds };
  });
}

function namesThatDiffer(
  before: Pick<TakenTree, "entries" | "rawIds">,
  after: Pick<TakenTree, "entries" | "rawIds">,
): ByteName[] {
  const differing: ByteName[] = [];
  let gone = 0;
  for (const [name, was] of before.entries) {
    const is = after.entries.get(name);
    if (is === undefined) gone += 1;
    if (is === undefined || !isSame(name, was, is, before.rawIds, after.rawIds)) {
      differing.push(name);
    }
  }
  if (after.entries.size === before.entries.size - gone) return differing;
  for (const name of after.entries.keys()) if (!before.entries.has(name)) differing.push(name);
  return differing;
}

function isSame(
  name: ByteName,
  was: IndexEntry,
  is: IndexEntry,
  rawBefore: Readonly<RawIds>,
  rawAfter: Readonly<RawIds>,
): boolean {
  if (was === is) return true;
  if (!was.isLike(is)) return false;
  const [rawWas, rawIs] = [rawBefore.get(name)?.[1], rawAfter.get(name)?.[1]];
  // Where git alone has compared a file with what it stores, the size tells whether a filter had its hand in it.
  return rawWas === rawIs ||
    (rawWas === undefined || rawIs === undefined) && was.sizeBytes === is.sizeBytes;
}

function isBelow(unknown: ReadonlyMap<ByteName, string>, name: ByteName): boolean {
  if (unknown.size === 0) return false;
  for (let end = name.length; end > 0; end = name.lastIndexOf("/", end - 1)) {
    if (unknown.has(name.slice(0, end))) return true;
  }
  return false;
}
