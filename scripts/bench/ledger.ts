/**
 * `m31a ledger stats` over made-up ledgers, beside jq and DuckDB computing the same totals from the same file.
 * Rule: all three must come to the same totals; what is not installed is said aloud and left out.
 */
import { join } from "@std/path";
import { appendLines, madeUpEntry, writeMadeUpLedger } from "./ledger/made_up_ledger.ts";
import { type Measured, measureProgram } from "./ledger/measure_program.ts";
import { compileM31a, EXECUTABLE } from "../compile.ts";
import { encodeEntry } from "../../src/ledger/entry.ts";
import { LEDGER_PATH } from "../../src/ledger/paths.ts";
import type { Row } from "./benchmark.ts";

const SIZES = [1_000, 100_000, 1_000_000];
const LARGEST = 1_000_000;
const NEW_ENTRIES = 100;
const GOAL_FIRST_MS = 3_000;
const GOAL_SECOND_MS = 200;
const GOAL_MEMORY_MB = 200;

/** The totals that every way must come to. */
interface Totals {
  attempts: number;
  shipped: number;
  workingMs: number;
  tokens: number;
  cost: number;
}

const JQ_PROGRAM =
  `reduce inputs as $entry ({attempts: 0, shipped: 0, workingMs: 0, tokens: 0, cost: 0};
  .attempts += 1
  | .shipped += (if $entry.outcome == "shipped" then 1 else 0 end)
  | .workingMs += $entry.workingMs
  | .tokens += $entry.usage.input + $entry.usage.output
  | .cost += $entry.usage.cost)`;

/** Run by Deno in a process of its own, so that the project does not depend on DuckDB. */
const DUCKDB_SCRIPT = `
import { DuckDBInstance } from "npm:@duckdb/node-api@1.5.6-r.1";
const connection = await (await DuckDBInstance.create(":memory:")).connect();
const reader = await connection.runAndReadAll(\`
  select count(*)::double as attempts, count(*) filter (outcome = 'shipped')::double as shipped,
    sum(workingMs)::double as "workingMs", sum(usage.input + usage.output)::double as tokens,
    sum(usage.cost)::double as cost
  from read_json('\${Deno.args[0]}', format = 'newline_delimited', columns = {
    outcome: 'varchar', workingMs: 'bigint',
    usage: 'struct(input bigint, output bigint, cost double)' })\`);
console.log(JSON.stringify(reader.getRowObjects()[0]));
`;

export const name = "ledger";

export async function run(): Promise<Row[]> {
  const code = await compileM31a();
  if (code !== 0) throw new Error(`deno compile failed with exit code ${code}`);
  const root = Deno.makeTempDirSync({ prefix: "m31a-bench-" });
  try {
    Deno.mkdirSync(join(root, "planning"));
    const duckdb = join(root, "duckdb.mjs");
    Deno.writeTextFileSync(duckdb, DUCKDB_SCRIPT);
    const rows: Row[] = [];
    for (const size of SIZES) rows.push(...await measureSize(root, duckdb, size));
    return rows;
  } finally {
    Deno.removeSync(root, { recursive: true });
  }
}

async function measureSize(root: string, duckdb: string, size: number): Promise<Row[]> {
  const path = join(root, LEDGER_PATH);
  writeMadeUpLedger(path, size);
  const first = await stats(root);
  const jq = await measure("jq", ["-n", JQ_PROGRAM, path], root);
  const duck = await measure(
    Deno.execPath(),
    ["run", "-A", "--quiet", "--no-lock", duckdb, path],
    root,
  );
  for (const other of [jq, duck]) if (other !== undefined) assertSame(first, other);
  appendLines(
    path,
    Array.from({ length: NEW_ENTRIES }, (_, n) => encodeEntry(madeUpEntry(size + n, size))),
  );
  const second = await stats(root);
  const entries = `${size.toLocaleString("en-US")} entries`;
  const isLargest = size === LARGEST;
  const goal = (what: string, isGoalMet: boolean) => isLargest ? { goal: what, isGoalMet } : {};
  return [
    row(`ledger stats: ${entries}, the first time`, first, "jq", jq, {
      ...goal("at most 3 s", first.durationMs <= GOAL_FIRST_MS),
    }),
    row(`ledger stats: ${entries}, the first time`, first, "DuckDB", duck, {}),
    row(`ledger stats: ${entries}, again after ${NEW_ENTRIES} new ones`, second, "DuckDB", duck, {
      ...goal("at most 0.2 s", second.durationMs <= GOAL_SECOND_MS),
    }),
    {
      what: `ledger stats: ${entries}, peak memory`,
      value: first.peakMb,
      unit: "MB",
      ...(duck === undefined ? {} : { reference: { what: "DuckDB", value: duck.peakMb } }),
      ...goal("at most 200 MB", first.peakMb <= GOAL_MEMORY_MB),
    },
  ];
}

function row(
  what: string,
  measured: Measured,
  referenceName: string,
  reference: Measured | undefined,
  goal: { goal?: string; isGoalMet?: boolean },
): Row {
  return {
    what,
    value: measured.durationMs,
    unit: "ms",
    ...(reference === undefined
      ? {}
      : { reference: { what: referenceName, value: reference.durationMs } }),
    ...goal,
  };
}

async function stats(root: string): Promise<Measured & { totals: Totals }> {
  const measured = await measureProgram(EXECUTABLE, ["ledger", "stats", "--json"], root);
  return { ...measured, totals: JSON.parse(measured.stdout).all };
}

/** The same totals by another program; undefined when it does not run here. */
async function measure(
  program: string,
  args: readonly string[],
  root: string,
): Promise<Measured & { totals: Totals } | undefined> {
  try {
    const measured = await measureProgram(program, args, root);
    return { ...measured, totals: JSON.parse(measured.stdout) };
  } catch (error) {
    console.error(`left out: ${program} ${args[0]}: ${error}`);
    return undefined;
  }
}

function assertSame(ours: { totals: Totals }, theirs: { totals: Totals }): void {
  for (const key of ["attempts", "shipped", "workingMs", "tokens", "cost"] as const) {
    const difference = Math.abs(ours.totals[key] - theirs.totals[key]);
    if (difference > 1e-6 * ours.totals[key]) {
      throw new Error(`the totals differ in ${key}: ${ours.totals[key]} and ${theirs.totals[key]}`);
    }
  }
}
