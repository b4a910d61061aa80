/**
 * Statistics as text for a terminal: headline numbers, a weekly trend, models, causes.
 * Rule: pure; no line is wider than asked; numbers first, small bars beside them.
 */
import type { GroupStats, GroupSums, LedgerStats } from "../../ledger/stats.ts";
import { sinceLastWeek } from "../../ledger/last_week.ts";
import type { Grouping } from "../../ledger/stats_table.ts";
import type { Span, StyleName } from "../../faces/terminal/ansi.ts";
import { bar, numberTable, sparkline } from "../../faces/terminal/charts.ts";
import { formatCount, formatDuration, formatPercent } from "../../faces/terminal/numbers.ts";
import { formatCost } from "../../platform/cost_text.ts";
import { truncate } from "../../faces/terminal/width.ts";
import { wrapText } from "../../faces/terminal/wrap.ts";
import type { Look } from "./look.ts";
import { renderMemory } from "./memory_view.ts";
import { fitOverview } from "./overview_fit.ts";

/** What is said of a ledger without entries. */
export const NOTHING_YET =
  "No session has finished here yet. When one ships, fails or is closed, its numbers appear here.\n";

const BAR_COLUMNS = 10;
/** How many weeks the trend shows. */
const TREND_WEEKS = 52;
/** Screens with fewer lines show no sentence on the last week. */
const TALL = 30;
/** How many kinds of work the table of models shows. */
const WORK_KINDS = 4;

/** Everything at a glance. */
export function renderOverview(stats: LedgerStats, look: Look): string {
  if (stats.all.attempts === 0) return NOTHING_YET;
  const always = [renderHeadline(stats, look), renderTrend(stats.byWeek, look)];
  const { rows, hasWork } = fitOverview({
    fixedLines: always.join("\n").split("\n").length - 1,
    models: stats.byModel.length,
    causes: stats.byCause.length,
    hasWork: stats.byWork.length > 0,
  }, look.height);
  const parts = [...always, renderModels(stats, look, rows)];
  if (hasWork) parts.push(renderWork(stats, look, rows));
  if (stats.byCause.length > 0) parts.push(renderCauses(stats, look, rows));
  return parts.join("\n");
}

/** One grouping in full. */
export function renderGrouping(stats: LedgerStats, by: Grouping, look: Look): string {
  if (stats.all.attempts === 0) return NOTHING_YET;
  if (by === "model") return `${renderModels(stats, look)}\n${renderWork(stats, look)}`;
  if (by === "memory") return renderMemory(stats, look);
  if (by === "cause") return renderCauses(stats, look);
  if (by === "phase") return renderPhases(stats, look);
  if (by === "extension") return renderExtensions(stats, look);
  return renderGroups(
    by === "week" ? "Week" : by === "author" ? "Author" : "Project",
    by === "week" ? stats.byWeek : by === "author" ? stats.byAuthor : stats.byProject,
    look,
  );
}

