/**
 * What a fold of ledgers says, as plain data: the shape of `ledger stats --json`.
 * Rule: pure; rates are from 0 to 1 and null where there is nothing to divide by; times in milliseconds, costs in US dollars.
 */
import { CAUSE_NUMBERS, FOLDED_PHASE_NUMBERS, type LedgerFold } from "./ledger_fold.ts";
import { CAUSES, PHASES } from "./names.ts";
import type { Quantiles } from "./quantiles.ts";
import { SUM_NAMES, type Sums, Tally } from "./tally.ts";

/** Sums of a group of attempts. */
export interface GroupSums {
  /** The group's name: a model, a project, an extension, a week. */
  name: string;
  /** Entries: a session that was resumed and ended twice made two attempts. */
  attempts: number;
  /**
   * Sessions, each in the group of its first attempt. Null where a filter was given: it may leave a
   * session's first attempt out and another one in.
   */
  sessions: number | null;
  shipped: number;
  failed: number;
  abandoned: number;
  /** Attempts of another agent of which nobody said how they came out. */
  unknown: number;
  /** Of the attempts whose outcome is known. */
  shipRate: number | null;
  workingMs: number;
  requests: number;
  /** Input and output. */
  tokens: number;
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
  /** Of the input, how much the provider had cached. */
  cacheHitRate: number | null;
  cost: number;
  tasks: number;
  tasksDone: number;
  heals: number;
  /** Changed files (of this extension, where extensions are the groups). */
  files: number;
}

/** The 50th and the 90th percentile over attempts, each within 0.8 %. */
export interface Percentiles {
  p50: number;
  p90: number;
}

/** Sums and percentiles of a group of attempts. */
export interface GroupStats extends GroupSums {
  workingMsPerAttempt: Percentiles;
  tokensPerAttempt: Percentiles;
  costPerAttempt: Percentiles;
}

/** What went into one phase. */
export interface PhaseStats {
  name: string;
  /** Attempts that had this phase. */
  attempts: number;
  ms: number;
  requests: number;
  tokens: number;
  cost: number;
}

/** How often tasks failed of one cause, and how often healing helped. */
export interface CauseStats {
  name: string;
  failures: number;
  /** Attempts that met it. */
  attempts: number;
  /** Tries of healing. */
  heals: number;
  healed: number;
  healRate: number | null;
}

/** Everything that statistics say. */
export interface LedgerStats {
  all: GroupStats;
  /** Attempts whose digest gave memory blocks, and those without. */
  withMemory: GroupStats;
  withoutMemory: GroupStats;
  /** Most attempts first. */
  byModel: GroupStats[];
  byProject: GroupStats[];
  byAuthor: GroupStats[];
  /** An attempt counts for each extension that it touched. */
  byExtension: GroupSums[];
  /** Every week from the first to the last, by their ISO 8601 names (`2026-W48`). */
  byWeek: GroupStats[];
  byPhase: PhaseStats[];
  /** Most failures first. */
  byCause: CauseStats[];
  /** By model and by the extension of which an attempt changed most files; models as in `byModel`. */
  byWork: { model: string; extension: string; sums: GroupSums }[];
}

/** How an extension without a name is called. */
const NO_EXTENSION = "(none)";

/** How attempts without an author are called. */
const NO_AUTHOR = "(nobody)";

/** Brings a fold into words and order. */
export function statsOf(fold: LedgerFold): LedgerStats {
  const extra = orphanedSums(fold);
  const isFiltered = Object.keys(fold.filter).length > 0;
  const group = (name: string, tally: Tally | undefined) =>
    groupStats(name, withExtra(tally ?? new Tally(), extra), isFiltered);
  const { models, projects, authors, extensions } = fold.names;
  const named = (names: readonly string[], tallies: readonly Tally[]) =>
    mostFirst(names.map((name, id) => group(name, tallies[id])));
  const extensionName = (id: number) => extensions.names[id] || NO_EXTENSION;
  const byModel = named(models.names, fold.models);
  const [without, withMemory] = fold.memory.map((tally) => withExtra(tally, extra));
  const all = new Tally();
  for (const tally of [without, withMemory]) if (tally !== undefined) all.merge(tally);
  return {
    all: groupStats("all", all, isFiltered),
    withMemory: groupStats("with memory", withMemory ?? new Tally(), isFiltered),
    withoutMemory: groupStats("without memory", without ?? new Tally(), isFiltered),
    byModel,
    byProject: named(projects.names, fold.projects),
    byAuthor: named(authors.names.map((name) => name || NO_AUTHOR), fold.authors),
    byExtension: mostFirst(
      fold.extensions.map((sums, id) => groupSums(extensionName(id), sums, isFiltered)),
    ),
    byWeek: weeks(fold).map((week) => group(weekName(week), fold.weeks.get(week))),
    byPhase: phases(fold),
    byCause: causes(fold),
    byWork: byModel.flatMap(({ name }) =>
      mostFirst(
        [...fold.work[models.names.indexOf(name)] ?? []].map(([id, sums]) =>
          groupSums(extensionName(id), sums, isFiltered)
        ),
      ).map((sums) => ({ model: name, extension: sums.name, sums }))
    ),
  };
}

