/** The report: self-contained, safe, and drawn by a real browser. */
import assert from "node:assert/strict";
import { join } from "@std/path";
import { pathToFileURL } from "node:url";
import { madeUpEntry } from "../../../scripts/bench/ledger/made_up_ledger.ts";
import type { LedgerEntry } from "../../../src/ledger/entry.ts";
import { EntryView, viewEntry } from "../../../src/ledger/entry_view.ts";
import { LedgerFold } from "../../../src/ledger/ledger_fold.ts";
import { embedJson, renderReport } from "../../../src/ledger/report/report.ts";
import { statsOf } from "../../../src/ledger/stats.ts";
import { findChromium, withPage } from "../../support/chromium.ts";
import { withTemporaryFolder } from "../../support/temporary.ts";
import { sampleEntry } from "../entries.ts";

const MADE_AT = new Date("2026-11-29T12:00:00Z");
const EVIL = "x</script><script>globalThis.wasForged=1</script><!--<img src=x onerror=alert(1)>";

function reportOf(entries: readonly LedgerEntry[], title = "shop"): string {
  const fold = new LedgerFold();
  const view = new EntryView();
  for (const entry of entries) {
    viewEntry(entry, fold.names, view);
    fold.add(view);
  }
  return renderReport(statsOf(fold), { title, madeAt: MADE_AT });
}

const ENTRIES = [
  ...Array.from({ length: 400 }, (_, index) => madeUpEntry(index, 400)),
  sampleEntry({ model: EVIL, project: { name: EVIL, type: "deno", framework: null } }),
];

Deno.test("embedJson() gives JSON that cannot end its element", () => {
  assert.ok(!embedJson({ a: EVIL }).includes("<"));
  assert.deepEqual(JSON.parse(embedJson({ a: EVIL })), { a: EVIL });
});

Deno.test("renderReport() refers to nothing outside and holds its three scripts however it is named", () => {
  const html = reportOf(ENTRIES, EVIL);
  assert.equal(html.match(/<script/g)?.length, html.match(/<\/script>/g)?.length);
  assert.equal(html.match(/<\/script>/g)?.length, 3);
  assert.doesNotMatch(html, /(src|href)=["']?(https?:)?\/\//);
  assert.doesNotMatch(html, /@import|url\(\s*["']?http/);
});

const chromium = findChromium();
if (chromium === undefined) {
  console.error("Chromium is not installed: the report is not looked at in a browser.");
}

Deno.test({
  name: "renderReport() is drawn by Chromium in light and dark without a complaint",
  ignore: chromium === undefined,
  fn: async () => {
    await withTemporaryFolder(async (folder) => {
      const path = join(folder, "report.html");
      Deno.writeTextFileSync(path, reportOf(ENTRIES, EVIL));
      await withPage(chromium ?? "", pathToFileURL(path).href, async (page) => {
        for (const scheme of ["light", "dark"]) {
          const features = [{ name: "prefers-color-scheme", value: scheme }];
          await page.send("Emulation.setEmulatedMedia", { features });
          await page.evaluate(
            "new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))",
          );
          assert.deepEqual(await page.evaluate(INKED), Array(7).fill(true), scheme);
          assert.equal(await page.evaluate("document.querySelectorAll('.tile').length"), 7);
          await keepScreenshot(page, scheme);
        }
        assert.equal(await page.evaluate("globalThis.wasForged"), undefined);
        assert.deepEqual(page.complaints, []);
      });
    });
  },
});

/** For each canvas, whether at least a hundredth of its pixels are drawn upon. */
const INKED = `[...document.querySelectorAll("canvas")].map((canvas) => {
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  let inked = 0;
  for (let at = 3; at < data.length; at += 4) if (data[at] > 0) inked++;
  return inked * 100 > data.length / 4;
})`;

/** For the eye: M31A_SCREENSHOTS names a folder. */
async function keepScreenshot(
  page: { send: (method: string, params?: object) => Promise<Record<string, unknown>> },
  name: string,
): Promise<void> {
  const folder = Deno.env.get("M31A_SCREENSHOTS");
  if (folder === undefined) return;
  const { data } = await page.send("Page.captureScreenshot", { captureBeyondViewport: true });
  const bytes = Uint8Array.from(atob(String(data)), (char) => char.charCodeAt(0));
  Deno.writeFileSync(join(folder, `report-${name}.png`), bytes);
}

Deno.test({
  name: "renderReport() of an empty ledger is a sentence",
  ignore: chromium === undefined,
  fn: async () => {
    await withTemporaryFolder(async (folder) => {
      const path = join(folder, "report.html");
      Deno.writeTextFileSync(path, reportOf([]));
      await withPage(chromium ?? "", pathToFileURL(path).href, async (page) => {
        assert.match(
          String(await page.evaluate("document.body.innerText")),
          /No session has finished/,
        );
        assert.deepEqual(page.complaints, []);
      });
    });
  },
});
