/**
 * The commits of a repository as past work: what is kept of each, and which were taken back.
 * Rule: pure; a commit is told to be reverted only by a later commit that says so of its subject.
 */
import type { PastWork } from "./past_index.ts";

/** A commit that is no merge. */
export interface PastCommit {
  id: string;
  /** When it was committed, in seconds since 1970. */
  seconds: number;
  subject: string;
  files: readonly string[];
  renames: readonly { from: string; to: string }[];
}

/** What an index keeps of a commit besides its files. */
export interface CommitNote {
  id: string;
  subject: string;
  isReverted: boolean;
}

/** A commit that touches more files than this is a sweep, and tells nothing about any of them. */
export const MAX_COMMIT_FILES = 30;

/** More of a subject is not kept, in characters. */
export const MAX_SUBJECT = 500;

/** git's own words for a revert, behind which a forge may have put the number of a request. */
const REVERT = /^Revert "(.+)"(?: \(#\d+\))?$/;
const REAPPLY = /^Reapply "(.+)"(?: \(#\d+\))?$/;

/** The subject that a commit takes back; `undefined` when it takes nothing back. */
function revertedSubject(subject: string): string | undefined {
  const reapplied = REAPPLY.exec(subject)?.[1];
  if (reapplied !== undefined) return `Revert "${reapplied}"`;
  return REVERT.exec(subject)?.[1];
}

/** Follows commits from the newest to the oldest, and knows which of the older ones were taken back. */
class Reverts {
  readonly #open = new Map<string, number>();

  /** Whether `subject` was taken back by a commit before (a newer one); takes note of what it takes back itself. */
  pass(subject: string): boolean {
    const count = this.#open.get(subject) ?? 0;
    const isReverted = count > 0;
    if (isReverted) this.#open.set(subject, count - 1);
    const reverted = isReverted ? undefined : revertedSubject(subject);
    if (reverted !== undefined) this.#open.set(reverted, (this.#open.get(reverted) ?? 0) + 1);
    return isReverted;
  }

  /** Whether a commit that was passed takes back this older one. */
  has(subject: string): boolean {
    return (this.#open.get(subject) ?? 0) > 0;
  }
}

/** Follows renames from the newest commit to the oldest: how a file of an older one is called now. */
export class Renames {
  readonly #names: Map<string, string>;

  /** @param names what {@linkcode Renames.names} gave, to go on from there */
  constructor(names: readonly (readonly [string, string])[] = []) {
    this.#names = new Map(names);
  }

  /** Each old name with the newest one. */
  get names(): [string, string][] {
    return [...this.#names];
  }

  add(renames: PastCommit["renames"]): void {
    // The newest rename of a name counts, and leads to what the new name is called by now.
    const resolved = renames.map(({ from, to }) => [from, this.nameNow(to)] as const);
    for (const [from, to] of resolved) if (!this.#names.has(from)) this.#names.set(from, to);
  }

  nameNow(path: string): string {
    return this.#names.get(path) ?? path;
  }
}

/** Adds commits and known work, the newest first, and gives past work, the oldest first. */
export class CommitWorks {
  readonly reverts = new Reverts();
  readonly renames: Renames;
  readonly #works: PastWork[] = [];

  constructor(renames: Renames = new Renames()) {
    this.renames = renames;
  }

  add({ id, seconds, subject, files, renames }: PastCommit): void {
    const note: CommitNote = { id, subject, isReverted: this.reverts.pass(subject) };
    const names = files.map((path) => this.renames.nameNow(path));
    this.renames.add(renames);
    this.#works.push({ payload: JSON.stringify(note), seconds, goal: subject, files: names });
  }

  /** Adds what an index has kept of an older commit. */
  addKnown(work: PastWork): void {
    const note = noteOf(work.payload);
    const isReverted = this.reverts.pass(note.subject) || note.isReverted;
    const files = work.files.map((path) => this.renames.nameNow(path));
    this.#works.push({ ...work, files, payload: JSON.stringify({ ...note, isReverted }) });
  }

  oldestFirst(): PastWork[] {
    return this.#works.toReversed();
  }
}

/** What an index has kept of a commit. */
export function noteOf(payload: string): CommitNote {
  return JSON.parse(payload);
}

/** What is kept of a commit: a sweep without its files, a subject not longer than {@linkcode MAX_SUBJECT}. */
export function keptCommit(commit: PastCommit): PastCommit {
  return {
    ...commit,
    subject: commit.subject.slice(0, MAX_SUBJECT).toWellFormed(),
    files: commit.files.length > MAX_COMMIT_FILES ? [] : commit.files,
  };
}
