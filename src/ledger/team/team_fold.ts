/**
 * The fold of a team's entries, computed in SQL where the data is: only totals travel.
 * Rule: it says what the fold over the same entries in a file says; a property test holds them together.
 */
import {
  CAUSE_NUMBERS as CAUSE_SLOTS,
  type EntryFilter,
  type FoldData,
  FOLDED_PHASE_NUMBERS,
  LedgerFold,
} from "../ledger_fold.ts";
import { hashKey, KeySet } from "../key_set.ts";
import { CAUSES, OUTCOMES, PHASES } from "../names.ts";
import { SUM_NAMES, Tally, type TallyData } from "../tally.ts";
import type { TeamPart } from "./parts.ts";
import type { TeamConnection } from "./connection.ts";
import {
  CAUSE_COLUMNS,
  CAUSE_NUMBERS,
  expectSchema,
  PHASE_COLUMNS,
  PHASE_NUMBERS,
  SUM_COLUMNS,
} from "./schema.ts";

const NANODOLLARS = 1e9;
const COST = SUM_COLUMNS.indexOf("cost");
const MEASURES = ["working_ms", "tokens", "cost"] as const;

/** The key of each grouping in SQL. */
const KEYS = {
  memory: "had_memory::int",
  model: "model",
  project: "project",
  author: "coalesce(author, '')",
  week: "week",
} as const;

const COUNTED = [
  ...OUTCOMES.map((_, outcome) => `count(*) filter (where outcome = ${outcome})`),
  ...SUM_COLUMNS.map((column) => `coalesce(sum(${column}), 0)`),
  "count(*) filter (where attempt = 1)",
].join(", ");

/** Folds the team's entries. What is not among `parts` is empty; sums of all attempts are always there. */
export async function foldTeam(
  connection: TeamConnection,
  filter: EntryFilter,
  parts: ReadonlySet<TeamPart>,
): Promise<LedgerFold> {
  await expectSchema(connection);
  return await new TeamQuery(connection, filter).fold(parts);
}

class TeamQuery {
  readonly #connection: TeamConnection;
  readonly #filter: EntryFilter;
  readonly #where: string;
  readonly #values: unknown[] = [];

  constructor(connection: TeamConnection, filter: EntryFilter) {
    this.#connection = connection;
    this.#filter = filter;
    const { sinceDay, untilDay, model, outcome } = filter;
    const conditions: [string, unknown][] = [
      ["day >=", sinceDay],
      ["day <=", untilDay],
      ["model =", model],
      ["outcome =", outcome === undefined ? undefined : OUTCOMES.indexOf(outcome)],
    ];
    const given = conditions.filter(([, value]) => value !== undefined);
    this.#values = given.map(([, value]) => value);
    this.#where = ["true", ...given.map(([test], index) => `${test} $${index + 1}`)].join(" and ");
  }

  async fold(parts: ReadonlySet<TeamPart>): Promise<LedgerFold> {
    const tallies = async (part: keyof typeof KEYS) =>
      parts.has(part) ? await this.#tallies(KEYS[part]) : new Map<string, TallyData>();
    // Sums of all attempts come from here.
    const memory = await this.#tallies(KEYS.memory);
    const models = await tallies("model");
    const projects = await tallies("project");
    const authors = await tallies("author");
    const weeks = await tallies("week");
    const extensions = parts.has("extension") ? await this.#extensions() : new Map();
    const work = parts.has("work") ? await this.#work() : [];
    const names = {
      models: [...new Set([...models.keys(), ...work.map(([model]) => model)])],
      projects: [...projects.keys()],
      authors: [...authors.keys()],
      extensions: [...new Set([...extensions.keys(), ...work.map(([, extension]) => extension)])],
    };
    const empty = new Tally().toData();
    const data: FoldData = {
      names,
      memory: [memory.get("0") ?? empty, memory.get("1") ?? empty],
      models: names.models.map((name) => models.get(name) ?? empty),
      projects: [...projects.values()],
      authors: [...authors.values()],
      weeks: [...weeks].map(([week, tally]) => [Number(week), tally]),
      extensions: names.extensions.map((name) => extensions.get(name) ?? empty.sums),
      work: work.map(([model, extension, sums]) => [
        names.models.indexOf(model),
        names.extensions.indexOf(extension),
        sums,
      ]),
      phases: parts.has("phase") ? await this.#phases() : [],
      causes: parts.has("cause") ? await this.#causes() : [],
      inherited: [],
    };
    const keys = new KeySet();
    const fold = new LedgerFold(this.#filter, data, keys);
    await this.#inherited(fold, keys);
    return fold;
  }

  #rows(sql: string): Promise<unknown[][]> {
    return this.#connection.rows(sql, this.#values);
  }

