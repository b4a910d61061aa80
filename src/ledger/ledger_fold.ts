/**
 * The fold from entries to counts, by every grouping at once.
 * Rule: pure; the order of the entries does not matter, and a key that comes again does not count.
 */
import { emptyNames, type EntryView, PHASE_NUMBERS, type ViewNames } from "./entry_view.ts";
import { hashKey, KeySet } from "./key_set.ts";
import { CAUSES, OUTCOMES, PHASES } from "./names.ts";
import { NameTable } from "./names_table.ts";
import { bucketOf } from "./quantiles.ts";
import { type MeasureBuckets, Sums, Tally, type TallyData } from "./tally.ts";
import type { LedgerEntry } from "./entry.ts";

/** Which entries count. Days are since 1970-01-01, both included. */
export interface EntryFilter {
  sinceDay?: number;
  untilDay?: number;
  model?: string;
  outcome?: LedgerEntry["outcome"];
}

/** How many numbers the fold keeps of a cause: failures, tries of healing, healed ones, attempts. */
export const CAUSE_NUMBERS = 4;
/** How many numbers the fold keeps of a phase: those of an entry, and attempts. */
export const FOLDED_PHASE_NUMBERS = PHASE_NUMBERS + 1;

/** What a fork brought along from a session, and the groups in which it counts if that session has no entry of its own. */
export interface InheritedUsage {
  usage: LedgerEntry["inherited"][number];
  hadMemory: boolean;
  model: number;
  project: number;
  author: number;
  week: number;
}

/** A fold as plain data, but for the keys. */
export interface FoldData {
  names: { models: string[]; projects: string[]; authors: string[]; extensions: string[] };
  memory: TallyData[];
  models: TallyData[];
  projects: TallyData[];
  authors: TallyData[];
  extensions: number[][];
  weeks: [number, TallyData][];
  work: [number, number, number[]][];
  phases: number[];
  causes: number[];
  inherited: InheritedUsage[];
}

/** The number of the week that holds `day`; weeks start on Mondays. */
export function weekOf(day: number): number {
  // 1970-01-01 was a Thursday.
  return Math.floor((day + 3) / 7);
}

/** Counts of entries. */
export class LedgerFold {
  readonly names: ViewNames;
  readonly keys: KeySet;
  /** Without and with memory blocks in the digest; together they are all attempts. */
  readonly memory: [Tally, Tally];
  readonly models: Tally[];
  readonly projects: Tally[];
  readonly authors: Tally[];
  /** An attempt counts for each extension that it touched. */
  readonly extensions: Sums[];
  readonly weeks: Map<number, Tally>;
  /** By model, then by the extension of which an attempt changed most files: kinds of work. */
  readonly work: Map<number, Sums>[];
  readonly phases = new Float64Array(PHASES.length * FOLDED_PHASE_NUMBERS);
  readonly causes = new Float64Array(CAUSES.length * CAUSE_NUMBERS);
  readonly inherited = new Map<string, InheritedUsage>();
  /** Which entries count. */
  readonly filter: EntryFilter;
  readonly #model: number;
  readonly #outcome: number;
  readonly #buckets: MeasureBuckets = { workingMs: 0, tokens: 0, cost: 0 };

  constructor(filter: EntryFilter = {}, data?: FoldData, keys: KeySet = new KeySet()) {
    this.filter = filter;
    this.keys = keys;
    this.names = data === undefined ? emptyNames() : {
      models: new NameTable(data.names.models),
      projects: new NameTable(data.names.projects),
      authors: new NameTable(data.names.authors),
      extensions: new NameTable(data.names.extensions),
    };
    this.#model = filter.model === undefined ? -1 : this.names.models.idOf(filter.model);
    this.#outcome = filter.outcome === undefined ? -1 : OUTCOMES.indexOf(filter.outcome);
    const tallies = (list: readonly TallyData[] = []) => list.map((item) => new Tally(item));
    this.memory = [new Tally(data?.memory[0]), new Tally(data?.memory[1])];
    this.models = tallies(data?.models);
    this.projects = tallies(data?.projects);
    this.authors = tallies(data?.authors);
    this.extensions = (data?.extensions ?? []).map((sums) => new Sums(sums));
    this.weeks = new Map(data?.weeks.map(([week, item]) => [week, new Tally(item)]));
    this.work = [];
    for (const [model, extension, item] of data?.work ?? []) {
      (this.work[model] ??= new Map()).set(extension, new Sums(item));
    }
    this.phases.set(data?.phases ?? []);
    this.causes.set(data?.causes ?? []);
    for (const item of data?.inherited ?? []) this.inherited.set(item.usage.session, item);
  }

