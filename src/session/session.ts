/**
 * A session that is open for writing: created, opened, appended to, carried into the next epoch.
 * Rule: a record is on disk before any fold sees it; opening changes no byte.
 */
import { join } from "@std/path";
import { type Clock, systemClock } from "../platform/clock.ts";
import { messageOf } from "../platform/errors.ts";
import { pathExists, syncDirectory } from "../platform/files.ts";
import { type Baseline, encodeBaseline } from "./baseline.ts";
import {
  createEpoch,
  type Fill,
  type OpenedEpoch,
  openEpoch,
  type SessionOptions,
} from "./epoch.ts";
import { RecordInvalid, SessionClosed, SessionExists, SessionIo } from "./errors.ts";
import { interruptedResult } from "./interrupted_result.ts";
import { ensureSessionsDirectory, logPath, sessionDirectory, SESSIONS } from "./layout.ts";
import { LineInvalid } from "./line.ts";
import type { LogWriter } from "./log_writer.ts";
import { type Fold, FORMAT_VERSION, type RecordDraft, type SessionRecord } from "./records.ts";
import type { OpenCall, Sequence, Totals } from "./sequence.ts";

export type { SessionOptions };

type UserDraft = Extract<RecordDraft, { type: "user" }>;

/** A session open for writing. It holds the lock on its log until {@linkcode Session.close}. */
export class Session {
  readonly #root: string;
  readonly #clock: Clock;
  readonly #options: SessionOptions;
  #baseline: Baseline;
  #writer: LogWriter;
  #sequence: Sequence;
  #folds: readonly Fold[];
  /** Calls that were open when the session was opened; their results go before the next record. */
  #interruptedCalls: readonly OpenCall[];
  #isClosed = false;

  private constructor(root: string, options: SessionOptions, opened: OpenedEpoch) {
    this.#root = root;
    this.#clock = options.clock ?? systemClock;
    this.#options = options;
    this.#baseline = opened.baseline;
    this.#writer = opened.writer;
    this.#sequence = opened.sequence;
    this.#folds = opened.folds;
    this.#interruptedCalls = opened.sequence.openCalls;
  }

  get id(): string {
    return this.#baseline.session;
  }

  /** The baseline of the epoch that is being written. */
  get baseline(): Baseline {
    return this.#baseline;
  }

  /** What the conversation adds up to so far, all epochs together. */
  get totals(): Readonly<Totals> {
    return this.#sequence.totals;
  }

  /** Calls that have no result yet, in call order. */
  get openCalls(): readonly OpenCall[] {
    return this.#sequence.openCalls;
  }

  /** The server's slot for the prompt cache; null where it has none. */
  get slot(): number | null {
    return this.#writer.slot;
  }

  /** Calls that were under way when the process before this one ended. */
  get interruptedCalls(): readonly OpenCall[] {
    return this.#interruptedCalls;
  }

  /**
   * Makes a new session: its folder, its baseline, its log with the first record, all of them synced.
   *
   * @param root the project's root
   * @param slot the server's slot for the prompt cache, where it has such
   * @param fill puts the records in that the session begins with: those of a fork
   * @throws {SessionExists} when there is a session of that id
   * @throws {SessionIo} when a file cannot be written
   */
  static async create(
    root: string,
    baseline: Baseline,
    slot: number | null,
    options: SessionOptions = {},
    fill: Fill = () => {},
  ): Promise<Session> {
    const encoded = encodeBaseline(baseline);
    ensureSessionsDirectory(root);
    const directory = join(root, sessionDirectory(baseline.session));
    try {
      Deno.mkdirSync(directory, { mode: 0o700 });
    } catch (error) {
      if (error instanceof Deno.errors.AlreadyExists) throw new SessionExists(baseline.session);
      throw new SessionIo(
        sessionDirectory(baseline.session),
        `cannot create: ${messageOf(error)}`,
        { cause: error },
      );
    }
    try {
      const opened = await createEpoch(root, encoded, slot, options, fill);
      syncDirectory(join(root, SESSIONS));
      options.onDurable?.();
      return new Session(root, options, opened);
    } catch (error) {
      removeIfEmpty(directory);
      throw error;
    }
  }

  /**
   * Opens the newest epoch of a session for writing: locks it and checks every line. No byte changes.
   *
   * @throws {SessionNotFound}
   * @throws {SessionInUse} when another process has it open
   * @throws {BaselineInvalid}
   * @throws {SessionTorn} naming the first line that is wrong
   */
  static async open(root: string, id: string, options: SessionOptions = {}): Promise<Session> {
    return new Session(root, options, await openEpoch(root, id, options));
  }