function renderHeadline({ all, withMemory, withoutMemory }: LedgerStats, look: Look): string {
  const ends = `${formatCount(all.shipped)} of ${formatCount(all.attempts)} attempts, ${
    formatCount(all.failed)
  } failed, ${formatCount(all.abandoned)} abandoned`;
  const time = all.workingMsPerAttempt;
  const tokens = all.tokensPerAttempt;
  const cost = all.costPerAttempt;
  const rows: [string, string, string, (Span | undefined)?][] = [
    ["Shipped", percent(all.shipRate), ends, shareBar(all.shipRate, look, "green")],
    [
      "Time",
      formatDuration(time.p50),
      `p50, p90 ${formatDuration(time.p90)}, in all ${formatDuration(all.workingMs)}`,
    ],
    [
      "Tokens",
      formatCount(tokens.p50),
      `p50, p90 ${formatCount(tokens.p90)}, in all ${formatCount(all.tokens)} in ${
        formatCount(all.requests)
      } requests`,
    ],
    [
      "Cost",
      formatCost(cost.p50),
      `p50, p90 ${formatCost(cost.p90)}, in all ${formatCost(all.cost)}`,
    ],
    [
      "Cache",
      percent(all.cacheHitRate),
      "of the input came from the provider's cache",
      shareBar(all.cacheHitRate, look, "cyan"),
    ],
    [
      "Tasks",
      formatCount(all.tasksDone),
      `done of ${formatCount(all.tasks)}${inSessions(all)}, healed ${formatCount(all.heals)} times`,
    ],
  ];
  if (withMemory.attempts > 0 && withoutMemory.attempts > 0) {
    rows.push([
      "Memory",
      percent(withMemory.shipRate),
      `shipped of ${formatCount(withMemory.attempts)} attempts with memory, ${
        percent(withoutMemory.shipRate)
      } of ${formatCount(withoutMemory.attempts)} without`,
    ]);
  }
  return rows.map(([title, value, rest, bar]) => {
    const { paint } = look;
    const drawn = bar === undefined ? "" : `${bar.text} `;
    const taken = title.padEnd(9).length + value.padStart(8).length + 2 + [...drawn].length;
    const front = `${paint(title.padEnd(9), "dim")}${paint(value.padStart(8), "bold")}  `;
    const end = paint(truncate(rest, look.width - taken));
    return `${front}${paint(drawn, ...bar?.styles ?? [])}${end}\n`;
  }).join("");
}

/** How many sessions made the attempts; nothing where a filter keeps that from being known. */
function inSessions({ sessions }: GroupStats): string {
  if (sessions === null) return "";
  return sessions === 1 ? " in 1 session" : ` in ${formatCount(sessions)} sessions`;
}

function renderTrend(weeks: readonly GroupStats[], look: Look): string {
  const shown = weeks.slice(-Math.min(TREND_WEEKS, look.width - 28));
  const first = shown[0];
  const last = shown.at(-1);
  if (first === undefined || last === undefined) return "";
  const { paint, isUnicode } = look;
  const rates = shown.map((week) => week.shipRate ?? undefined);
  const lines: [string, (number | undefined)[], string][] = [
    ["Attempts", shown.map((week) => week.attempts), `now ${last.attempts}`],
    ["Ship rate", rates, `now ${percent(last.shipRate)}`],
  ];
  const title = first === last ? `Week ${first.name}` : `Weeks ${first.name} to ${last.name}`;
  const change = (look.height ?? TALL) < TALL ? undefined : sinceLastWeek(weeks);
  const end = change === undefined ? "" : `${wrapText(change, look.width).join("\n")}\n`;
  return `${paint(title, "bold")}\n` +
    lines.map(([name, values, now]) =>
      `${paint(name.padEnd(11), "dim")}${paint(sparkline(values, isUnicode), "cyan")}  ${now}\n`
    ).join("") + end;
}

function renderModels(stats: LedgerStats, look: Look, rows = Infinity): string {
  return numberTable(
    [
      { title: titleOf("Model", stats.byModel, rows), align: "left" },
      { title: "Attempts", align: "right" },
      { title: "Shipped", align: "right" },
      { title: "", align: "left" },
      { title: "Time", align: "right" },
      { title: "Tokens", align: "right" },
      { title: "Cost", align: "right" },
    ],
    stats.byModel.slice(0, rows).map((model) => [
      truncate(model.name, 28),
      formatCount(model.attempts),
      percent(model.shipRate),
      shareBar(model.shipRate, look, "green", 5),
      formatDuration(model.workingMsPerAttempt.p50),
      formatCount(model.tokensPerAttempt.p50),
      formatCost(model.costPerAttempt.p50),
    ]),
    look,
  );
}

