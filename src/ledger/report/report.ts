/**
 * The statistics as one HTML file: data, charting library (uPlot) and styles are all in it.
 * Rule: pure; nothing in the data can leave its place, and the page may fetch nothing.
 */
import plotStyles from "uplot/dist/uPlot.min.css" with { type: "text" };
import plotScript from "uplot/dist/uPlot.iife.min.js" with { type: "text" };
import pageStyles from "./page.css" with { type: "text" };
import pageScript from "./page.js" with { type: "text" };
import { sinceLastWeek } from "../last_week.ts";
import type { LedgerStats } from "../stats.ts";

/** What the report says of itself. */
export interface ReportHeading {
  /** The project's name, or how many ledgers. */
  title: string;
  /** When it was made. */
  madeAt: Date;
}

/** Scripts and styles that stand in the page may be used, and nothing else at all. */
const POLICY =
  "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:";

/** The report as HTML. */
export function renderReport(stats: LedgerStats, heading: ReportHeading): string {
  const title = escapeHtml(heading.title.toWellFormed());
  const first = stats.byWeek[0]?.name;
  const last = stats.byWeek.at(-1)?.name;
  const span = first === undefined ? "" : `Weeks ${first} to ${last}. `;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}: sessions</title>
<style>${plotStyles}</style>
<style>${pageStyles}</style>
</head>
<body>
<h1>${title}</h1>
<p>${escapeHtml(sinceLastWeek(stats.byWeek) ?? "")}</p>
<p>${escapeHtml(span)}Made on ${
    heading.madeAt.toISOString().slice(0, 10)
  } by m31a ledger report. Drag over a chart to zoom, double-click to go back.</p>
<div class="tiles" id="tiles"></div>
<div class="charts" id="charts"></div>
<script type="application/json" id="data">${embedJson(stats)}</script>
<script>${plotScript}</script>
<script>${pageScript}</script>
</body>
</html>
`;
}

/** JSON that may stand in a script element: no `<` could begin `</script>` or `<!--`. */
export function embedJson(value: unknown): string {
  return JSON.stringify(value).replaceAll("<", "\\u003c");
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
