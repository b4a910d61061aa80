/**
 * The report's own script, run by a browser: draws the statistics that stand in the page.
 * Rule: text from the data goes into the page as text, never as markup; nothing is fetched.
 */
/* global uPlot */

const stats = JSON.parse(document.getElementById("data").textContent);
const charts = [];

function element(name, text = "", className = "") {
  const made = document.createElement(name);
  made.textContent = text;
  if (className !== "") made.className = className;
  return made;
}

function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

const percent = (share) =>
  share === null || share === undefined ? "–" : `${Math.round(share * 100)} %`;
const dollars = (cost) => cost === null ? "–" : `$${cost.toFixed(cost !== 0 && cost < 1 ? 4 : 2)}`;
const short = new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 3 });
const count = (value) => value === null ? "–" : short.format(value);

function duration(ms) {
  if (ms === null) return "–";
  const minutes = Math.round(ms / 60_000);
  if (minutes < 1) return `${Math.round(ms / 1000)} s`;
  if (minutes < 60) return `${minutes} min`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

function addTile(title, value, note) {
  const tile = element("div", "", "tile");
  tile.append(element("span", title), element("strong", value), element("small", note));
  document.getElementById("tiles").append(tile);
}

function addTiles({ all, withMemory, withoutMemory }) {
  // Null where a filter was given: then nobody knows how many.
  const sessions = all.sessions === null
    ? ""
    : `in ${count(all.sessions)} session${all.sessions === 1 ? "" : "s"}, `;
  addTile(
    "Attempts",
    count(all.attempts),
    `${sessions}${all.failed} failed, ${all.abandoned} abandoned`,
  );
  addTile("Shipped", percent(all.shipRate), `${all.shipped} attempts`);
  const time = all.workingMsPerAttempt;
  addTile("Time an attempt", duration(time.p50), `p90 ${duration(time.p90)}`);
  const tokens = all.tokensPerAttempt;
  addTile(
    "Tokens an attempt",
    count(tokens.p50),
    `p90 ${count(tokens.p90)}, all ${count(all.tokens)}`,
  );
  const cost = all.costPerAttempt;
  addTile(
    "Cost an attempt",
    dollars(cost.p50),
    `p90 ${dollars(cost.p90)}, all ${dollars(all.cost)}`,
  );
  addTile("Cache hits", percent(all.cacheHitRate), "of the input tokens");
  if (withMemory.attempts > 0 && withoutMemory.attempts > 0) {
    addTile(
      "Shipped with memory",
      percent(withMemory.shipRate),
      `${percent(withoutMemory.shipRate)} without`,
    );
  }
}

function addSection(title, isWide = false) {
  const section = element("section", "", isWide ? "wide" : "");
  section.append(element("h2", title));
  document.getElementById("charts").append(section);
  return section;
}

/** A chart over groups: one column of numbers a series, the groups' names along the bottom. */
function addChart(title, names, series, options = {}) {
  const section = addSection(title, options.isWide);
  const host = element("div");
  section.append(host);
  const draw = () => {
    const axis = {
      stroke: colour("faint"),
      grid: { stroke: colour("line") },
      ticks: { stroke: colour("line") },
    };
    const label = (index) => names[index] ?? "";
    return new uPlot(
      {
        width: Math.max(280, section.clientWidth - 34),
        height: 260,
        scales: {
          x: { time: false, range: (_, least, most) => [least - 0.5, most + 0.5] },
          y: { range: (_, _least, most) => [0, options.isShare ? 1 : (most || 1) * 1.05] },
        },
        axes: [
          {
            ...axis,
            values: (_, splits) => splits.map((at) => Number.isInteger(at) ? label(at) : ""),
            space: options.space ?? 70,
          },
          { ...axis, size: 70, values: (_, splits) => splits.map(options.format) },
        ],
        series: [
          { label: options.groups ?? "Week", value: (_, at) => label(at) },
          ...series.map(({ name, colour: of, isBar, format, values, own = values }) => ({
            label: name,
            stroke: colour(of),
            fill: isBar ? colour(of) : undefined,
            width: isBar ? 0 : 2,
            paths: isBar ? uPlot.paths.bars({ size: [0.7, 60] }) : undefined,
            points: { show: !isBar && names.length < 60 },
            value: (_, __, ___, index) => (format ?? options.format)(own[index] ?? null),
          })),
        ],
        cursor: { sync: options.isWeekly ? { key: "weeks" } : undefined },
      },
      [names.map((_, index) => index), ...series.map(({ values }) => values)],
      host,
    );
  };
  charts.push({ draw, host });
}

function addTable(title, columns, groups) {
  const section = addSection(title, true);
  const table = element("table");
  const head = element("tr");
  for (const [name] of columns) head.append(element("th", name));
  table.append(head);
  for (const group of groups) {
    const row = element("tr");
    for (const [, value] of columns) row.append(element("td", value(group)));
    table.append(row);
  }
  section.append(table);
}

const MEAN_WEEKS = 8;

/** The ship rate over a week and the seven before it: single weeks with few attempts jump. */
function runningRate(weeks) {
  return weeks.map((_, end) => {
    const span = weeks.slice(Math.max(0, end - MEAN_WEEKS + 1), end + 1);
    const sum = (name) => span.reduce((total, week) => total + week[name], 0);
    const known = sum("shipped") + sum("failed") + sum("abandoned");
    return known === 0 ? null : sum("shipped") / known;
  });
}

function addWeeks(weeks) {
  const names = weeks.map((week) => week.name);
  const values = (of) => weeks.map((week) => week.attempts === 0 ? null : of(week));
  // Bars over one another: each reaches up to the sum of its own and those below it.
  addChart("Attempts a week", names, [
    {
      name: "abandoned",
      colour: "abandoned",
      isBar: true,
      values: weeks.map((week) => week.attempts),
      own: weeks.map((week) => week.abandoned),
    },
    {
      name: "failed",
      colour: "failed",
      isBar: true,
      values: weeks.map((week) => week.shipped + week.failed),
      own: weeks.map((week) => week.failed),
    },
    { name: "shipped", colour: "shipped", isBar: true, values: weeks.map((week) => week.shipped) },
  ], { isWide: true, isWeekly: true, format: count });
  addChart("Ship rate, week by week", names, [
    { name: "shipped", colour: "shipped", values: values((week) => week.shipRate) },
    { name: "mean of 8 weeks", colour: "abandoned", values: runningRate(weeks) },
    { name: "cache hits", colour: "second", values: values((week) => week.cacheHitRate) },
  ], { isWeekly: true, isShare: true, format: percent });
  addChart("Working time an attempt", names, [
    { name: "p50", colour: "accent", values: values((week) => week.workingMsPerAttempt.p50) },
    { name: "p90", colour: "second", values: values((week) => week.workingMsPerAttempt.p90) },
  ], { isWeekly: true, format: duration });
  addChart("Cost a week", names, [
    { name: "cost", colour: "accent", isBar: true, values: weeks.map((week) => week.cost) },
  ], { isWeekly: true, format: dollars });
  addChart("Tokens a week", names, [
    { name: "tokens", colour: "second", isBar: true, values: weeks.map((week) => week.tokens) },
  ], { isWeekly: true, format: count });
}

/** A model without its provider, short enough to stand below a bar. */
function shortName(model) {
  const name = model.slice(model.indexOf(":") + 1);
  return name.length <= 16 ? name : `${name.slice(0, 15)}…`;
}

const GROUP_COLUMNS = [
  ["", (group) => group.name],
  ["Attempts", (group) => count(group.attempts)],
  ["Shipped", (group) => percent(group.shipRate)],
  ["Time p50", (group) => duration(group.workingMsPerAttempt?.p50 ?? null)],
  ["Tokens p50", (group) => count(group.tokensPerAttempt?.p50 ?? null)],
  ["Cost p50", (group) => dollars(group.costPerAttempt?.p50 ?? null)],
  ["Cost in all", (group) => dollars(group.cost)],
  ["Cache hits", (group) => percent(group.cacheHitRate)],
];

function addGroups(data) {
  addChart("Ship rate by model", data.byModel.map((model) => shortName(model.name)), [
    {
      name: "shipped",
      colour: "shipped",
      isBar: true,
      values: data.byModel.map((model) => model.shipRate),
    },
  ], { isShare: true, format: percent, groups: "Model", space: 120 });
  addChart("Failures by cause", data.byCause.map((cause) => cause.name), [
    {
      name: "failures",
      colour: "failed",
      isBar: true,
      values: data.byCause.map((cause) => cause.failures),
    },
    {
      name: "healed",
      colour: "shipped",
      isBar: true,
      values: data.byCause.map((cause) => cause.healed),
    },
  ], { format: count, groups: "Cause", space: 110 });
  addTable("Models", GROUP_COLUMNS, data.byModel);
  addTable("Models by kind of work", [
    ["", (work) => `${work.model}, mostly ${work.extension}`],
    ["Attempts", (work) => count(work.sums.attempts)],
    ["Shipped", (work) => percent(work.sums.shipRate)],
    ["Tokens", (work) => count(work.sums.tokens)],
    ["Cost", (work) => dollars(work.sums.cost)],
  ], data.byWork.slice(0, 40));
  addTable("Causes of failure", [
    ["", (cause) => cause.name],
    ["Failures", (cause) => count(cause.failures)],
    ["Attempts", (cause) => count(cause.attempts)],
    ["Heals tried", (cause) => count(cause.heals)],
    ["Healed", (cause) => percent(cause.healRate)],
  ], data.byCause);
  addTable("Phases", [
    ["", (phase) => phase.name],
    ["Attempts", (phase) => count(phase.attempts)],
    ["Time", (phase) => duration(phase.ms)],
    ["Requests", (phase) => count(phase.requests)],
    ["Tokens", (phase) => count(phase.tokens)],
    ["Cost", (phase) => dollars(phase.cost)],
  ], data.byPhase);
  if (data.byProject.length > 1) addTable("Projects", GROUP_COLUMNS, data.byProject);
  if (data.byAuthor.length > 1) addTable("Authors", GROUP_COLUMNS, data.byAuthor);
}

function drawAll() {
  for (const chart of charts) {
    chart.plot?.destroy();
    chart.plot = chart.draw();
  }
}

if (stats.all.attempts > 0) {
  addTiles(stats);
  addWeeks(stats.byWeek);
  addGroups(stats);
  drawAll();
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawAll);
  let resizing;
  addEventListener("resize", () => {
    clearTimeout(resizing);
    resizing = setTimeout(drawAll, 100);
  });
} else {
  document.getElementById("charts").append(element("p", "No session has finished here yet."));
}
document.body.dataset.drawn = String(charts.length);