/** Which model ships how much of which kind of work: the extension of which an attempt changed most files. */
function renderWork(stats: LedgerStats, look: Look, rows = Infinity): string {
  const kinds = stats.byExtension.map(({ name }) => name)
    .filter((name) => stats.byWork.some(({ extension }) => extension === name))
    .slice(0, WORK_KINDS);
  const cell = (model: string, kind: string) => {
    const work = stats.byWork.find((item) => item.model === model && item.extension === kind);
    return work === undefined
      ? ""
      : `${percent(work.sums.shipRate)} of ${formatCount(work.sums.attempts)}`;
  };
  return numberTable(
    [
      { title: "Shipped, by kind of work", align: "left" },
      ...kinds.map((kind) => ({ title: truncate(kind, 8), align: "right" as const })),
    ],
    stats.byModel.slice(0, rows).map(({ name }) => [
      truncate(name, 28),
      ...kinds.map((kind) => cell(name, kind)),
    ]),
    look,
  );
}

function renderCauses(stats: LedgerStats, look: Look, rows = Infinity): string {
  const most = stats.byCause[0]?.failures ?? 1;
  return numberTable(
    [
      { title: titleOf("Cause", stats.byCause, rows), align: "left" },
      { title: "Failures", align: "right" },
      { title: "", align: "left" },
      { title: "Attempts", align: "right" },
      { title: "Heals", align: "right" },
      { title: "Healed", align: "right" },
      { title: "", align: "left" },
    ],
    stats.byCause.slice(0, rows).map((cause) => [
      cause.name,
      formatCount(cause.failures),
      shareBar(cause.failures / most, look, "red"),
      formatCount(cause.attempts),
      formatCount(cause.heals),
      percent(cause.healRate),
      shareBar(cause.healRate, look, "green"),
    ]),
    look,
  );
}

function renderPhases(stats: LedgerStats, look: Look): string {
  const most = Math.max(1, ...stats.byPhase.map(({ ms }) => ms));
  return numberTable(
    [
      { title: "Phase", align: "left" },
      { title: "Attempts", align: "right" },
      { title: "Time", align: "right" },
      { title: "", align: "left" },
      { title: "Requests", align: "right" },
      { title: "Tokens", align: "right" },
      { title: "Cost", align: "right" },
    ],
    stats.byPhase.map((phase) => [
      phase.name,
      formatCount(phase.attempts),
      formatDuration(phase.ms),
      shareBar(phase.ms / most, look, "cyan"),
      formatCount(phase.requests),
      formatCount(phase.tokens),
      formatCost(phase.cost),
    ]),
    look,
  );
}

function renderExtensions(stats: LedgerStats, look: Look): string {
  return numberTable(
    [...groupColumns("Extension"), { title: "Files", align: "right" }],
    stats.byExtension.map((group) => [...groupCells(group, look), formatCount(group.files)]),
    look,
  );
}

function renderGroups(title: string, groups: readonly GroupStats[], look: Look): string {
  return numberTable(
    [...groupColumns(title), { title: "Time p50", align: "right" }],
    groups.map((group) => [
      ...groupCells(group, look),
      group.attempts === 0 ? "" : formatDuration(group.workingMsPerAttempt.p50),
    ]),
    look,
  );
}

const groupColumns = (title: string) =>
  [
    { title, align: "left" },
    { title: "Attempts", align: "right" },
    { title: "Shipped", align: "right" },
    { title: "", align: "left" },
    { title: "Tokens", align: "right" },
    { title: "Cost", align: "right" },
  ] as const;

function groupCells(group: GroupSums, look: Look): (string | Span)[] {
  return [
    truncate(group.name, 24),
    formatCount(group.attempts),
    percent(group.shipRate),
    shareBar(group.shipRate, look, "green"),
    formatCount(group.tokens),
    formatCost(group.cost),
  ];
}

function percent(share: number | null): string {
  return share === null ? "–" : formatPercent(share);
}

function shareBar(
  share: number | null,
  look: Look,
  style: StyleName,
  columns = BAR_COLUMNS,
): Span {
  return { text: bar(share ?? 0, columns, look.isUnicode), styles: [style] };
}

/** A table that does not show all says how many there are. */
function titleOf(title: string, all: readonly unknown[], rows: number): string {
  return all.length <= rows ? title : `${title} (${rows} of ${all.length})`;
}
