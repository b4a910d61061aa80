/**
 * What is known of a repository's commits: read once, kept in planning/.cache, extended by what is new.
 * Rule: derived and thrown away at the first doubt; reading is bounded in time and number, and what is left
 * out is told.
 */
import { join } from "@std/path";
import { refuseSymlinks } from "../../platform/files.ts";
import { keepInCache } from "../cache_folder.ts";
import {
  type CommitNote,
  CommitWorks,
  keptCommit,
  noteOf,
  type PastCommit,
  Renames,
} from "./commits.ts";
import { indexFromBytes, indexToBytes, NO_PAST, worksFromIndex } from "./index_file.ts";
import { indexPast, type PastIndex } from "./past_index.ts";

/** Where commits come from. */
export interface CommitSource {
  /** The id of the newest commit; `undefined` where there is none. */
  head(): Promise<string | undefined>;
  /** Hands commits to `take`, newest first; throws when it does not know a commit of the request. */
  read(request: CommitRequest, take: (commit: PastCommit) => void): Promise<CommitReading>;
}

/** Which commits to read: those that `head` descends from and the `known` ones do not, but for the newest `skip`. */
export interface CommitRequest {
  head: string;
  known: readonly string[];
  skip: number;
  limit: number;
  timeoutMs: number;
}

/** How many were read, and whether that was all of them. */
export interface CommitReading {
  read: number;
  isComplete: boolean;
}

/** The commits, ready to be ranked. */
export interface KnownCommits {
  /** Oldest part first. */
  segments: readonly PastIndex[];
  note(segment: number, work: number): CommitNote;
  /** How a file that was renamed since is called now. */
  nameNow(path: string): string;
  count: number;
  /** What older commits are not looked at for; `undefined` when all are. */
  leftOut: "time" | "number" | undefined;
}

/** How much of a history is looked at, and for how long. */
export interface HistoryBounds {
  /** Older commits than so many are left out. */
  commits: number;
  /** For so long is read at a time, in milliseconds; the next question goes on from there. */
  readMs: number;
  /** So many new commits are kept beside the index before it is built again. */
  beside: number;
}

/** The bounds in use. */
export const HISTORY_BOUNDS: HistoryBounds = { commits: 100_000, readMs: 1_500, beside: 1_000 };

/** The index, and what has come since. */
const INDEX_PATH = "planning/.cache/commits";
const STATE_PATH = "planning/.cache/commits.json";
const STATE_FORMAT = 1;
/** So many of the commits that were checked out at a reading are remembered, for branches that come and go. */
const REMEMBERED_HEADS = 20;

interface State {
  format: number;
  /** Names the index that belongs to it. */
  index: string;
  /** Newest first; what they descend from is known. */
  heads: string[];
  /** The reading that the index goes back to: where it began, and how far it got. */
  base: { head: string; read: number; isComplete: boolean };
  /** What files of commits older than the index are called now. */
  renames: [string, string][];
  /** Newer than the index, newest first. */
  commits: PastCommit[];
}

interface Kept {
  state: State;
  index: PastIndex;
}

/** Nothing is known. */
export const NO_COMMITS: KnownCommits = {
  segments: [],
  note: () => ({ id: "", subject: "", isReverted: false }),
  nameNow: (path) => path,
  count: 0,
  leftOut: undefined,
};

/**
 * Reads what is new since the last call, keeps it, and gives all that is known.
 *
 * @param root the project's folder
 */
export async function knownCommits(
  root: string,
  source: CommitSource,
  bounds: HistoryBounds = HISTORY_BOUNDS,
): Promise<KnownCommits> {
  const head = await source.head();
  if (head === undefined) return NO_COMMITS;
  const before = load(root);
  const extended = before === undefined ? undefined : await extend(before, head, source, bounds);
  const kept = extended ?? await readAnew(head, source, bounds);
  if (kept.index !== before?.index) {
    keepInCache(root, INDEX_PATH, indexToBytes(kept.index, kept.state.index));
  }
  if (kept.state !== before?.state) {
    keepInCache(root, STATE_PATH, JSON.stringify(kept.state));
  }
  return ready(kept, bounds);
}

