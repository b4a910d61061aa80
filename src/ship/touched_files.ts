/**
 * The files that a session has touched since its last commit, as its log tells.
 * Rule: of each file, what was there before the first touch and what m31a left there last, where the log knows it.
 */
import type { z } from "zod";
import { keptFile, type SessionRecord } from "../session/records.ts";

type Kept = z.infer<typeof keptFile>;

/** Where the log says what a file held: a kept content, null for no file, or the tree of a checkpoint. */
export type KnownContent = { kept: Kept } | { checkpoint: string };

/** A file that the session has touched. */
export interface Touched {
  path: string;
  before: KnownContent;
  /** Undefined after an undo, which leaves what it says in no record. */
  after: KnownContent | undefined;
}

/** Whether a record tells that files are changed. */
export function changesFiles(record: SessionRecord): boolean {
  if (record.type === "intent") return record.changes.length > 0;
  return record.type === "tool_result" && entriesOf(record.facts?.["after"]).length > 0;
}

/** Follows a log. */
export class TouchedFiles {
  #files = new Map<string, Touched>();
  #committed = new Map<string, Touched>();

  /** In the order in which they were touched first. */
  get files(): readonly Touched[] {
    return [...this.#files.values()];
  }

  /** Begins anew: what was touched is committed. */
  commit(): void {
    this.#committed = this.#files;
    this.#files = new Map();
  }

  /** The last commit was taken back: what it held is touched again, or still. */
  takeBackCommit(): void {
    const later = this.#files;
    this.#files = this.#committed;
    this.#committed = new Map();
    for (const { path, before, after } of later.values()) this.#touch(path, before, after);
  }

  apply(record: SessionRecord): void {
    if (record.type === "intent") return this.#intend(record.changes);
    if (record.type === "tool_result") return this.#change(record.facts ?? {});
    if (record.type !== "checkpoint") return;
    const isTask = record.kind === "task";
    for (const path of record.files) {
      const checkpoint = { checkpoint: record.commit };
      this.#touch(path, checkpoint, isTask ? checkpoint : undefined);
    }
  }

  #intend(changes: Extract<SessionRecord, { type: "intent" }>["changes"]): void {
    for (const { path, renamedFrom, before, after } of changes) {
      if (renamedFrom !== undefined) this.#touch(renamedFrom, { kept: before }, { kept: null });
      this.#touch(path, { kept: renamedFrom === undefined ? before : null }, { kept: after });
    }
  }

  #change(facts: { [name: string]: unknown }): void {
    const after = entriesOf(facts["after"]);
    const before = new Map(entriesOf(facts["before"]));
    for (const [path, kept] of after) {
      this.#touch(path, { kept: before.get(path) ?? null }, { kept });
    }
  }

  #touch(path: string, before: KnownContent, after: KnownContent | undefined): void {
    const first = this.#files.get(path);
    this.#files.set(path, { path, before: first?.before ?? before, after });
  }
}

function entriesOf(value: unknown): [string, Kept][] {
  if (value === null || typeof value !== "object") return [];
  return Object.entries(value).flatMap(([path, entry]): [string, Kept][] => {
    const kept = keptFile.safeParse(entry);
    return kept.success ? [[path, kept.data]] : [];
  });
}
