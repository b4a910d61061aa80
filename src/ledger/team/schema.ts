/**
 * The tables of a team's ledger, and how a database comes to have them.
 * Rule: a migration is never changed, only added; docs/ledger.md describes the newest state.
 */
import { WorkFailed } from "../../platform/errors.ts";
import { CAUSES, PHASES } from "../names.ts";
import type { TeamConnection } from "./connection.ts";

/** What the table has of each phase, as columns: null where the session did not have it. */
export const PHASE_NUMBERS = ["ms", "requests", "tokens", "cost"] as const;
/** What it has of each cause of failure. */
export const CAUSE_NUMBERS = ["failures", "heals", "healed"] as const;
/** The sums of statistics, in the order of a tally behind the outcomes. Costs are whole nanodollars. */
export const SUM_COLUMNS = [
  "working_ms",
  "requests",
  "input",
  "output",
  "cache_read",
  "cache_write",
  "cost",
  "tasks",
  "tasks_done",
  "heals",
  "files",
] as const;

/** The columns of phases and causes. */
export const PHASE_COLUMNS = PHASES.flatMap((phase) =>
  PHASE_NUMBERS.map((number) => `phase_${phase}_${number}`)
);
/** See {@linkcode CAUSE_NUMBERS}. */
export const CAUSE_COLUMNS = CAUSES.flatMap((cause) =>
  CAUSE_NUMBERS.map((number) => `cause_${cause}_${number}`)
);

/** All columns of an entry and their types, in their order. */
export const ENTRY_COLUMNS: readonly (readonly [name: string, type: string])[] = [
  ["id", "uuid"],
  ["session", "text"],
  ["attempt", "integer"],
  ["author", "text"],
  ["agent", "text"],
  ["project", "text"],
  ["model", "text"],
  ["outcome", "smallint"],
  ["day", "integer"],
  ["week", "integer"],
  ["had_memory", "boolean"],
  ...SUM_COLUMNS.map((name) => [name, "bigint"] as const),
  ["working_ms_bucket", "smallint"],
  ["tokens_bucket", "smallint"],
  ["cost_bucket", "smallint"],
  ["main_extension", "text"],
  ...[...PHASE_COLUMNS, ...CAUSE_COLUMNS].map((name) => [name, "bigint"] as const),
  ["inherited", "jsonb"],
  ["ended", "timestamptz"],
];

/** The entry itself, as in the file: apart, so that who sums reads none of it. */
export const LINE_COLUMNS: readonly (readonly [name: string, type: string])[] = [
  ["id", "uuid"],
  ["line", "text"],
];

/** The columns of an entry's files of one extension: what the entry counts there, once more, so that nothing is joined. */
export const EXTENSION_COLUMNS: readonly (readonly [name: string, type: string])[] = [
  ["id", "uuid"],
  ["attempt", "integer"],
  ["extension", "text"],
  ["day", "integer"],
  ["model", "text"],
  ["outcome", "smallint"],
  ...SUM_COLUMNS.map((name) => [name, "bigint"] as const),
];

const NULLABLE = ["author", "main_extension", "inherited", ...PHASE_COLUMNS, ...CAUSE_COLUMNS];

function columns(list: readonly (readonly [name: string, type: string])[]): string {
  return list.map(([name, type]) => `${name} ${type}${NULLABLE.includes(name) ? "" : " not null"}`)
    .join(", ");
}

/** By the version that each one leads to, from 1. */
const MIGRATIONS = [
  `create table m31a.entries (${columns([...ENTRY_COLUMNS, ["line", "text"]])}, primary key (id));
   create index entries_by_project on m31a.entries (project, ended desc);
   create index entries_by_author on m31a.entries (author);
   create index entries_inherited on m31a.entries (session) where inherited is not null;
   create index entries_by_session on m31a.entries (session);
   create table m31a.extensions (${columns(EXTENSION_COLUMNS)}, primary key (id, extension));`,
  `create table m31a.lines (${columns(LINE_COLUMNS)}, primary key (id));
   insert into m31a.lines select id, line from m31a.entries;
   alter table m31a.entries drop column line;`,
];

