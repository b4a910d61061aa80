/**
 * `m31a ledger report`: the statistics as planning/report.html.
 * Rule: replaced in one step, never through a symbolic link.
 */
import { basename, dirname } from "@std/path";
import { systemClock } from "../../platform/clock.ts";
import type { ExitCode } from "../../platform/errors.ts";
import { ensureDirectory, refuseSymlinks, writeAtomically } from "../../platform/files.ts";
import { renderReport } from "../../ledger/report/report.ts";
import { statsOf } from "../../ledger/stats.ts";
import { printLine } from "../../platform/output.ts";
import type { FilterOptions } from "./filter.ts";
import { TEAM_PARTS, type TeamPart } from "../../ledger/team/parts.ts";
import type { CommandContext } from "../command_context.ts";
import { foldNamed, foldTeams } from "./stats.ts";

/** Where the report is written. */
const REPORT_PATH = "planning/report.html";

/** Writes the report of the project's ledger, or of those named, and prints its path. */
export async function run(
  sources: readonly string[],
  options: FilterOptions & { team?: true | undefined; authors: boolean },
  context: CommandContext,
): Promise<ExitCode> {
  const stats = statsOf(
    options.team
      ? await foldTeams(sources, options, partsOf(options.authors), context)
      : await foldNamed(sources, options),
  );
  const title = options.team
    ? "The team"
    : sources.length === 0
    ? basename(Deno.cwd())
    : sources.join(", ");
  refuseSymlinks(".", REPORT_PATH);
  ensureDirectory(dirname(REPORT_PATH));
  const shown = options.authors ? stats : { ...stats, byAuthor: [] };
  writeAtomically(REPORT_PATH, renderReport(shown, { title, madeAt: systemClock.now() }));
  printLine(REPORT_PATH);
  return 0;
}

/** All that a report shows; who did what is not even asked for where it is not to be shown. */
function partsOf(withAuthors: boolean): readonly TeamPart[] {
  return TEAM_PARTS.filter((part) => withAuthors || part !== "author");
}