  async #tallies(key: string): Promise<Map<string, TallyData>> {
    const from = `from m31a.entries where ${this.#where}`;
    const tallies = new Map<string, TallyData>();
    for (
      const [name, ...sums] of await this.#rows(`select ${key}, ${COUNTED} ${from} group by 1`)
    ) {
      tallies.set(String(name), { sums: sumsOf(sums), workingMs: [], tokens: [], cost: [] });
    }
    const buckets = MEASURES.map((measure, index) =>
      `select ${index}, ${key}, ${measure}_bucket, count(*) ${from} group by 2, 3`
    ).join(" union all ");
    for (const [measure, name, bucket, count] of await this.#rows(buckets)) {
      const tally = tallies.get(String(name));
      const counts = [tally?.workingMs, tally?.tokens, tally?.cost][Number(measure)];
      if (counts === undefined) continue;
      while (counts.length <= Number(bucket)) counts.push(0);
      counts[Number(bucket)] = Number(count);
    }
    return tallies;
  }

  async #extensions(): Promise<Map<string, number[]>> {
    const rows = await this.#rows(
      `select extension, ${COUNTED} from m31a.extensions where ${this.#where} group by 1`,
    );
    return new Map(rows.map(([name, ...sums]) => [String(name), sumsOf(sums)]));
  }

  async #work(): Promise<[string, string, number[]][]> {
    const rows = await this.#rows(
      `select model, main_extension, ${COUNTED} from m31a.entries
       where ${this.#where} and main_extension is not null group by 1, 2`,
    );
    return rows.map(([model, extension, ...sums]) => [
      String(model),
      String(extension),
      sumsOf(sums),
    ]);
  }

  async #phases(): Promise<number[]> {
    const columns = PHASE_COLUMNS.map((column) => `coalesce(sum(${column}), 0)`);
    const attempts = PHASES.map((phase) => `count(phase_${phase}_ms)`);
    const [row = []] = await this.#rows(
      `select ${[...columns, ...attempts].join(", ")} from m31a.entries where ${this.#where}`,
    );
    const numbers = row.map(Number);
    return PHASES.flatMap((_, phase) => {
      const start = phase * PHASE_NUMBERS.length;
      const [ms = 0, requests = 0, tokens = 0, cost = 0] = numbers.slice(start);
      const count = numbers[PHASE_COLUMNS.length + phase] ?? 0;
      return [ms, requests, tokens, cost / NANODOLLARS, count].slice(0, FOLDED_PHASE_NUMBERS);
    });
  }

  async #causes(): Promise<number[]> {
    const columns = CAUSE_COLUMNS.map((column) => `coalesce(sum(${column}), 0)`);
    const attempts = CAUSES.map((cause) => `count(cause_${cause}_failures)`);
    const [row = []] = await this.#rows(
      `select ${[...columns, ...attempts].join(", ")} from m31a.entries where ${this.#where}`,
    );
    const numbers = row.map(Number);
    return CAUSES.flatMap((_, cause) => {
      const start = cause * CAUSE_NUMBERS.length;
      const count = numbers[CAUSE_COLUMNS.length + cause] ?? 0;
      return [...numbers.slice(start, start + CAUSE_NUMBERS.length), count].slice(0, CAUSE_SLOTS);
    });
  }

  /** What forks brought along, and which of the sessions that they came from have entries of their own. */
  async #inherited(fold: LedgerFold, keys: KeySet): Promise<void> {
    const rows = await this.#rows(
      `select inherited, had_memory, model, project, coalesce(author, ''), week
       from m31a.entries where ${this.#where} and inherited is not null`,
    );
    if (rows.length === 0) return;
    const sessions = new Set<string>();
    for (const [inherited, hadMemory, model, project, author, week] of rows) {
      if (!Array.isArray(inherited)) continue;
      for (const usage of inherited) {
        sessions.add(usage.session);
        fold.keepInherited({
          usage,
          hadMemory: hadMemory === true,
          model: fold.names.models.idOf(String(model)),
          project: fold.names.projects.idOf(String(project)),
          author: fold.names.authors.idOf(String(author)),
          week: Number(week),
        });
      }
    }
    const known = await this.#connection.rows(
      "select distinct session from m31a.entries where session = any($1) and attempt = 1",
      [[...sessions]],
    );
    const hash = { high: 0, low: 0 };
    for (const [session] of known) {
      const bytes = new TextEncoder().encode(String(session));
      hashKey(bytes, 0, bytes.length, 1, hash);
      keys.add(hash.high, hash.low);
    }
  }
}

/** The numbers of {@linkcode COUNTED} as those of a tally. */
function sumsOf(values: readonly unknown[]): number[] {
  const sums = values.map(Number);
  const cost = OUTCOMES.length + COST;
  sums[cost] = (sums[cost] ?? 0) / NANODOLLARS;
  return sums.slice(0, SUM_NAMES.length);
}
