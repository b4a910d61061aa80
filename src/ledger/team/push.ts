/**
 * Entries on their way into a team's ledger.
 * Rule: adding is idempotent (an id that is there stays as it is), so that whatever is in doubt is sent again.
 */
import { createHash } from "node:crypto";
import { encodeEntry, type LedgerEntry } from "../entry.ts";
import { dayOf } from "../entry_view.ts";
import { weekOf } from "../ledger_fold.ts";
import { CAUSES, OUTCOMES, PHASES } from "../names.ts";
import { bucketOf } from "../quantiles.ts";
import type { TeamConnection } from "./connection.ts";
import {
  ENTRY_COLUMNS,
  expectSchema,
  EXTENSION_COLUMNS,
  LINE_COLUMNS,
  SUM_COLUMNS,
} from "./schema.ts";

/** So many entries go in one statement. */
const BATCH = 500;

type Row = Record<string, unknown>;

/**
 * Adds entries; those that are there already change nothing.
 *
 * @param keepsWords whether goals and details of failures go along
 * @returns how many were new
 */
export async function pushEntries(
  connection: TeamConnection,
  entries: readonly LedgerEntry[],
  keepsWords: boolean,
): Promise<number> {
  await expectSchema(connection);
  let added = 0;
  for (let start = 0; start < entries.length; start += BATCH) {
    // In the order of their ids: two machines with the same entries then wait for each other one way round only.
    const batch = entries.slice(start, start + BATCH)
      .map((entry) => rowsOf(keepsWords ? entry : withoutWords(entry)))
      .sort((a, b) => (a.line.id < b.line.id ? -1 : 1));
    const rows = [
      batch.map(({ row }) => row),
      batch.flatMap(({ extensions }) => extensions),
      batch.map(({ line }) => line),
    ];
    added += await connection.change(INSERT_ENTRIES, rows.map((list) => JSON.stringify(list)));
  }
  return added;
}

/** Adds rows, given as JSON. A bare `on conflict do nothing` and no `returning`: a role that may only insert can do it. */
function insertInto(table: string, columns: typeof ENTRY_COLUMNS, parameter: number): string {
  const names = columns.map(([name]) => name).join(", ");
  const typed = columns.map((column) => column.join(" ")).join(", ");
  return `insert into m31a.${table} (${names}) select ${names}
    from jsonb_to_recordset($${parameter}::jsonb) as added (${typed}) on conflict do nothing`;
}

/** One statement, so that an entry, its extensions and its line come together or not at all. */
const INSERT_ENTRIES = `with more as (${insertInto("extensions", EXTENSION_COLUMNS, 2)}),
    lines as (${insertInto("lines", LINE_COLUMNS, 3)})
  ${insertInto("entries", ENTRY_COLUMNS, 1)}`;

/** An entry without what somebody has put into words: its numbers, names of models, causes and files stay. */
export function withoutWords(entry: LedgerEntry): LedgerEntry {
  const failures = entry.failures.map((failure) => ({ ...failure, task: "", detail: "" }));
  return { ...entry, goal: "", failures };
}

/** The rows of an entry: its numbers, one for each extension, itself. NUL, which PostgreSQL takes in no text, becomes U+FFFD. */
function rowsOf(
  entry: LedgerEntry,
): { row: Row; extensions: Row[]; line: { id: string; line: string } } {
  const extensions = Object.entries(entry.extensions);
  const files = extensions.reduce((sum, [, count]) => sum + count, 0);
  const [main] = extensions.toSorted(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  const { usage } = entry;
  const sums: Record<typeof SUM_COLUMNS[number], number> = {
    working_ms: entry.workingMs,
    requests: usage.requests,
    input: usage.input,
    output: usage.output,
    cache_read: usage.cacheRead,
    cache_write: usage.cacheWrite,
    cost: nanodollars(usage.cost),
    tasks: entry.tasks.total,
    tasks_done: entry.tasks.done,
    heals: entry.heals,
    files,
  };
  const id = entry.id ?? idOfKey(`${entry.session}#${entry.attempt}`);
  const day = dayOf(entry.ended);
  const common = {
    id,
    attempt: entry.attempt,
    day,
    model: clean(entry.model),
    outcome: OUTCOMES.indexOf(entry.outcome),
  };
  const row: Row = {
    ...common,
    ...sums,
    session: entry.session,
    author: entry.author === null ? null : clean(entry.author),
    agent: clean(entry.agent),
    project: clean(entry.project.name),
    week: weekOf(day),
    had_memory: entry.memory.blocks.length + entry.memory.commits.length > 0,
    working_ms_bucket: bucketOf(entry.workingMs),
    tokens_bucket: bucketOf(usage.input + usage.output),
    cost_bucket: bucketOf(usage.cost),
    main_extension: main === undefined ? null : clean(main[0]),
    inherited: entry.inherited.length === 0 ? null : entry.inherited,
    ended: entry.ended,
  };
  for (const name of PHASES) {
    const phase = entry.phases[name];
    if (phase === undefined) continue;
    row[`phase_${name}_ms`] = phase.ms;
    row[`phase_${name}_requests`] = phase.requests;
    row[`phase_${name}_tokens`] = phase.tokens;
    row[`phase_${name}_cost`] = nanodollars(phase.cost);
  }
  for (const cause of CAUSES) {
    const own = entry.failures.filter((failure) => failure.cause === cause);
    if (own.length === 0) continue;
    row[`cause_${cause}_failures`] = own.length;
    row[`cause_${cause}_heals`] = own.reduce((sum, failure) => sum + failure.heals, 0);
    row[`cause_${cause}_healed`] = own.filter(({ healed }) => healed).length;
  }
  return {
    row,
    line: { id, line: clean(encodeEntry(entry)) },
    extensions: extensions.map(([extension, count]) => ({
      ...common,
      ...sums,
      extension: clean(extension),
      files: count,
    })),
  };
}

function nanodollars(cost: number): number {
  return Math.round(cost * 1e9);
}

function clean(text: string): string {
  return text.replaceAll("\0", "\ufffd");
}

/** The id of an entry of version 1: the same on every machine (RFC 9562, version 8). */
function idOfKey(key: string): string {
  const hex = createHash("sha256").update(key).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${
    hex.slice(20, 32)
  }`;
}