/** The version of the tables that this m31a reads and writes. */
export const SCHEMA_VERSION = MIGRATIONS.length;

/** The tables that hold entries. */
const TABLES = "m31a.entries, m31a.extensions, m31a.lines";

/** The role that may add entries and see none, and the one that may see them all and change nothing. */
const ROLES = { writer: "m31a_writer", reader: "m31a_reader" } as const;

/** What {@linkcode initSchema} did. */
export interface InitOutcome {
  before: number;
  after: number;
  /** Why roles could not be made or given their rights; undefined when they were. */
  rolesMissing: string | undefined;
}

/**
 * Makes the tables, or brings them to the newest version. Doing it again, or from two machines at once,
 * changes nothing more.
 *
 * @throws {WorkFailed} when the tables are of a newer m31a
 */
export async function initSchema(connection: TeamConnection): Promise<InitOutcome> {
  const before = await migrate(connection);
  let rolesMissing: string | undefined;
  try {
    for (const sql of roleStatements()) await connection.change(sql);
  } catch (error) {
    // The owner of a database may have no right to make roles; the tables are made all the same.
    rolesMissing = error instanceof Error ? error.message : String(error);
  }
  return { before, after: SCHEMA_VERSION, rolesMissing };
}

async function migrate(connection: TeamConnection): Promise<number> {
  await connection.change("begin");
  try {
    // One at a time: the number is this lock's alone.
    await connection.rows("select pg_advisory_xact_lock(31310431)");
    await connection.change("create schema if not exists m31a");
    await connection.change(
      "create table if not exists m31a.version (version integer not null, only_row boolean primary key default true check (only_row))",
    );
    const before = await versionOf(connection);
    if (before > SCHEMA_VERSION) throw newer(before);
    for (const sql of MIGRATIONS.slice(before)) {
      for (const statement of sql.split(";")) {
        if (statement.trim() !== "") await connection.change(statement);
      }
    }
    await connection.change(
      "insert into m31a.version (version) values ($1) on conflict (only_row) do update set version = excluded.version",
      [SCHEMA_VERSION],
    );
    await connection.change("commit");
    return before;
  } catch (error) {
    await connection.change("rollback");
    throw error;
  }
}

function roleStatements(): string[] {
  const make = (role: string) =>
    `do $$ begin create role ${role} nologin; exception when duplicate_object then null; end $$`;
  return [
    make(ROLES.writer),
    make(ROLES.reader),
    `grant usage on schema m31a to ${ROLES.writer}, ${ROLES.reader}`,
    `grant select on m31a.version to ${ROLES.writer}, ${ROLES.reader}`,
    `grant insert on ${TABLES} to ${ROLES.writer}`,
    `grant select on ${TABLES} to ${ROLES.reader}`,
  ];
}

async function versionOf(connection: TeamConnection): Promise<number> {
  const [row] = await connection.rows("select version from m31a.version");
  return Number(row?.[0] ?? 0);
}

/**
 * Makes sure that the tables are those that this m31a knows.
 *
 * @throws {WorkFailed} when they are older or newer
 */
export async function expectSchema(connection: TeamConnection): Promise<void> {
  const version = await versionOf(connection);
  if (version > SCHEMA_VERSION) throw newer(version);
  if (version === SCHEMA_VERSION) return;
  throw new WorkFailed(
    `The team's ledger is of version ${version}; this m31a needs ${SCHEMA_VERSION}. Its owner brings it there: m31a ledger init`,
  );
}

function newer(version: number): WorkFailed {
  return new WorkFailed(
    `The team's ledger is of version ${version}; this m31a knows ${SCHEMA_VERSION}. Update m31a`,
  );
}
