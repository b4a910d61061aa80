/** `m31a ledger` and `m31a memory` as people use them, with the executable's permissions. */
import assert from "node:assert/strict";
import { join } from "@std/path";
import { madeUpEntry } from "../../../scripts/bench/ledger/made_up_ledger.ts";
import { renderGrouping, renderOverview } from "../../../src/cli/ledger/stats_view.ts";
import { createPaint } from "../../../src/faces/terminal/ansi.ts";
import { displayWidth } from "../../../src/faces/terminal/width.ts";
import { encodeEntry } from "../../../src/ledger/entry.ts";
import { EntryView, viewEntry } from "../../../src/ledger/entry_view.ts";
import { LedgerFold } from "../../../src/ledger/ledger_fold.ts";
import { LEDGER_PATH } from "../../../src/ledger/paths.ts";
import { type LedgerStats, statsOf } from "../../../src/ledger/stats.ts";
import { GROUPINGS } from "../../../src/ledger/stats_table.ts";
import { sampleEntry } from "../../ledger/entries.ts";
import { assertSnapshot } from "../../support/snapshot.ts";
import { runM31a, runProgram } from "../../support/source.ts";
import { withTemporaryFolder } from "../../support/temporary.ts";

const ENTRIES = [
  ...Array.from({ length: 300 }, (_, index) => madeUpEntry(index, 300)),
  sampleEntry({ model: "someone:a-model-with-quite-a-long-name-\x1b[31m漢字漢字" }),
];
const LINES = ENTRIES.map((entry) => `${encodeEntry(entry)}\n`).join("");

async function withLedger(
  text: string,
  test: (root: string, run: (...args: string[]) => ReturnType<typeof runM31a>) => Promise<void>,
): Promise<void> {
  await withTemporaryFolder(async (root) => {
    Deno.mkdirSync(join(root, "planning"));
    if (text !== "") Deno.writeTextFileSync(join(root, LEDGER_PATH), text);
    await test(root, (...args) => runM31a(args, { cwd: root, env: { LANG: "C.UTF-8" } }));
  });
}

function madeUpStats(): LedgerStats {
  const fold = new LedgerFold();
  const view = new EntryView();
  for (const entry of ENTRIES) {
    viewEntry(entry, fold.names, view);
    fold.add(view);
  }
  return statsOf(fold);
}

Deno.test("renderOverview() shows the headline, the trend, models and causes", () => {
  const look = { paint: createPaint(false), isUnicode: true, width: 80 };
  const text = renderOverview(madeUpStats(), look);
  assertSnapshot(text, new URL("./snapshots/overview.txt", import.meta.url));
});

Deno.test("renderOverview() and renderGrouping() fit 80 and 40 columns, in Unicode and in ASCII", () => {
  const stats = madeUpStats();
  for (const width of [40, 80]) {
    for (const isUnicode of [true, false]) {
      const look = { paint: createPaint(false), isUnicode, width };
      const texts = [renderOverview(stats, look)];
      for (const by of GROUPINGS) texts.push(renderGrouping(stats, by, look));
      for (const line of texts.join("").split("\n")) {
        assert.ok(displayWidth(line) <= width, `${width} columns: ${line}`);
      }
    }
  }
});

Deno.test("renderOverview() fits the screen, and says of a table that it does not show all", () => {
  const stats = madeUpStats();
  const look = { paint: createPaint(false), isUnicode: true, width: 80 };
  for (let height = 23; height < 60; height++) {
    const lines = renderOverview(stats, { ...look, height }).trimEnd().split("\n");
    assert.ok(lines.length <= height, `${lines.length} lines on ${height}`);
    assert.ok(lines.some((line) => line.startsWith("Cause (")));
  }
  const small = renderOverview(stats, { ...look, height: 23 });
  assert.match(small, /^Shipped [^]*^Model \(3 of 6\)[^]*^Cause \(3 of 16\)/m);
});

Deno.test("renderOverview() colours what ships, heals and fails", () => {
  const look = { paint: createPaint(true), isUnicode: true, width: 80 };
  const text = renderOverview(madeUpStats(), look);
  for (const bar of ["\x1b[32m█", "\x1b[31m█", "\x1b[36m█"]) assert.ok(text.includes(bar));
});

Deno.test("m31a ledger stats of an empty ledger is a friendly sentence", async () => {
  await withLedger("", async (_, run) => {
    const { code, stdout, stderr } = await run("ledger", "stats");
    assert.deepEqual({ code, stderr }, { code: 0, stderr: "" });
    assert.match(stdout, /^No session has finished here yet\./);
  });
});

Deno.test("m31a ledger stats prints no escape sequence into a pipe", async () => {
  await withLedger(LINES, async (_, run) => {
    const { code, stdout } = await run("ledger", "stats", "--by", "model");
    assert.equal(code, 0);
    assert.ok(!stdout.includes("\x1b"));
    assert.match(stdout, /ollama:qwen3-coder/);
  });
});

