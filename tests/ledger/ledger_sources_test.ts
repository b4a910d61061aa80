/** Statistics of ledgers on disk: several at once, the project's own with its cache. */
import assert from "node:assert/strict";
import { join } from "@std/path";
import { madeUpEntry, writeMadeUpLedger } from "../../scripts/bench/ledger/made_up_ledger.ts";
import { encodeEntry } from "../../src/ledger/entry.ts";
import { findLedgers, foldLedgers, foldOwnLedger } from "../../src/ledger/ledger_sources.ts";
import { appendEntry } from "../../src/ledger/ledger.ts";
import { LEDGER_PATH } from "../../src/ledger/paths.ts";
import { dropFold } from "../../src/ledger/stats_cache.ts";
import { statsOf } from "../../src/ledger/stats.ts";
import { withTemporaryFolder } from "../support/temporary.ts";
import { sampleEntry } from "./entries.ts";

const CACHE = "planning/.cache/ledger-stats";
/** Enough entries for the fold to be kept. */
const MANY = 3_000;

function writeProject(root: string, name: string, text: string): string {
  Deno.mkdirSync(join(root, name, "planning"), { recursive: true });
  Deno.writeTextFileSync(join(root, name, LEDGER_PATH), text);
  return join(root, name, LEDGER_PATH);
}

async function ownAttempts(root: string): Promise<number> {
  return statsOf(await foldOwnLedger(root)).all.attempts;
}

function largeLedger(root: string): string {
  Deno.mkdirSync(join(root, "planning"));
  const path = join(root, LEDGER_PATH);
  writeMadeUpLedger(path, MANY);
  return path;
}

Deno.test("findLedgers() finds a file, a project and the projects of a folder", async () => {
  await withTemporaryFolder((root) => {
    const shop = writeProject(root, "shop", "");
    const api = writeProject(root, "api", "");
    Deno.mkdirSync(join(root, "empty"));
    Deno.writeTextFileSync(join(root, "file"), "");
    assert.deepEqual(findLedgers([root]), [api, shop]);
    assert.deepEqual(findLedgers([join(root, "shop"), shop, "-"]), [shop, "-"]);
    assert.throws(() => findLedgers([join(root, "empty")]), /neither planning\/ledger\.jsonl nor/);
    assert.throws(() => findLedgers([join(root, "missing")]), /there is no such file or folder/);
  });
});

Deno.test("foldLedgers() counts an entry that several ledgers hold once", async () => {
  await withTemporaryFolder(async (root) => {
    const line = `${encodeEntry(sampleEntry())}\n`;
    const other = `${encodeEntry(sampleEntry({ attempt: 2 }))}\n`;
    const paths = [writeProject(root, "a", line), writeProject(root, "b", line + other)];
    assert.equal(statsOf(await foldLedgers(paths)).all.attempts, 2);
  });
});

Deno.test("foldLedgers() names the file and the line of damage", async () => {
  await withTemporaryFolder(async (root) => {
    const line = `${encodeEntry(sampleEntry())}\n`;
    const marked = writeProject(root, "a", `${line}<<<<<<< HEAD\n${line}`);
    await assert.rejects(foldLedgers([marked]), {
      message: new RegExp(`^${marked}:2: a conflict`),
    });
    const torn = writeProject(root, "b", line + line.slice(0, 30));
    await assert.rejects(foldLedgers([torn]), { message: new RegExp(`^${torn}:2: the last line`) });
  });
});

Deno.test("foldOwnLedger() of a project without a ledger is empty and makes no file", async () => {
  await withTemporaryFolder(async (root) => {
    assert.equal(await ownAttempts(root), 0);
    assert.deepEqual([...Deno.readDirSync(root)], []);
  });
});

Deno.test("foldOwnLedger() keeps no fold of a small ledger", async () => {
  await withTemporaryFolder(async (root) => {
    await appendEntry(root, sampleEntry());
    assert.equal(await ownAttempts(root), 1);
    assert.deepEqual([...Deno.readDirSync(join(root, "planning"))].map(({ name }) => name), [
      "ledger.jsonl",
    ]);
  });
});

Deno.test("foldOwnLedger() goes on from the kept fold, and it says the same as without", async () => {
  await withTemporaryFolder(async (root) => {
    const path = largeLedger(root);
    assert.equal(await ownAttempts(root), MANY);
    const kept = Deno.statSync(join(root, CACHE));
    assert.equal(Deno.readTextFileSync(join(root, "planning/.cache/.gitignore")), "*\n");
    await appendEntry(root, sampleEntry());
    await appendEntry(root, sampleEntry());
    const again = statsOf(await foldOwnLedger(root));
    assert.equal(Deno.statSync(join(root, CACHE)).ino, kept.ino);
    const fresh = statsOf(await foldLedgers([path]));
    assert.equal(again.all.attempts, MANY + 1);
    assert.deepEqual(withoutCosts(again), withoutCosts(fresh));
  });
});

/** Sums of costs differ in their last digits by the order of adding. */
function withoutCosts(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (key, part) => key === "cost" ? undefined : part));
}

