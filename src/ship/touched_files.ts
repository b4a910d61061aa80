/**
 * The files that a session has touched since its last commit, as its log tells.
 * Rule: of each file, what was there before the first touch and what m31a left there last; a file whose touches were
 * all taken back is not touched.
 */
import { isSameKept } from "../git/blob.ts";
import { type FileState, touchedBy, type TouchedFile } from "../session/outcome.ts";
import { isTakingBack, ownTouches, type SessionRecord } from "../session/records.ts";

/** Where the log says what a file held: a kept content, null for no file, or the tree of a checkpoint. */
export type KnownContent = { kept: FileState } | { checkpoint: string };

/** A file that the session has touched. */
export interface Touched {
  path: string;
  before: KnownContent;
  after: KnownContent;
}

/** With the number of the record in which it was touched first. */
interface TouchedSince extends Touched {
  since: number;
}

/** Whether a record tells that files are changed. */
export function changesFiles(record: SessionRecord): boolean {
  if (record.type === "intent") return record.changes.length > 0;
  if (record.type === "checkpoint") return isTakingBack(record) && record.files.length > 0;
  if (record.type === "check") return ownTouches(record).length > 0;
  if (record.type === "candidate") return record.status === "begun";
  return record.type === "tool_result" && touchedBy(record.outcome).length > 0;
}

/** Follows a log. */
export class TouchedFiles {
  #files = new Map<string, TouchedSince>();
  #committed = new Map<string, TouchedSince>();
  /** How many records there were. */
  #position = 0;
  /** At which record each checkpoint was made; 0 is the state before the first. */
  readonly #checkpoints = new Map<number, number>([[0, 0]]);
  /** At which records commits were made that were not taken back. */
  readonly #commits: number[] = [];

  /** In the order in which they were touched first. */
  get files(): readonly Touched[] {
    return [...this.#files.values()];
  }

  /** The number of the newest checkpoint; 0 for none. */
  get lastCheckpoint(): number {
    return Math.max(...this.#checkpoints.keys());
  }

  /** Begins anew: what was touched is committed. */
  commit(): void {
    this.#committed = this.#files;
    this.#files = new Map();
    this.#commits.push(this.#position);
  }

  /** The last commit was taken back: what it held is touched again, or still. */
  takeBackCommit(): void {
    const later = this.#files;
    this.#files = this.#committed;
    this.#committed = new Map();
    this.#commits.pop();
    for (const { path, before, after } of later.values()) this.#touch(path, before, after);
  }

  apply(record: SessionRecord): void {
    this.#position += 1;
    if (record.type === "intent") return this.#intend(record.changes);
    if (record.type === "tool_result") return this.#change(touchedBy(record.outcome));
    if (record.type === "check") return this.#change(ownTouches(record));
    if (record.type === "candidate") return this.#try(record);
    if (record.type !== "checkpoint") return;
    this.#checkpoints.set(record.number, this.#position);
    const back = this.#backTo(record.to);
    for (const path of record.files) {
      const checkpoint = { checkpoint: record.commit };
      const since = this.#files.get(path)?.since ?? 0;
      if (since > back) this.#files.delete(path);
      if (since <= back) this.#touch(path, checkpoint, checkpoint);
    }
  }

  /** How far an undo leads back, if it does not lead behind a commit: then the file is not as committed. */
  #backTo(to: number | undefined): number {
    const position = to === undefined ? undefined : this.#checkpoints.get(to);
    if (position === undefined || position < (this.#commits.at(-1) ?? 0)) return Infinity;
    return position;
  }

  #intend(changes: Extract<SessionRecord, { type: "intent" }>["changes"]): void {
    for (const { path, renamedFrom, before, after } of changes) {
      if (renamedFrom !== undefined) this.#touch(renamedFrom, { kept: before }, { kept: null });
      this.#touch(path, { kept: renamedFrom === undefined ? before : null }, { kept: after });
    }
  }

  /** A candidate that was undone leaves its file as it was. */
  #try({ status, path, before, after }: Extract<SessionRecord, { type: "candidate" }>): void {
    if (status !== "undone") return this.#touch(path, { kept: before }, { kept: after });
    const first = this.#files.get(path)?.before;
    const isFirst = first !== undefined && "kept" in first && isSameKept(first.kept, before);
    if (isFirst) this.#files.delete(path);
    else this.#touch(path, { kept: before }, { kept: before });
  }

  #change(touched: readonly TouchedFile[]): void {
    for (const { path, before, after } of touched) {
      this.#touch(path, { kept: before }, { kept: after });
    }
  }

  #touch(path: string, before: KnownContent, after: KnownContent): void {
    const first = this.#files.get(path) ?? { before, since: this.#position };
    this.#files.set(path, { path, before: first.before, since: first.since, after });
  }
}
