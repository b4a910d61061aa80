/**
 * A team's ledger in PostgreSQL: pushing entries, and statistics over a million of them.
 * Rule: into the database that M31A_BENCH_LEDGER_URL names, whose schema m31a is dropped; without one it is left out, aloud.
 */
import { madeUpEntry } from "./ledger/made_up_ledger.ts";
import { parseTeamAddress } from "../../src/ledger/team/address.ts";
import { type TeamConnection, withTeamConnection } from "../../src/ledger/team/connection.ts";
import { pushEntries } from "../../src/ledger/team/push.ts";
import { initSchema } from "../../src/ledger/team/schema.ts";
import { foldTeam } from "../../src/ledger/team/team_fold.ts";
import { type Row, timeMs } from "./benchmark.ts";

const PUSHED = 10_000;
const ALL = 1_000_000;
const BATCH = 10_000;
const GOAL_A_SECOND = 5_000;
const GOAL_STATS_MS = 1_000;
const PATIENCE_MS = 3_600_000;
/** What the overview of `ledger stats --team` asks for. */
const OVERVIEW = ["memory", "model", "trend", "extension", "work", "cause"] as const;

export const name = "team";

export async function run(): Promise<Row[]> {
  const url = Deno.env.get("M31A_BENCH_LEDGER_URL");
  if (url === undefined) {
    console.error("left out: M31A_BENCH_LEDGER_URL names no PostgreSQL database to measure in");
    return [];
  }
  const address = parseTeamAddress(url);
  const secrets = { password: address.password, certificates: undefined };
  return await withTeamConnection(address, secrets, PATIENCE_MS, measure);
}

async function measure(connection: TeamConnection): Promise<Row[]> {
  await connection.change("drop schema if exists m31a cascade");
  await initSchema(connection);
  const entries = (from: number, count: number) =>
    Array.from({ length: count }, (_, index) => madeUpEntry(from + index, ALL));
  const first = entries(0, PUSHED);
  const pushMs = await timeMs(() => pushEntries(connection, first, true));
  for (let from = PUSHED; from < ALL; from += BATCH) {
    await pushEntries(connection, entries(from, BATCH), true);
  }
  await connection.change("vacuum analyze m31a.entries");
  await connection.change("vacuum analyze m31a.extensions");
  const countMs = await timeMs(() => connection.rows("select count(*) from m31a.entries"));
  const statsMs = await timeMs(() => foldTeam(connection, {}, new Set(OVERVIEW)));
  const oneMs = await timeMs(() => foldTeam(connection, {}, new Set(["author"])));
  const aSecond = Math.round(PUSHED / pushMs * 1000);
  const count = ALL.toLocaleString("en-US");
  return [
    {
      what: `ledger push: ${PUSHED.toLocaleString("en-US")} entries to PostgreSQL`,
      value: pushMs,
      unit: "ms",
      goal: `at least ${GOAL_A_SECOND.toLocaleString("en-US")} a second`,
      isGoalMet: aSecond >= GOAL_A_SECOND,
    },
    {
      what: `ledger stats --team: ${count} entries, the overview`,
      value: statsMs,
      unit: "ms",
      reference: { what: "select count(*)", value: countMs },
      goal: "at most 1 s",
      isGoalMet: statsMs <= GOAL_STATS_MS,
    },
    {
      what: `ledger stats --team --by author: ${count} entries`,
      value: oneMs,
      unit: "ms",
      goal: "at most 1 s",
      isGoalMet: oneMs <= GOAL_STATS_MS,
    },
  ];
}
