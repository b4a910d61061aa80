/**
 * Attempts with memory beside those without, as text for a terminal.
 * Rule: pure; no line is wider than asked, and what is said of the difference stands below the numbers.
 */
import type { LedgerStats } from "../../ledger/stats.ts";
import { numberTable } from "../../faces/terminal/charts.ts";
import { formatCount, formatPercent } from "../../faces/terminal/numbers.ts";
import { wrapText } from "../../faces/terminal/wrap.ts";
import { intervalText, memoryVerdict, rateInterval } from "./memory_verdict.ts";
import type { Look } from "./look.ts";

/** The comparison. */
export function renderMemory({ withMemory, withoutMemory }: LedgerStats, look: Look): string {
  const table = numberTable(
    [
      { title: "Memory", align: "left" },
      { title: "Attempts", align: "right" },
      { title: "Shipped", align: "right" },
      { title: "95 %", align: "right" },
    ],
    [withMemory, withoutMemory].map((group) => [
      group.name,
      formatCount(group.attempts),
      group.shipRate === null ? "–" : formatPercent(group.shipRate),
      intervalText(rateInterval(group)),
    ]),
    look,
  );
  const verdict = wrapText(memoryVerdict(withMemory, withoutMemory), look.width);
  return `${table}\n${verdict.join("\n")}\n`;
}
