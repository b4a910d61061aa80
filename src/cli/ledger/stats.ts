/**
 * `m31a ledger stats`: what all the sessions brought.
 * Rule: no zod and no model on this path; a million entries are folded in seconds.
 */
import { systemClock } from "../../platform/clock.ts";
import { type ExitCode, UsageError } from "../../platform/errors.ts";
import type { LedgerFold } from "../../ledger/ledger_fold.ts";
import { findLedgers, foldLedgers, foldOwnLedger } from "../../ledger/ledger_sources.ts";
import { statsOf } from "../../ledger/stats.ts";
import { TEAM_PARTS, type TeamPart } from "../../ledger/team/parts.ts";
import { csvOf, type Grouping, GROUPINGS, statsTable } from "../../ledger/stats_table.ts";
import { printLine, write } from "../../platform/output.ts";
import type { CommandContext } from "../command_context.ts";
import { createPaint, wantsColour } from "../../faces/terminal/ansi.ts";
import { isUnicodeTerminal } from "../../faces/terminal/charts.ts";
import { filterOf, type FilterOptions } from "./filter.ts";
import { renderGrouping, renderOverview } from "./stats_view.ts";

/** What was typed behind `ledger stats`. */
export interface StatsOptions extends FilterOptions {
  team?: true | undefined;
  by?: string | undefined;
  json?: true | undefined;
  csv?: true | undefined;
}

/** How wide the output is at most. */
const MOST_COLUMNS = 80;

/** Prints statistics of the project's ledger, or of those named. */
export async function run(
  sources: readonly string[],
  options: StatsOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const by = groupingOf(options.by);
  const isWhole = options.json !== undefined;
  const stats = statsOf(
    options.team
      ? await foldTeams(sources, options, isWhole ? TEAM_PARTS : partsOf(by), context)
      : await foldNamed(sources, options),
  );
  if (options.json) {
    const { since = null, until = null, model = null, outcome = null } = options;
    printLine(JSON.stringify({ version: 2, sources, since, until, model, outcome, ...stats }));
    return 0;
  }
  if (options.csv) {
    write(csvOf(statsTable(stats, by ?? "model")));
    return 0;
  }
  const look = {
    paint: createPaint(wantsColour(Deno.stdout.isTerminal(), context.environment)),
    isUnicode: isUnicodeTerminal(context.environment),
    ...screen(),
  };
  write(by === undefined ? renderOverview(stats, look) : renderGrouping(stats, by, look));
  return 0;
}

/** The fold of the ledgers that `sources` name; none: the project's own. */
export async function foldNamed(
  sources: readonly string[],
  options: FilterOptions,
): Promise<LedgerFold> {
  const filter = filterOf(options, systemClock.now());
  if (sources.length === 0) return await foldOwnLedger(".", filter);
  return await foldLedgers(findLedgers(sources), filter);
}

/**
 * The fold of the team's ledger.
 *
 * @param parts what is to be computed; sums of all attempts always are
 */
export async function foldTeams(
  sources: readonly string[],
  options: FilterOptions,
  parts: readonly TeamPart[],
  { environment }: CommandContext,
): Promise<LedgerFold> {
  if (sources.length > 0) {
    throw new UsageError("--team asks the team's ledger alone: name no other ledgers beside it.");
  }
  const filter = filterOf(options, systemClock.now());
  const { expectTeamLedger } = await import("../../agent/team_ledger.ts");
  const team = await expectTeamLedger(".", environment);
  const { PATIENCE_MS } = await import("./team.ts");
  const { foldTeam } = await import("../../ledger/team/team_fold.ts");
  return await team.connect(
    PATIENCE_MS,
    (connection) => foldTeam(connection, filter, new Set(parts)),
  );
}

/** What a view shows, and no more: each part is a walk over the table. */
function partsOf(by: Grouping | undefined): readonly TeamPart[] {
  if (by === undefined) return ["memory", "model", "trend", "extension", "work", "cause"];
  if (by === "model") return ["model", "extension", "work"];
  return [by];
}

function groupingOf(by: string | undefined): Grouping | undefined {
  const grouping = GROUPINGS.find((known) => known === by);
  if (by === undefined || grouping !== undefined) return grouping;
  throw new UsageError(`--by ${by}: is one of ${GROUPINGS.join(", ")}.`);
}

/** The line on which the shell asks for the next command stays free. */
function screen(): { width: number; height?: number } {
  if (!Deno.stdout.isTerminal()) return { width: MOST_COLUMNS };
  const { columns, rows } = Deno.consoleSize();
  return { width: Math.min(MOST_COLUMNS, columns), height: rows - 1 };
}
