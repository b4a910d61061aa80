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
type Key = keyof typeof KEYS;

/** The groupings whose percentiles come from one walk over the table: their groups are few, taken together. */
const WALKS: readonly (readonly Key[])[] = [["memory", "model"], ["project"], ["author"], ["week"]];

const COUNTED = [
  ...OUTCOMES.map((_, outcome) => `count(*) filter (where outcome = ${outcome})`),
  ...SUM_COLUMNS.map((column) => `coalesce(sum(${column}), 0)`),
  "count(*) filter (where attempt = 1)",
];

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
    const isAsked = (key: Key) =>
      // Sums of all attempts come from memory's.
      key === "memory" || parts.has(key) || (key === "week" && parts.has("trend"));
    const keys = WALKS.flat().filter(isAsked);
    const { tallies, work } = await this.#sums(keys, parts.has("work"));
    for (const walk of WALKS) {
      const own = walk.filter((key) => key === "memory" || parts.has(key));
      if (own.length > 0) await this.#buckets(own, tallies);
    }
    const { memory, model: models, project: projects, author: authors, week: weeks } = tallies;
    const extensions = parts.has("extension") ? await this.#extensions() : new Map();
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
    const known = new KeySet();
    const fold = new LedgerFold(this.#filter, data, known);
    await this.#inherited(fold, known);
    return fold;
  }

  #rows(sql: string): Promise<unknown[][]> {
    return this.#connection.rows(sql, this.#values);
  }

  /** The sums of every group, from one walk over the table: summed by all keys at once, and those sums by each. */
  async #sums(
    keys: readonly Key[],
    withWork: boolean,
  ): Promise<{ tallies: Record<Key, Map<string, TallyData>>; work: [string, string, number[]][] }> {
    const columns = [...keys.map((key) => `${KEYS[key]} as by_${key}`)];
    if (withWork) columns.push("model as work_model", "main_extension");
    const sums = COUNTED.map((_, index) => `sum(s${index})`).join(", ");
    const groups = [
      ...keys.map((key) => `select '${key}', by_${key}::text, null, ${sums} from fine group by 2`),
      ...(withWork
        ? [
          `select 'work', work_model, main_extension, ${sums} from fine
           where main_extension is not null group by 2, 3`,
        ]
        : []),
    ];
    const rows = await this.#rows(
      `with fine as materialized (
         select ${columns.join(", ")}, ${
        COUNTED.map((sum, index) => `${sum} as s${index}`).join(", ")
      } from m31a.entries where ${this.#where} group by ${columns.map((_, n) => n + 1).join(", ")})
       ${groups.join(" union all ")}`,
    );
    const tallies: Record<Key, Map<string, TallyData>> = {
      memory: new Map(),
      model: new Map(),
      project: new Map(),
      author: new Map(),
      week: new Map(),
    };
    const work: [string, string, number[]][] = [];
    for (const [part, name, extension, ...values] of rows) {
      const key = keys.find((known) => known === part);
      if (key === undefined) work.push([String(name), String(extension), sumsOf(values)]);
      else {
        tallies[key].set(String(name), {
          sums: sumsOf(values),
          workingMs: [],
          tokens: [],
          cost: [],
        });
      }
    }
    return { tallies, work };
  }

  /** Adds the buckets of the measures to the groups of `keys`. */
  async #buckets(
    keys: readonly Key[],
    tallies: Readonly<Record<Key, Map<string, TallyData>>>,
  ): Promise<void> {
    const names = keys.map((key) => `${KEYS[key]}::text`).join(", ");
    const by = keys.map((_, index) => index + 2).join(", ");
    for (
      const row of await this.#rows(
        MEASURES.map((measure, index) =>
          `select ${index}, ${names}, ${measure}_bucket, count(*)
         from m31a.entries where ${this.#where} group by ${by}, ${keys.length + 2}`
        ).join(" union all "),
      )
    ) {
      const [bucket, count] = row.slice(keys.length + 1).map(Number);
      keys.forEach((key, index) => {
        const tally = tallies[key].get(String(row[index + 1]));
        const counts = [tally?.workingMs, tally?.tokens, tally?.cost][Number(row[0])];
        if (counts === undefined || bucket === undefined) return;
        while (counts.length <= bucket) counts.push(0);
        counts[bucket] = (counts[bucket] ?? 0) + (count ?? 0);
      });
    }
  }

  async #extensions(): Promise<Map<string, number[]>> {
    const rows = await this.#rows(
      `select extension, ${
        COUNTED.join(", ")
      } from m31a.extensions where ${this.#where} group by 1`,
    );
    return new Map(rows.map(([name, ...sums]) => [String(name), sumsOf(sums)]));
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
