/**
 * What is counted about a group of attempts: sums, and quantiles of time, tokens and cost.
 * Rule: tallies of parts, merged, are the tally of the whole.
 */
import type { EntryView } from "./entry_view.ts";
import type { LedgerEntry } from "./entry.ts";
import { Quantiles } from "./quantiles.ts";

/** The sums of a tally, by their index. */
export const SUM_NAMES = [
  "shipped",
  "failed",
  "abandoned",
  "unknown",
  "workingMs",
  "requests",
  "input",
  "output",
  "cacheRead",
  "cacheWrite",
  "cost",
  "tasks",
  "tasksDone",
  "heals",
  "files",
  "sessions",
] as const;

/** A tally as plain data. */
export interface TallyData {
  sums: number[];
  workingMs: number[];
  tokens: number[];
  cost: number[];
}

/** The buckets of an entry's three measures, found once for all the groups that it is in. */
export interface MeasureBuckets {
  workingMs: number;
  tokens: number;
  cost: number;
}

/**
 * Sums over attempts. The first four are the attempts by outcome, in the order of OUTCOMES; the last one is
 * the first attempts: a session counts where its first attempt does.
 */
export class Sums {
  readonly sums: Float64Array;

  constructor(sums: readonly number[] = []) {
    this.sums = new Float64Array(SUM_NAMES.length);
    this.sums.set(sums);
  }

  /** Adds an attempt; `files` is how many changed files it brings to this group. */
  addAttempt(view: EntryView, files: number): void {
    const sums = this.sums;
    sums[view.outcome] = (sums[view.outcome] ?? 0) + 1;
    sums[4] = (sums[4] ?? 0) + view.workingMs;
    sums[5] = (sums[5] ?? 0) + view.requests;
    sums[6] = (sums[6] ?? 0) + view.input;
    sums[7] = (sums[7] ?? 0) + view.output;
    sums[8] = (sums[8] ?? 0) + view.cacheRead;
    sums[9] = (sums[9] ?? 0) + view.cacheWrite;
    sums[10] = (sums[10] ?? 0) + view.cost;
    sums[11] = (sums[11] ?? 0) + view.tasks;
    sums[12] = (sums[12] ?? 0) + view.tasksDone;
    sums[13] = (sums[13] ?? 0) + view.heals;
    sums[14] = (sums[14] ?? 0) + files;
    if (view.attempt === 1) sums[15] = (sums[15] ?? 0) + 1;
  }

  /** Adds another's sums. */
  mergeSums(other: Sums): void {
    other.sums.forEach((value, index) => this.sums[index] = (this.sums[index] ?? 0) + value);
  }

  /** Counts requests that a fork brought along and no other entry counts. */
  addInherited(usage: LedgerEntry["inherited"][number]): void {
    const added = [
      usage.requests,
      usage.input,
      usage.output,
      usage.cacheRead,
      usage.cacheWrite,
      usage.cost,
    ];
    added.forEach((value, index) => this.sums[5 + index] = (this.sums[5 + index] ?? 0) + value);
  }
}

/** Sums over attempts, and quantiles of three measures. */
export class Tally extends Sums {
  readonly workingMs: Quantiles;
  readonly tokens: Quantiles;
  readonly cost: Quantiles;

  constructor(data?: TallyData) {
    super(data?.sums);
    this.workingMs = new Quantiles(data?.workingMs);
    this.tokens = new Quantiles(data?.tokens);
    this.cost = new Quantiles(data?.cost);
  }

  /** Counts an attempt's measures; {@linkcode Sums.addAttempt} goes with it. */
  addMeasures(buckets: MeasureBuckets): void {
    this.workingMs.addBucket(buckets.workingMs);
    this.tokens.addBucket(buckets.tokens);
    this.cost.addBucket(buckets.cost);
  }

  /** Adds another's counts. */
  merge(other: Tally): void {
    this.mergeSums(other);
    this.workingMs.merge(other.workingMs);
    this.tokens.merge(other.tokens);
    this.cost.merge(other.cost);
  }

  /** As plain data; {@linkcode Tally}'s constructor reads it. */
  toData(): TallyData {
    return {
      sums: [...this.sums],
      workingMs: [...this.workingMs.counts],
      tokens: [...this.tokens.counts],
      cost: [...this.cost.counts],
    };
  }
}