async function readAnew(head: string, source: CommitSource, bounds: HistoryBounds): Promise<Kept> {
  const works = new CommitWorks();
  const request = { head, known: [], skip: 0, limit: bounds.commits, timeoutMs: bounds.readMs };
  const base = await source.read(request, (commit) => works.add(keptCommit(commit)));
  return {
    index: indexPast(works.oldestFirst()),
    state: {
      format: STATE_FORMAT,
      index: crypto.randomUUID(),
      heads: [head],
      base: { head, ...base },
      renames: works.renames.names,
      commits: [],
    },
  };
}

/** Adds what is newer, and what an earlier reading had no time for. `undefined`: all is to be read anew. */
async function extend(
  kept: Kept,
  head: string,
  source: CommitSource,
  bounds: HistoryBounds,
): Promise<Kept | undefined> {
  const { index } = kept;
  let { state } = kept;
  const timeoutMs = bounds.readMs;
  try {
    if (state.heads[0] !== head) {
      const newer: PastCommit[] = [];
      const known = [...state.heads, state.base.head];
      const request = { head, known, skip: 0, limit: bounds.commits, timeoutMs };
      const { isComplete } = await source.read(request, (commit) => newer.push(keptCommit(commit)));
      if (!isComplete) return undefined;
      const heads = [head, ...state.heads.filter((known) => known !== head)];
      const commits = [...newer, ...state.commits];
      state = { ...state, heads: heads.slice(0, REMEMBERED_HEADS), commits };
    }
    const older: PastCommit[] = [];
    const { base } = state;
    const limit = bounds.commits - base.read;
    if (!base.isComplete && limit > 0) {
      const request = { head: base.head, known: [], skip: base.read, limit, timeoutMs };
      const { read, isComplete } = await source.read(
        request,
        (commit) => older.push(keptCommit(commit)),
      );
      state = { ...state, base: { head: base.head, read: base.read + read, isComplete } };
    }
    if (older.length === 0 && state.commits.length <= bounds.beside) return { index, state };
    return rebuilt(index, state, older, bounds);
  } catch {
    // A commit that was known is gone from the repository, or git does not answer: without what was kept,
    // then, and reading anew says what is wrong.
    return undefined;
  }
}

function rebuilt(
  index: PastIndex,
  state: State,
  older: readonly PastCommit[],
  bounds: HistoryBounds,
): Kept {
  const works = new CommitWorks();
  for (const commit of state.commits) works.add(commit);
  for (const work of worksFromIndex(index, (payload) => noteOf(payload).subject).reverse()) {
    works.addKnown(work);
  }
  works.renames.add(state.renames.map(([from, to]) => ({ from, to })));
  for (const commit of older) works.add(commit);
  return {
    index: indexPast(works.oldestFirst().slice(-bounds.commits)),
    state: {
      ...state,
      index: crypto.randomUUID(),
      renames: works.renames.names,
      commits: [],
    },
  };
}

function ready({ index, state }: Kept, bounds: HistoryBounds): KnownCommits {
  const newer = new CommitWorks(new Renames());
  for (const commit of state.commits) newer.add(commit);
  const segments = [index, state.commits.length === 0 ? NO_PAST : indexPast(newer.oldestFirst())];
  const count = segments.reduce((sum, { size }) => sum + size, 0);
  return {
    segments,
    note(segment, work) {
      const note = noteOf(segments[segment]?.payload(work) ?? "");
      const isReverted = note.isReverted || (segment === 0 && newer.reverts.has(note.subject));
      return { ...note, isReverted };
    },
    nameNow: (path) => newer.renames.nameNow(path),
    count,
    leftOut: !state.base.isComplete ? "time" : count >= bounds.commits ? "number" : undefined,
  };
}

function load(root: string): Kept | undefined {
  try {
    for (const path of [STATE_PATH, INDEX_PATH]) refuseSymlinks(root, path);
    const state: State = JSON.parse(Deno.readTextFileSync(join(root, STATE_PATH)));
    if (state.format !== STATE_FORMAT) return undefined;
    const index = indexFromBytes(Deno.readFileSync(join(root, INDEX_PATH)), state.index);
    return index === undefined ? undefined : { state, index };
  } catch {
    // Missing, cut off, of another shape: all the same, the history is read anew.
    return undefined;
  }
}