Deno.test("m31a ledger stats --json and --csv give what a program reads", async () => {
  await withLedger(LINES, async (_, run) => {
    const [json, csv] = await Promise.all([
      run("ledger", "stats", "--json", "--outcome", "shipped"),
      run("ledger", "stats", "--csv", "--by", "cause"),
    ]);
    const stats = JSON.parse(json.stdout);
    const shipped = ENTRIES.filter((entry) => entry.outcome === "shipped");
    assert.equal(stats.version, 2);
    assert.equal(stats.outcome, "shipped");
    assert.equal(stats.all.attempts, shipped.length);
    assert.equal(
      stats.all.tokens,
      shipped.reduce((sum, { usage }) => sum + usage.input + usage.output, 0),
    );
    assert.match(csv.stdout, /^name,failures,attempts,heals,healed,healRate\r\n/);
  });
});

Deno.test("m31a ledger stats reads ledgers of projects, and from a pipe", async () => {
  await withLedger(LINES, async (root) => {
    Deno.mkdirSync(join(root, "other/planning"), { recursive: true });
    const other = encodeEntry(sampleEntry({ attempt: 9 }));
    Deno.writeTextFileSync(join(root, "other", LEDGER_PATH), `${other}\n`);
    const named = await runM31a(["ledger", "stats", LEDGER_PATH, "other", "--json"], { cwd: root });
    assert.equal(JSON.parse(named.stdout).all.attempts, ENTRIES.length + 1);
    const script = new URL("../../../scripts/m31a.ts", import.meta.url).pathname;
    const pipe = 'cat "$1" | "$2" run -A --no-check "$3" ledger stats - --json';
    const piped = await runProgram(
      "sh",
      ["-c", pipe, "sh", LEDGER_PATH, Deno.execPath(), script],
      { cwd: root },
    );
    assert.equal(JSON.parse(piped.stdout).all.attempts, ENTRIES.length);
  });
});

Deno.test("m31a ledger stats, list and verify name the damaged line and end with 3", async () => {
  await withLedger(`${LINES}=======\n`, async (_, run) => {
    const place = `planning/ledger\\.jsonl:${ENTRIES.length + 1}: a conflict marker`;
    for (const command of ["stats", "list", "verify"]) {
      const { code, stdout, stderr } = await run("ledger", command);
      assert.equal(code, 3, command);
      assert.match(stdout + stderr, new RegExp(place));
    }
  });
});

Deno.test("m31a ledger with wrong words ends with 2 and says which are right", async () => {
  await withLedger(LINES, async (_, run) => {
    const wrong: [string[], RegExp][] = [
      [
        ["stats", "--by", "colour"],
        /is one of model, phase, cause, extension, project, author, week, memory/,
      ],
      [["stats", "--since", "yesterday"], /a day like 2026-11-29, or an age like 30d/],
      [["stats", "--outcome", "won"], /is one of shipped, failed, abandoned/],
      [["stats", "nowhere"], /there is no such file or folder/],
      [["stats", "/"], /reads nothing outside the project\. Pipe it in/],
      [["show", "2099"], /no session of this name/],
      [["show", "2025"], /sessions begin with this/],
    ];
    for (const [args, message] of wrong) {
      const { code, stderr } = await run("ledger", ...args);
      assert.equal(code, 2, args.join(" "));
      assert.match(stderr, message);
    }
  });
});

Deno.test("m31a ledger report --no-authors says of nobody what they did", async () => {
  await withLedger(LINES, async (root, run) => {
    const page = async (...flags: string[]) => {
      assert.equal((await run("ledger", "report", ...flags)).code, 0);
      return Deno.readTextFileSync(join(root, "planning/report.html"));
    };
    assert.match(await page(), /"byAuthor":\[\{"name"/);
    assert.match(await page("--no-authors"), /"byAuthor":\[\]/);
  });
});

Deno.test("m31a ledger list, show, verify and report do what they say", async () => {
  await withLedger(LINES, async (root, run) => {
    const [list, show, verify, report] = await Promise.all([
      run("ledger", "list", "--model", "openai:gpt-5", "--json"),
      run("ledger", "show", sampleEntry().session, "--json"),
      run("ledger", "verify"),
      run("ledger", "report"),
    ]);
    const listed = list.stdout.trim().split("\n").map((line) => JSON.parse(line));
    assert.deepEqual(
      listed.map((entry) => entry.session),
      ENTRIES.filter((entry) => entry.model === "openai:gpt-5").map((entry) => entry.session),
    );
    assert.equal(JSON.parse(show.stdout).goal, sampleEntry().goal);
    assert.equal(verify.stdout, `planning/ledger.jsonl: ${ENTRIES.length} entries, sound\n`);
    assert.equal(report.stdout, "planning/report.html\n");
    assert.match(Deno.readTextFileSync(join(root, "planning/report.html")), /^<!doctype html>/);
  });
});

Deno.test("m31a memory show prints what a plan would be given", async () => {
  const entries = [1, 2, 3].map((n) => sampleEntry({ session: `20261129-23120${n}-a1b2` }));
  await withLedger(entries.map((entry) => `${encodeEntry(entry)}\n`).join(""), async (_, run) => {
    const { code, stdout } = await run("memory", "show", "--goal", "the cart forgets");
    assert.equal(code, 0);
    assert.match(stdout, /^Failures that keep coming back here:\n\n- test_failure: 3 times/);
    assert.match(stdout, /Let the cart \| remember\\nits items/);
  });
});