  /** Counts an entry, unless its key was there or the filter leaves it out; the numbers of its names are those of `names`. */
  add(view: EntryView): void {
    if (!this.keys.add(view.high, view.low)) return;
    if (view.session !== undefined) this.keys.add(view.session.high, view.session.low);
    const { sinceDay, untilDay } = this.filter;
    if (sinceDay !== undefined && view.day < sinceDay) return;
    if (untilDay !== undefined && view.day > untilDay) return;
    if (this.#model >= 0 && view.model !== this.#model) return;
    if (this.#outcome >= 0 && view.outcome !== this.#outcome) return;
    this.#count(view);
  }

  #count(view: EntryView): void {
    const buckets = this.#buckets;
    buckets.workingMs = bucketOf(view.workingMs);
    buckets.tokens = bucketOf(view.input + view.output);
    buckets.cost = bucketOf(view.cost);
    let files = 0;
    let main = 0;
    for (let n = 0; n < view.extensionCount; n++) {
      const count = view.extensionFiles[n] ?? 0;
      files += count;
      const most = view.extensionFiles[main] ?? 0;
      if (count > most || (count === most && this.#isEarlier(view, n, main))) main = n;
    }
    for (let n = 0; n < view.extensionCount; n++) {
      itemAt(this.extensions, view.extensions[n] ?? 0, newSums)
        .addAttempt(view, view.extensionFiles[n] ?? 0);
    }
    countIn(this.memory[view.hadMemory ? 1 : 0], view, files, buckets);
    countIn(itemAt(this.models, view.model, newTally), view, files, buckets);
    countIn(itemAt(this.projects, view.project, newTally), view, files, buckets);
    countIn(itemAt(this.authors, view.author, newTally), view, files, buckets);
    countIn(itemIn(this.weeks, weekOf(view.day), newTally), view, files, buckets);
    if (view.extensionCount > 0) {
      const work = this.work[view.model] ??= new Map();
      itemIn(work, view.extensions[main] ?? 0, newSums).addAttempt(view, files);
    }
    this.#countPhases(view);
    this.#countFailures(view);
    for (const usage of view.inherited) {
      this.keepInherited({
        usage,
        hadMemory: view.hadMemory,
        model: view.model,
        project: view.project,
        author: view.author,
        week: weekOf(view.day),
      });
    }
  }

  /** Whether the one extension's name comes before the other's. */
  #isEarlier(view: EntryView, one: number, other: number): boolean {
    const { names } = this.names.extensions;
    return (names[view.extensions[one] ?? 0] ?? "") < (names[view.extensions[other] ?? 0] ?? "");
  }

  #countPhases(view: EntryView): void {
    for (let phase = 0; phase < PHASES.length; phase++) {
      if ((view.phaseBits & (1 << phase)) === 0) continue;
      const slot = phase * FOLDED_PHASE_NUMBERS;
      for (let n = 0; n < PHASE_NUMBERS; n++) {
        this.phases[slot + n] = (this.phases[slot + n] ?? 0) +
          (view.phases[phase * PHASE_NUMBERS + n] ?? 0);
      }
      this.phases[slot + PHASE_NUMBERS] = (this.phases[slot + PHASE_NUMBERS] ?? 0) + 1;
    }
  }

  #countFailures(view: EntryView): void {
    let seen = 0;
    for (let n = 0; n < view.failureCount; n++) {
      const cause = view.causes[n] ?? 0;
      const slot = cause * CAUSE_NUMBERS;
      const isFirst = (seen & (1 << cause)) === 0;
      seen |= 1 << cause;
      this.causes[slot] = (this.causes[slot] ?? 0) + 1;
      this.causes[slot + 1] = (this.causes[slot + 1] ?? 0) + (view.causeHeals[n] ?? 0);
      this.causes[slot + 2] = (this.causes[slot + 2] ?? 0) + (view.causeHealed[n] ? 1 : 0);
      this.causes[slot + 3] = (this.causes[slot + 3] ?? 0) + (isFirst ? 1 : 0);
    }
  }

  /** Of several forks of a session, the one that forked last brings all that the others bring. */
  keepInherited(item: InheritedUsage): void {
    const known = this.inherited.get(item.usage.session);
    if (known !== undefined && !isLess(known.usage, item.usage)) return;
    this.inherited.set(item.usage.session, item);
  }

  /** What forks inherited from sessions that have no entry here: requests that nothing else counts. */
  orphanedUsage(): InheritedUsage[] {
    const hash = { high: 0, low: 0 };
    return [...this.inherited.values()].filter(({ usage }) => {
      const session = new TextEncoder().encode(usage.session);
      hashKey(session, 0, session.length, 1, hash);
      return !this.keys.has(hash.high, hash.low);
    });
  }

  /** As plain data, but for the keys. */
  toData(): FoldData {
    const data = (tallies: readonly Tally[]) => Array.from(tallies, (tally) => tally.toData());
    return {
      names: {
        models: this.names.models.names,
        projects: this.names.projects.names,
        authors: this.names.authors.names,
        extensions: this.names.extensions.names,
      },
      memory: data(this.memory),
      models: data(this.models),
      projects: data(this.projects),
      authors: data(this.authors),
      extensions: this.extensions.map((item) => [...item.sums]),
      weeks: [...this.weeks].map(([week, tally]) => [week, tally.toData()]),
      work: [...this.work.entries()].flatMap(([model, tallies]) =>
        [...tallies ?? []].map(([extension, item]): [number, number, number[]] => [
          model,
          extension,
          [...item.sums],
        ])
      ),
      phases: [...this.phases],
      causes: [...this.causes],
      inherited: [...this.inherited.values()],
    };
  }
}

const newSums = () => new Sums();
const newTally = () => new Tally();

function countIn(tally: Tally, view: EntryView, files: number, buckets: MeasureBuckets): void {
  tally.addAttempt(view, files);
  tally.addMeasures(buckets);
}

function itemAt<T>(items: T[], id: number, make: () => T): T {
  while (items.length <= id) items.push(make());
  return items[id] ?? make();
}

function itemIn<T>(items: Map<number, T>, key: number, make: () => T): T {
  const known = items.get(key);
  if (known !== undefined) return known;
  const item = make();
  items.set(key, item);
  return item;
}

/** Whether `a` is the lesser of two prefixes of one session's requests; ties by size, so that order does not matter. */
function isLess(
  a: LedgerEntry["inherited"][number],
  b: LedgerEntry["inherited"][number],
): boolean {
  return a.requests < b.requests ||
    (a.requests === b.requests && a.input + a.output < b.input + b.output);
}
