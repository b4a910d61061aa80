/** Numbers, bars, sparklines, tables and the status line. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { formatCost } from "../../../src/platform/cost_text.ts";
import { createPaint } from "../../../src/faces/terminal/ansi.ts";
import {
  bar,
  isUnicodeTerminal,
  numberTable,
  sparkline,
} from "../../../src/faces/terminal/charts.ts";
import { formatCount, formatDuration, formatPercent } from "../../../src/faces/terminal/numbers.ts";
import { renderStatusLine } from "../../../src/faces/terminal/status_line.ts";
import { layoutTable } from "../../../src/faces/terminal/table.ts";
import { displayWidth } from "../../../src/faces/terminal/width.ts";
import { spansWidth } from "../../../src/faces/terminal/wrap.ts";

const plain = createPaint(false);

Deno.test("formatCount() is at most four digits and a unit", () => {
  const counts = [
    0,
    7,
    999,
    1000,
    1234,
    9949,
    9950,
    34_500,
    999_499,
    999_500,
    5_600_000,
    2e9,
    -1500,
  ];
  assert.deepEqual(counts.map(formatCount), [
    ...["0", "7", "999", "1k", "1.2k", "9.9k", "10k", "35k", "999k", "1M", "5.6M", "2G", "-1.5k"],
  ]);
});

Deno.test("formatCost() shows cents or their parts, and marks an estimate", () => {
  assert.deepEqual([0, 0.0123, 0.00001, 1, 12.345].map((dollars) => formatCost(dollars)), [
    ...["$0.00", "$0.0123", "<$0.0001", "$1.00", "$12.35"],
  ]);
  assert.equal(formatCost(0.5, true), "~$0.5000");
});

Deno.test("formatDuration() gives two units at most and never sixty of one", () => {
  const durations = [
    0,
    850,
    999.6,
    4200,
    9960,
    59_600,
    192_000,
    3_599_600,
    7_500_000,
    86_399_000,
    3e8,
  ];
  assert.deepEqual(durations.map(formatDuration), [
    ...["0ms", "850ms", "1s", "4.2s", "10s", "1m", "3m 12s", "1h", "2h 5m", "1d", "3d 11h"],
  ]);
});

Deno.test("formatPercent() does not call a little nothing or nearly all all", () => {
  assert.deepEqual([0, 0.001, 0.449, 0.996, 1, NaN].map(formatPercent), [
    ...["0 %", "<1 %", "45 %", ">99 %", "100 %", "–"],
  ]);
});

Deno.test("bar() has eighths of a column and shows the smallest share", () => {
  assert.equal(bar(0, 10, true), "");
  assert.equal(bar(0.001, 10, true), "▏");
  assert.equal(bar(1, 4, true), "████");
  assert.equal(bar(7, 4, true), "████");
  assert.equal(bar(0.5, 4, false), "##");
});

Deno.test("sparkline() has a column a value, in blocks or in ASCII", () => {
  assert.equal(sparkline([0, 1, 2, undefined, 7], true), "▁▂▃ █");
  assert.equal(sparkline([3, 3], true), "▅▅");
  assert.equal(sparkline([0, 0], true), "▁▁");
  assert.equal(sparkline([0, 7], false), "_#");
  assert.equal(sparkline([], true), "");
});

Deno.test("isUnicodeTerminal() goes by LC_ALL, then LANG", () => {
  if (Deno.build.os === "windows") return;
  assert.equal(isUnicodeTerminal({ LANG: "en_US.UTF-8" }), true);
  assert.equal(isUnicodeTerminal({ LANG: "en_US.UTF-8", LC_ALL: "C" }), false);
  assert.equal(isUnicodeTerminal({}), false);
});

Deno.test("numberTable() aligns numbers to the right", () => {
  const columns = [{ title: "model", align: "left" }, { title: "cost", align: "right" }] as const;
  const rows = [["one", "$1.00"], ["a\x1b[2Jb\nc", "$12.00"]];
  assert.equal(
    numberTable(columns, rows, { paint: plain, isUnicode: false }),
    "model    cost\n-------------\none     $1.00\nab c   $12.00\n",
  );
});

Deno.test("layoutTable() keeps to the width for any table, and loses no text", () => {
  const cell = fc.string({ unit: fc.constantFrom("a", "漢", " ", "é"), maxLength: 30 })
    .map((text) => [{ text, styles: [] }]);
  const columns = fc.integer({ min: 1, max: 6 });
  const table = columns.chain((count) =>
    fc.record({
      header: fc.array(cell, { minLength: count, maxLength: count }),
      rows: fc.array(fc.array(cell, { minLength: count, maxLength: count }), { maxLength: 4 }),
    })
  );
  fc.assert(fc.property(table, fc.integer({ min: 10, max: 60 }), (content, width) => {
    const lines = layoutTable({ ...content, aligns: [] }, width);
    for (const line of lines) assert.ok(spansWidth(line) <= width, JSON.stringify(line));
    const shown = lines.flat().map((span) => span.text).join("");
    for (const text of content.rows.flat(2).map((span) => span.text)) {
      const count = (whole: string) => whole.split("漢").length;
      assert.ok(count(shown) >= count(text));
    }
  }));
});

Deno.test("renderStatusLine() says what is known and fits the width", () => {
  const status = {
    model: "claude\x1b[2J",
    inputTokens: 12_345,
    outputTokens: 678,
    cacheHitRate: 0.83,
    cost: "~$0.0123",
    sessionId: "20260101-abcd",
  };
  assert.equal(
    renderStatusLine(status, 80, plain),
    "claude · 12k in, 678 out · cache 83 % · ~$0.0123 · 20260101-abcd",
  );
  assert.equal(renderStatusLine(status, 40, plain), "claude · 12k in, 678 out · ~$0.0123");
  for (let width = 1; width < 90; width++) {
    assert.ok(displayWidth(renderStatusLine(status, width, plain)) <= width);
  }
});
