/**
 * Appending to a log: encoded, written whole, synced, and only then said to be there.
 * Rule: after a write that failed nothing more is written; the next open decides what is on disk.
 */
import { join } from "@std/path";
import type { Clock } from "../platform/clock.ts";
import { messageOf } from "../platform/errors.ts";
import { naming, writeAllSync } from "../platform/files.ts";
import { SessionIo } from "./errors.ts";
import { type ChainPosition, encodeRecord, positionAfter } from "./line.ts";
import type { RecordDraft, SessionRecord } from "./records.ts";

const encoder = new TextEncoder();

/** Writes at the end of one log, whose open file (opened to append) it owns. */
export class LogWriter {
  /** The server's slot for the prompt cache, as the first record says. */
  readonly slot: number | null;
  readonly #root: string;
  readonly #file: Deno.FsFile;
  readonly #opened: Deno.FileInfo;
  #path: string;
  readonly #clock: Clock;
  #position: ChainPosition;
  #sizeBytes: number;
  #failure: SessionIo | undefined;

  /**
   * @param root the project's root
   * @param path the log, relative to `root`: what errors name
   * @param end where the next record goes, what the file holds now, the slot of the epoch
   */
  constructor(
    root: string,
    path: string,
    file: Deno.FsFile,
    end: { position: ChainPosition; sizeBytes: number; slot: number | null },
    clock: Clock,
  ) {
    this.slot = end.slot;
    this.#root = root;
    this.#path = path;
    this.#file = file;
    this.#opened = file.statSync();
    this.#position = end.position;
    this.#sizeBytes = end.sizeBytes;
    this.#clock = clock;
  }

  /** The sequence number of the last record; 0 before the first. */
  get lastSeq(): number {
    return this.#position.seq - 1;
  }

  /** The format of the last record. */
  get format(): number {
    return this.#position.format;
  }

  /** Gives the log its name, once its first record is on disk. */
  rename(path: string): void {
    naming(
      path,
      "create",
      () => Deno.renameSync(join(this.#root, this.#path), join(this.#root, path)),
    );
    this.#path = path;
  }

  /**
   * Appends `drafts` with one write and one sync.
   *
   * @param accept is asked about each record before anything is written; what it throws ends the append
   * @returns the records, durable now
   * @throws {SessionIo} when the file cannot be written, or is not the one that was opened
   */
  append(drafts: readonly RecordDraft[], accept: (record: SessionRecord) => void): SessionRecord[] {
    if (this.#failure !== undefined) throw this.#failure;
    const records: SessionRecord[] = [];
    let text = "";
    let position = this.#position;
    const now = this.#clock.now();
    for (const draft of drafts) {
      const { record, line } = encodeRecord(draft, position, now);
      accept(record);
      records.push(record);
      text += line + "\n";
      position = positionAfter(position, line, record);
    }
    const bytes = encoder.encode(text);
    this.#guarded(() => {
      this.#refuseChangedFile();
      writeAllSync(this.#file, bytes);
      this.#file.syncDataSync();
    });
    this.#position = position;
    this.#sizeBytes += bytes.byteLength;
    return records;
  }

  /** An open file keeps its inode from being given to another, so a look at the name tells all. */
  #refuseChangedFile(): void {
    const { ino, dev, size } = Deno.lstatSync(join(this.#root, this.#path));
    if (ino !== this.#opened.ino || dev !== this.#opened.dev) {
      throw new Error("the log has been replaced by another file while the session was open");
    }
    if (size === this.#sizeBytes) return;
    throw new Error(
      `the log has ${size} bytes where this process left ${this.#sizeBytes}: something else wrote to it`,
    );
  }

  #guarded(write: () => void): void {
    try {
      write();
    } catch (error) {
      const isRemoved = error instanceof Deno.errors.NotFound;
      const why = isRemoved
        ? "the log has been removed while the session was open, and with it what was said so far"
        : `${messageOf(error)}\n  what was acknowledged before is safe`;
      this.#failure = new SessionIo(
        this.#path,
        `cannot append: ${why}; the session takes no more records${
          isRemoved ? "" : " until it is opened again"
        }`,
        { cause: error },
      );
      throw this.#failure;
    }
  }

  /** Closes the file, which frees its lock. */
  close(): void {
    this.#file.close();
  }
}
