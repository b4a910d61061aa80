/**
 * What failed in a session and whether healing helped.
 * Rule: a failure is named once for each task and cause; its heals are those that answered that cause.
 */
import type { LedgerEntry } from "../ledger/entry.ts";
import type { Cause } from "../ledger/names.ts";

type Failure = LedgerEntry["failures"][number];

/** Counts failures by task (or by phase, for what belongs to no task). */
export class FailureTally {
  readonly #failures = new Map<string, Map<Cause, Failure>>();
  /** The cause that each task failed with last. */
  readonly #last = new Map<string, Cause>();

  /** The failures so far, in the order in which they came first. */
  get failures(): Failure[] {
    return [...this.#failures.values()].flatMap((byCause) => [...byCause.values()]);
  }

  /** How often healing was tried. */
  get heals(): number {
    return this.failures.reduce((sum, { heals }) => sum + heals, 0);
  }

  /** Whether `task` has failed and did not pass since. */
  isFailing(task: string): boolean {
    return this.#last.has(task);
  }

  fail(task: string, cause: Cause, detail: string): void {
    const byCause = this.#failures.get(task) ?? new Map<Cause, Failure>();
    this.#failures.set(task, byCause);
    const heals = byCause.get(cause)?.heals ?? 0;
    byCause.set(cause, { task, cause, detail: detail.toWellFormed(), heals, healed: false });
    this.#last.set(task, cause);
  }

  /** A heal is tried of what failed last. */
  heal(task: string): void {
    const cause = this.#last.get(task);
    const failure = cause === undefined ? undefined : this.#failures.get(task)?.get(cause);
    if (failure !== undefined) failure.heals += 1;
  }

  /** The task has passed in the end. */
  pass(task: string): void {
    this.#last.delete(task);
    for (const failure of this.#failures.get(task)?.values() ?? []) failure.healed = true;
  }
}