Deno.test("foldOwnLedger() does not go by a fold of a file that was replaced, cut or changed", async () => {
  const first = `${encodeEntry(madeUpEntry(0, MANY))}\n`;
  const changes: [string, (path: string, text: string) => void][] = [
    ["replaced", (path, text) => {
      Deno.writeTextFileSync(`${path}.new`, text.slice(first.length));
      Deno.renameSync(`${path}.new`, path);
    }],
    ["cut", (path) => Deno.truncateSync(path, first.length)],
    ["shortened in place", (path, text) => {
      Deno.writeTextFileSync(path, text.slice(first.length) + first + first);
    }],
    ["changed in place", (path, text) => {
      Deno.writeTextFileSync(path, text.replaceAll('"outcome":"shipped"', '"outcome":"shippe!"'));
    }],
  ];
  for (const [name, change] of changes) {
    await withTemporaryFolder(async (root) => {
      const path = largeLedger(root);
      await foldOwnLedger(root);
      change(path, Deno.readTextFileSync(path));
      const result = ownAttempts(root);
      if (name === "changed in place") return await assert.rejects(result, /ledger\.jsonl:1:/);
      assert.equal(await result, { replaced: MANY - 1, cut: 1 }[name] ?? MANY, name);
    });
  }
});

/**
 * Makes one shipped session a failed one, in place, where none of the pieces that the cache samples lies:
 * with the same length, behind it nothing moves. Gives the bytes of the file as they are then.
 */
function failedInTheMiddle(bytes: Uint8Array): Uint8Array {
  const text = new TextDecoder("latin1").decode(bytes);
  const from = '"outcome":"shipped",';
  // The sampled pieces are 8 KB at the file's 31sts; this is half-way between two of them.
  const at = text.indexOf(from, Math.floor(bytes.byteLength * 10.5 / 31));
  const changed = text.slice(0, at) + '"outcome":"failed" ,' + text.slice(at + from.length);
  return Uint8Array.from(changed, (character) => character.charCodeAt(0));
}

Deno.test("foldOwnLedger() reads a file again that has the same size, and another time of change", async () => {
  await withTemporaryFolder(async (root) => {
    const path = largeLedger(root);
    const before = statsOf(await foldOwnLedger(root)).all;
    const { mtime, size } = Deno.statSync(path);
    assert.ok(mtime !== null);
    Deno.writeFileSync(path, failedInTheMiddle(Deno.readFileSync(path)));
    Deno.utimeSync(path, mtime, new Date(mtime.getTime() + 1000));
    assert.equal(Deno.statSync(path).size, size);
    const after = statsOf(await foldOwnLedger(root)).all;
    assert.deepEqual([after.shipped, after.failed], [before.shipped - 1, before.failed + 1]);
  });
});

Deno.test("foldOwnLedger() reads a file from its beginning that has taken the place of the one it knew", async () => {
  for (const more of ["", `${encodeEntry(sampleEntry())}\n`]) {
    await withTemporaryFolder(async (root) => {
      const path = largeLedger(root);
      const before = statsOf(await foldOwnLedger(root)).all;
      const { mtime } = Deno.statSync(path);
      assert.ok(mtime !== null);
      // Of the same size, or longer, with the same time, and the same in all that the cache samples.
      const changed = failedInTheMiddle(Deno.readFileSync(path));
      Deno.writeFileSync(`${path}.new`, changed);
      Deno.writeTextFileSync(`${path}.new`, more, { append: true });
      Deno.utimeSync(`${path}.new`, mtime, mtime);
      Deno.renameSync(`${path}.new`, path);
      const after = statsOf(await foldOwnLedger(root)).all;
      assert.equal(after.failed, before.failed + 1);
    });
  }
});

Deno.test("foldOwnLedger() reads a file from its beginning that grew, but not by appending", async () => {
  await withTemporaryFolder(async (root) => {
    const path = largeLedger(root);
    await foldOwnLedger(root);
    const text = Deno.readTextFileSync(path);
    const line = `${encodeEntry(sampleEntry())}\n`;
    // In place, as `git merge` or an editor may write it: before the first line, not behind the last.
    Deno.writeTextFileSync(path, line + text);
    assert.equal(await ownAttempts(root), MANY + 1);
  });
});

Deno.test("foldOwnLedger() does not go by a kept fold of another format", async () => {
  await withTemporaryFolder(async (root) => {
    largeLedger(root);
    await foldOwnLedger(root);
    const kept = new TextDecoder("latin1").decode(Deno.readFileSync(join(root, CACHE)));
    const [header = ""] = kept.split("\n", 1);
    const other = header.replace(/"format":\d+/, '"format":1').replace(
      /"models":\["/,
      '"models":["x',
    );
    assert.notEqual(other.length, header.length);
    const bytes = Uint8Array.from(other + kept.slice(header.length), (c) => c.charCodeAt(0));
    Deno.writeFileSync(join(root, CACHE), bytes);
    const { byModel } = statsOf(await foldOwnLedger(root));
    assert.ok(byModel.every(({ name }) => !name.startsWith("x")));
  });
});

Deno.test("foldOwnLedger() does without a cache that is garbage, and without a folder for one", async () => {
  await withTemporaryFolder(async (root) => {
    largeLedger(root);
    await foldOwnLedger(root);
    const kept = Deno.readFileSync(join(root, CACHE));
    for (const bytes of [new Uint8Array(), kept.slice(0, 100), kept.slice(0, -3)]) {
      Deno.writeFileSync(join(root, CACHE), bytes);
      assert.equal(await ownAttempts(root), MANY);
    }
    dropFold(root);
    Deno.removeSync(join(root, "planning/.cache"), { recursive: true });
    Deno.writeTextFileSync(join(root, "planning/.cache"), "in the way");
    assert.equal(await ownAttempts(root), MANY);
  });
});

Deno.test("foldOwnLedger() with a filter takes nothing from the kept fold", async () => {
  await withTemporaryFolder(async (root) => {
    largeLedger(root);
    const all = statsOf(await foldOwnLedger(root)).all;
    const failed = statsOf(await foldOwnLedger(root, { outcome: "failed" })).all;
    assert.equal(failed.attempts, all.failed);
    assert.equal(failed.shipped, 0);
  });
});