  /**
   * Makes `drafts` durable, in one write, and then gives them to the folds. Calls that were under way
   * when the process before this one ended get their `interrupted` results first, in the same write; a
   * log of an earlier format first gets a record that says that this one begins.
   *
   * @returns the records that `drafts` became
   * @throws {RecordInvalid} when a record may not stand here; nothing was written
   * @throws {SessionIo} when writing failed; the session takes no more records then
   */
  append(drafts: readonly RecordDraft[]): SessionRecord[] {
    if (this.#isClosed) throw new SessionClosed(this.id);
    const overdue: RecordDraft[] = [
      ...this.#writer.format < FORMAT_VERSION && drafts.length + this.#interruptedCalls.length > 0
        ? [{ type: "format", format: FORMAT_VERSION } as const]
        : [],
      ...this.#interruptedCalls.map(interruptedResult),
    ];
    const sequence = this.#sequence.clone();
    const records = this.#writer.append([...overdue, ...drafts], (record) => {
      try {
        sequence.apply(record);
      } catch (error) {
        if (error instanceof LineInvalid) throw new RecordInvalid(error.message);
        throw error;
      }
    });
    this.#sequence = sequence;
    this.#interruptedCalls = [];
    for (const record of records) {
      for (const fold of this.#folds) fold.apply(record);
    }
    if (records.length > 0) this.#options.onDurable?.();
    return records.slice(overdue.length);
  }

  /**
   * Hands the calls that were interrupted over to the caller, who is to append a result for each before
   * anything else; none is made up for them any more.
   */
  adoptInterruptedCalls(): readonly OpenCall[] {
    const adopted = this.#interruptedCalls;
    this.#interruptedCalls = [];
    return adopted;
  }

  /**
   * Makes the results of calls that were interrupted durable now. To be called before a request is
   * built: a provider refuses calls without results. Without such calls nothing is written.
   *
   * @throws {SessionIo} when writing failed
   */
  recordInterruptions(): void {
    if (this.#interruptedCalls.length > 0) this.append([]);
  }

  /**
   * Begins the next epoch, with `summary` in place of the records so far.
   *
   * @param workflow the state of the workflow, for its fold to start from
   * @param opening the message that the new epoch begins with: a new one or, `moved`, the one that the
   *   present epoch ends with, without an answer
   * @throws {RecordInvalid} while a tool call has no result
   * @throws {SessionIo} {@linkcode FileError} when the present log is not as it was left, or the new files cannot be written
   */
  async beginEpoch(
    summary: string,
    workflow: Baseline["carried"]["workflow"],
    opening?: UserDraft,
  ): Promise<void> {
    const seq = this.endEpoch();
    // A message that moves is counted where it stands then.
    const moved = opening?.moved ? 1 : 0;
    const { id: session, baseline: { epoch }, totals } = this;
    await this.openEpoch(
      {
        parent: { kind: "compaction", session, epoch, seq },
        summary,
        carried: { ...totals, turns: totals.turns - moved, workflow },
      },
      (append) => append(opening === undefined ? [] : [opening]),
    );
  }

  /**
   * Makes durable what is overdue, so that the present epoch is whole; a log that is not as it was left is refused.
   *
   * @returns the number of its last record
   * @throws {RecordInvalid} while a tool call has no result
   */
  endEpoch(): number {
    this.append([]);
    if (this.#sequence.openCalls.length > 0) {
      throw new RecordInvalid("an epoch cannot end while a tool call has no result");
    }
    return this.#writer.lastSeq;
  }

  /**
   * Begins the next epoch, once the present one is ended. The epoch exists when its log does; killed before that, the
   * present epoch goes on as if nothing had happened.
   *
   * @param changes what its baseline has otherwise
   * @param fill puts the records in that it begins with
   * @param slot the server's slot for the prompt cache, where it changes
   * @throws {SessionIo} {@linkcode FileError} when the new files cannot be written
   */
  async openEpoch(
    changes: Partial<Baseline>,
    fill: Fill,
    slot: number | null = this.#writer.slot,
  ): Promise<void> {
    const baseline: Baseline = {
      ...this.#baseline,
      model: { ...this.#baseline.model, ...this.#sequence.asked },
      ...changes,
      format: FORMAT_VERSION,
      epoch: this.#baseline.epoch + 1,
      createdAt: this.#clock.now().toISOString(),
    };
    let opened: OpenedEpoch;
    try {
      opened = await createEpoch(
        this.#root,
        encodeBaseline(baseline),
        slot,
        this.#options,
        fill,
      );
    } catch (error) {
      // Once the new log has its name it is what the next open reads: the old one must not go on.
      if (pathExists(join(this.#root, logPath(this.id, baseline.epoch)))) this.close();
      throw error;
    }
    this.#writer.close();
    this.#baseline = opened.baseline;
    this.#writer = opened.writer;
    this.#sequence = opened.sequence;
    this.#folds = opened.folds;
    this.#options.onDurable?.();
  }

  /** Ends writing and frees the lock. Closing twice is allowed. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#writer.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }
}

/** Takes the folder of a session that could not be made away again. */
function removeIfEmpty(directory: string): void {
  try {
    Deno.removeSync(directory);
  } catch {
    // Something is in it: it is left for the user to look at, and the error that led here is the one to show.
  }
}
