/**
 * What statistics take from an entry, as numbers in an object that is used again for each line.
 * Rule: filled from a parsed entry here, or from bytes by {@linkcode EntryScanner}; both give the same.
 */
import type { LedgerEntry } from "./entry.ts";
import { hashKey, type KeyHash } from "./key_set.ts";
import { CAUSES, OUTCOMES, PHASES } from "./names.ts";
import { NameTable } from "./names_table.ts";

/** The tables of names that the numbers of a view stand for. */
export interface ViewNames {
  models: NameTable;
  projects: NameTable;
  /** No author is the empty name. */
  authors: NameTable;
  extensions: NameTable;
}

/** Empty tables. */
export function emptyNames(): ViewNames {
  return {
    models: new NameTable(),
    projects: new NameTable(),
    authors: new NameTable(),
    extensions: new NameTable(),
  };
}

/** How many numbers a phase has: ms, requests, tokens, cost. */
export const PHASE_NUMBERS = 4;

/** One entry, as numbers. */
export class EntryView {
  /** Hash of the key, as {@linkcode hashKey} makes it. */
  high = 0;
  low = 0;
  /** Hash of the session's first attempt, where the key is another (an id): forks ask for it. */
  session: KeyHash | undefined;
  attempt = 0;
  /** Index in OUTCOMES. */
  outcome = 0;
  project = 0;
  author = 0;
  model = 0;
  /** The day on which the session ended: days since 1970-01-01, UTC. */
  day = 0;
  workingMs = 0;
  requests = 0;
  input = 0;
  output = 0;
  cacheRead = 0;
  cacheWrite = 0;
  cost = 0;
  inherited: LedgerEntry["inherited"] = [];
  tasks = 0;
  tasksDone = 0;
  heals = 0;
  /** Whether the digest gave something that bears on the goal. */
  hadMemory = false;
  /** Bit n: PHASES[n] is there. */
  phaseBits = 0;
  readonly phases = new Float64Array(PHASES.length * PHASE_NUMBERS);
  extensionCount = 0;
  readonly extensions: number[] = [];
  readonly extensionFiles: number[] = [];
  failureCount = 0;
  /** Indices in CAUSES. */
  readonly causes: number[] = [];
  readonly causeHeals: number[] = [];
  readonly causeHealed: boolean[] = [];
}

/** Hashes the key of an entry: of one with an id that, and its session's first attempt apart from it. */
export function hashEntryKey(
  id: Uint8Array | undefined,
  session: Uint8Array,
  attempt: number,
  view: EntryView,
): void {
  view.session = undefined;
  if (id === undefined) return hashKey(session, 0, session.length, attempt, view);
  hashKey(id, 0, id.length, 0, view);
  if (attempt !== 1) return;
  view.session = { high: 0, low: 0 };
  hashKey(session, 0, session.length, 1, view.session);
}

const NOTHING_INHERITED: LedgerEntry["inherited"] = [];

/** Makes ready for the next line what is not overwritten anyway. */
export function resetView(view: EntryView): void {
  view.inherited = NOTHING_INHERITED;
  view.phaseBits = 0;
  view.extensionCount = 0;
  view.failureCount = 0;
}

/** Fills a view from a whole entry. */
export function viewEntry(entry: LedgerEntry, names: ViewNames, view: EntryView): void {
  resetView(view);
  const encoder = new TextEncoder();
  const id = entry.id === null ? undefined : encoder.encode(entry.id);
  hashEntryKey(id, encoder.encode(entry.session), entry.attempt, view);
  view.attempt = entry.attempt;
  view.outcome = OUTCOMES.indexOf(entry.outcome);
  view.project = names.projects.idOf(entry.project.name);
  view.author = names.authors.idOf(entry.author ?? "");
  view.model = names.models.idOf(entry.model);
  view.day = dayOf(entry.ended);
  view.workingMs = entry.workingMs;
  view.requests = entry.usage.requests;
  view.input = entry.usage.input;
  view.output = entry.usage.output;
  view.cacheRead = entry.usage.cacheRead;
  view.cacheWrite = entry.usage.cacheWrite;
  view.cost = entry.usage.cost;
  view.inherited = entry.inherited;
  view.tasks = entry.tasks.total;
  view.tasksDone = entry.tasks.done;
  view.heals = entry.heals;
  view.hadMemory = entry.memory.blocks.length + entry.memory.commits.length > 0;
  PHASES.forEach((name, index) => {
    const phase = entry.phases[name];
    if (phase === undefined) return;
    view.phaseBits |= 1 << index;
    view.phases.set(
      [phase.ms, phase.requests, phase.tokens, phase.cost],
      index * PHASE_NUMBERS,
    );
  });
  for (const [name, files] of Object.entries(entry.extensions)) {
    view.extensions[view.extensionCount] = names.extensions.idOf(name);
    view.extensionFiles[view.extensionCount++] = files;
  }
  for (const failure of entry.failures) {
    view.causes[view.failureCount] = CAUSES.indexOf(failure.cause);
    view.causeHeals[view.failureCount] = failure.heals;
    view.causeHealed[view.failureCount++] = failure.healed;
  }
}

/** The day of a date `YYYY-MM-DD…`: days since 1970-01-01. */
export function dayOf(date: string): number {
  return dayNumber(Number(date.slice(0, 4)), Number(date.slice(5, 7)), Number(date.slice(8, 10)));
}

/** Days since 1970-01-01 of a Gregorian date. Source: Howard Hinnant, "chrono-compatible low-level date algorithms". */
export function dayNumber(year: number, month: number, day: number): number {
  const shifted = month <= 2 ? year - 1 : year;
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) +
    dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}