/** What forks brought along that no entry counts, by the tallies in which it belongs. */
function orphanedSums(fold: LedgerFold): Map<Tally, Tally> {
  const extra = new Map<Tally, Tally>();
  for (const { usage, hadMemory, model, project, author, week } of fold.orphanedUsage()) {
    const groups = [
      fold.memory[hadMemory ? 1 : 0],
      fold.models[model],
      fold.projects[project],
      fold.authors[author],
      fold.weeks.get(week),
    ];
    for (const tally of groups) {
      if (tally === undefined) continue;
      const sums = extra.get(tally) ?? new Tally();
      sums.addInherited(usage);
      extra.set(tally, sums);
    }
  }
  return extra;
}

function withExtra(tally: Tally, extra: ReadonlyMap<Tally, Tally>): Tally {
  const added = extra.get(tally);
  if (added === undefined) return tally;
  const sum = new Tally(tally.toData());
  sum.merge(added);
  return sum;
}

function groupStats(
  name: string,
  tally: Tally,
  isFiltered: boolean,
): GroupStats {
  return {
    ...groupSums(name, tally, isFiltered),
    workingMsPerAttempt: percentiles(tally.workingMs),
    tokensPerAttempt: percentiles(tally.tokens),
    costPerAttempt: percentiles(tally.cost),
  };
}

function percentiles(values: Quantiles): Percentiles {
  return { p50: values.at(0.5), p90: values.at(0.9) };
}

function groupSums(name: string, { sums }: Sums, isFiltered: boolean): GroupSums {
  const value = (sum: typeof SUM_NAMES[number]) => sums[SUM_NAMES.indexOf(sum)] ?? 0;
  const known = value("shipped") + value("failed") + value("abandoned");
  return {
    name,
    attempts: known + value("unknown"),
    sessions: isFiltered ? null : value("sessions"),
    shipped: value("shipped"),
    failed: value("failed"),
    abandoned: value("abandoned"),
    unknown: value("unknown"),
    shipRate: rate(value("shipped"), known),
    workingMs: value("workingMs"),
    requests: value("requests"),
    tokens: value("input") + value("output"),
    input: value("input"),
    output: value("output"),
    cacheRead: value("cacheRead"),
    cacheWrite: value("cacheWrite"),
    cacheHitRate: rate(value("cacheRead"), value("input")),
    cost: Number(value("cost").toFixed(9)),
    tasks: value("tasks"),
    tasksDone: value("tasksDone"),
    heals: value("heals"),
    files: value("files"),
  };
}

function rate(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}

/** Groups with attempts, by their number and then by name. */
function mostFirst<T extends GroupSums>(groups: T[]): T[] {
  return groups.filter(({ attempts }) => attempts > 0)
    .sort((a, b) => b.attempts - a.attempts || (a.name < b.name ? -1 : 1));
}

/** At most this many weeks are listed, so that one entry with a wrong year does not make thousands. */
const MOST_WEEKS = 520;

function weeks(fold: LedgerFold): number[] {
  const known = [...fold.weeks.keys()].sort((a, b) => a - b);
  const first = known[0] ?? 0;
  const last = known.at(-1) ?? -1;
  if (last - first >= MOST_WEEKS) return known;
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

/** The ISO 8601 name of a week (see {@linkcode weekOf}): it belongs to the year of its Thursday. */
export function weekName(week: number): string {
  const thursday = new Date(week * 7 * 86_400_000);
  const year = thursday.getUTCFullYear();
  const dayOfYear = (thursday.getTime() - Date.UTC(year, 0, 1)) / 86_400_000;
  return `${year}-W${String(Math.floor(dayOfYear / 7) + 1).padStart(2, "0")}`;
}

function phases(fold: LedgerFold): PhaseStats[] {
  return PHASES.map((name, index) => {
    const [ms = 0, requests = 0, tokens = 0, cost = 0, attempts = 0] = fold.phases
      .subarray(index * FOLDED_PHASE_NUMBERS, (index + 1) * FOLDED_PHASE_NUMBERS);
    return { name, attempts, ms, requests, tokens, cost: Number(cost.toFixed(9)) };
  }).filter(({ attempts }) => attempts > 0);
}

function causes(fold: LedgerFold): CauseStats[] {
  return CAUSES.map((name, index) => {
    const [failures = 0, heals = 0, healed = 0, attempts = 0] = fold.causes
      .subarray(index * CAUSE_NUMBERS, (index + 1) * CAUSE_NUMBERS);
    return { name, failures, attempts, heals, healed, healRate: rate(healed, failures) };
  }).filter(({ failures }) => failures > 0).sort((a, b) => b.failures - a.failures);
}
