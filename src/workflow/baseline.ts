/**
 * The checks as they are before anything is changed: run beside the discussion, where nothing can change yet.
 * Rule: what they came to is recorded between two phases, in their order, so that the log tells the same however long
 * each took.
 */
import type { RecordDraft } from "../session/records.ts";
import { isSameCheck } from "./fold_checks.ts";
import { type Check, runOne } from "./run_checks.ts";
import type { WorkflowState } from "./state.ts";
import type { Work } from "./work.ts";

/** See the head of this file. */
export class BaselineRun {
  readonly #work: Work;
  readonly #stop = new AbortController();
  #ended: RecordDraft[] = [];
  #run: Promise<void> | undefined;
  #hasEnded = false;
  #failure: { error: unknown } | undefined;

  constructor(work: Work) {
    this.#work = work;
  }

  /** Begins to run what has not been run before any change; once a process. */
  start(): void {
    if (this.#run !== undefined) return;
    this.#run = this.#runAll(pendingChecks(this.#work.state))
      .catch((error) => void (this.#failure = { error }))
      .then(() => void (this.#hasEnded = true));
  }

  /**
   * Waits until all have ended, at most `atMostMs`, and records what has.
   *
   * @returns whether all have ended
   * @throws what running them has thrown
   */
  async settle(atMostMs?: number): Promise<boolean> {
    if (atMostMs === undefined) await this.#run;
    else await this.#waitFor(atMostMs);
    const ended = this.#ended;
    this.#ended = [];
    if (ended.length > 0) this.#work.append(...ended);
    if (this.#failure !== undefined) throw this.#failure.error;
    return this.#run === undefined || this.#hasEnded;
  }

  /** Ends what still runs, without a record. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#run;
  }

  async #waitFor(atMostMs: number): Promise<void> {
    const { clock } = this.#work.parts.conversation.world;
    const over = new AbortController();
    const wait = clock.sleep(atMostMs, over.signal).catch(() => {});
    await Promise.race([this.#run, wait]);
    over.abort();
  }

  async #runAll(checks: readonly Check[]): Promise<void> {
    const work = this.#work;
    const signal = AbortSignal.any([work.signal, this.#stop.signal]);
    for (const check of checks) {
      const how = { purpose: "baseline", task: null, signal, onOutput: () => {} } as const;
      const draft = await runOne(work, check, how);
      if (draft !== undefined) this.#ended.push(draft);
    }
  }
}

/** Those that have not been run before any change, or could not run here; none once something is changed. */
function pendingChecks({ project, baseline, checkpoints, touched }: WorkflowState): Check[] {
  // What the baseline itself has touched (a lock file) is no work of a task.
  if (checkpoints.some(({ plan }) => plan !== null)) return [];
  if (touched.length > 0 && baseline.length === 0) return [];
  return (project?.checks ?? []).filter((check) => {
    const before = baseline.find((known) => isSameCheck(known, check));
    return before === undefined || before.standing === "machine";
  });
}
