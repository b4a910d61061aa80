/**
 * `m31a ledger list`, `show` and `verify`: the entries themselves.
 * Rule: what is shown was read whole and checked; text from outside is stripped of control sequences.
 */
import { type ExitCode, UsageError } from "../../platform/errors.ts";
import { stripControlSequences } from "../../platform/text.ts";
import { systemClock } from "../../platform/clock.ts";
import type { LedgerEntry } from "../../ledger/entry.ts";
import { dayOf } from "../../ledger/entry_view.ts";
import { readLedger, verifyLedger } from "../../ledger/ledger.ts";
import type { EntryFilter } from "../../ledger/ledger_fold.ts";
import { LEDGER_PATH } from "../../ledger/paths.ts";
import { dropFold } from "../../ledger/stats_cache.ts";
import { printLine, write } from "../../platform/output.ts";
import type { CommandContext } from "../command_context.ts";
import { createPaint, type StyleName, wantsColour } from "../../faces/terminal/ansi.ts";
import { isUnicodeTerminal, numberTable } from "../../faces/terminal/charts.ts";
import { costText } from "../../platform/cost_text.ts";
import { formatDuration } from "../../faces/terminal/numbers.ts";
import { filterOf, type FilterOptions } from "./filter.ts";
import { NOTHING_YET } from "./stats_view.ts";

const OUTCOME_STYLES: Readonly<Record<LedgerEntry["outcome"], readonly StyleName[]>> = {
  shipped: ["green"],
  failed: ["red"],
  abandoned: ["yellow"],
  unknown: ["dim"],
};

/** Prints the entries, newest last; `--json`: one a line, as they stand in the ledger. */
export async function list(
  options: FilterOptions & { json?: true | undefined },
  context: CommandContext,
): Promise<ExitCode> {
  const filter = filterOf(options, systemClock.now());
  const entries = (await readLedger(LEDGER_PATH)).map(({ entry }) => entry)
    .filter((entry) => passes(entry, filter));
  if (options.json) {
    for (const entry of entries) printLine(JSON.stringify(entry));
    return 0;
  }
  if (entries.length === 0) {
    write(NOTHING_YET);
    return 0;
  }
  const rows = entries.map((entry) => [
    entry.attempt === 1 ? entry.session : `${entry.session}#${entry.attempt}`,
    { text: entry.outcome, styles: OUTCOME_STYLES[entry.outcome] },
    formatDuration(entry.workingMs),
    costOf(entry),
    entry.goal.slice(0, 200),
  ]);
  const columns = [
    { title: "Session", align: "left" },
    { title: "Outcome", align: "left" },
    { title: "Time", align: "right" },
    { title: "Cost", align: "right" },
    { title: "Goal", align: "left" },
  ] as const;
  write(numberTable(columns, rows, {
    paint: createPaint(wantsColour(Deno.stdout.isTerminal(), context.environment)),
    isUnicode: isUnicodeTerminal(context.environment),
  }));
  return 0;
}

function passes(entry: LedgerEntry, filter: EntryFilter): boolean {
  const day = dayOf(entry.ended);
  return (filter.sinceDay === undefined || day >= filter.sinceDay) &&
    (filter.untilDay === undefined || day <= filter.untilDay) &&
    (filter.model === undefined || entry.model === filter.model) &&
    (filter.outcome === undefined || entry.outcome === filter.outcome);
}

/** Prints the entries of the session that `id`, or the beginning of it, names. */
export async function show(id: string, options: { json?: true | undefined }): Promise<ExitCode> {
  const entries = (await readLedger(LEDGER_PATH)).map(({ entry }) => entry)
    .filter((entry) => entry.session.startsWith(id));
  const sessions = new Set(entries.map((entry) => entry.session));
  if (sessions.size !== 1) {
    throw new UsageError(
      sessions.size === 0
        ? `${id}: no session of this name is in ${LEDGER_PATH}. List them: m31a ledger list`
        : `${id}: ${sessions.size} sessions begin with this: ${
          [...sessions].slice(0, 5).join(", ")
        }.`,
    );
  }
  for (const entry of entries) {
    const text = options.json ? JSON.stringify(entry) : JSON.stringify(entry, null, 2);
    printLine(options.json ? text : stripControlSequences(text));
  }
  return 0;
}

/** Checks every line; resolves to 3 when something is damaged. The kept statistics are thrown away. */
export async function verify(options: { json?: true | undefined }): Promise<ExitCode> {
  const verdict = await verifyLedger(LEDGER_PATH);
  dropFold(".");
  if (options.json) {
    printLine(JSON.stringify({ path: LEDGER_PATH, ...verdict }));
  } else {
    for (const { line, why } of verdict.findings) {
      printLine(stripControlSequences(`${LEDGER_PATH}:${line}: ${why}.`));
    }
    const doubled = verdict.duplicates === 0
      ? ""
      : `, ${verdict.duplicates} doubled lines not counted`;
    const state = verdict.findings.length === 0
      ? "sound"
      : `${verdict.findings.length} damaged lines`;
    printLine(`${LEDGER_PATH}: ${verdict.entries} entries, ${state}${doubled}`);
  }
  return verdict.findings.length === 0 ? 0 : 3;
}

/** What an attempt cost. "mixed" has requests whose cost is not known. */
function costOf({ usage: { cost, requests, source } }: LedgerEntry): string {
  const unpriced = { none: requests, mixed: 1, estimated: 0, reported: 0 }[source];
  return costText({ cost, requests, unpriced, estimated: source === "estimated" ? 1 : 0 });
}
