/** Appending to the ledger, reading it, and naming its damage; with real files, processes and locks. */
import assert from "node:assert/strict";
import { join } from "@std/path";
import { encodeEntry } from "../../src/ledger/entry.ts";
import { FileInUse, LedgerDamaged } from "../../src/ledger/errors.ts";
import { appendEntry, readLedger, verifyLedger } from "../../src/ledger/ledger.ts";
import { withLockedFile } from "../../src/ledger/locked_file.ts";
import { LEDGER_PATH } from "../../src/ledger/paths.ts";
import { withTemporaryFolder } from "../support/temporary.ts";
import { sampleEntry } from "./entries.ts";

const OTHER = "20261130-090000-00ff";

// A lock attempt that came too late ends when the holder lets go, which may be after the test.
const LATE_LOCK = { sanitizeOps: false, sanitizeResources: false };

function writeLedger(root: string, text: string): string {
  Deno.mkdirSync(join(root, "planning"), { recursive: true });
  Deno.writeTextFileSync(join(root, LEDGER_PATH), text);
  return join(root, LEDGER_PATH);
}

Deno.test("appendEntry() makes the ledger and appends one line an entry", async () => {
  await withTemporaryFolder(async (root) => {
    assert.equal(await appendEntry(root, sampleEntry()), true);
    assert.equal(await appendEntry(root, sampleEntry({ attempt: 2 })), true);
    assert.equal(
      Deno.readTextFileSync(join(root, LEDGER_PATH)),
      `${encodeEntry(sampleEntry())}\n${encodeEntry(sampleEntry({ attempt: 2 }))}\n`,
    );
  });
});

Deno.test("appendEntry() does not append a key that is there, be its line canonical or not", async () => {
  await withTemporaryFolder(async (root) => {
    const loose = JSON.stringify(JSON.parse(encodeEntry(sampleEntry({ session: OTHER }))), null, 1)
      .replaceAll("\n", " ");
    const path = writeLedger(root, `${loose}\n${encodeEntry(sampleEntry())}\n`);
    const before = Deno.readTextFileSync(path);
    assert.equal(await appendEntry(root, sampleEntry()), false);
    assert.equal(await appendEntry(root, sampleEntry({ session: OTHER })), false);
    assert.equal(Deno.readTextFileSync(path), before);
  });
});

Deno.test("appendEntry() refuses to write behind a last line cut at any byte", async () => {
  await withTemporaryFolder(async (root) => {
    const line = `${encodeEntry(sampleEntry())}\n`;
    const cut = encodeEntry(sampleEntry({ session: OTHER }));
    for (let length = 1; length <= cut.length; length += 97) {
      const path = writeLedger(root, line + cut.slice(0, length));
      await assert.rejects(
        appendEntry(root, sampleEntry({ attempt: 3 })),
        (error) =>
          error instanceof LedgerDamaged && error.line === 2 &&
          error.message.startsWith("planning/ledger.jsonl:2: the last line is not finished"),
      );
      assert.equal(Deno.readTextFileSync(path), line + cut.slice(0, length));
    }
  });
});

Deno.test("appendEntry() refuses a conflict marker by its line", async () => {
  await withTemporaryFolder(async (root) => {
    writeLedger(root, `${encodeEntry(sampleEntry())}\n<<<<<<< HEAD\n`);
    await assert.rejects(
      appendEntry(root, sampleEntry({ attempt: 2 })),
      /jsonl:2: a conflict mark/,
    );
  });
});

Deno.test("appendEntry() refuses a ledger that is a symbolic link", async () => {
  await withTemporaryFolder(async (root) => {
    writeLedger(root, "");
    Deno.renameSync(join(root, LEDGER_PATH), join(root, "elsewhere"));
    Deno.symlinkSync(join(root, "elsewhere"), join(root, LEDGER_PATH));
    await assert.rejects(appendEntry(root, sampleEntry()), /symbolic link/);
    assert.equal(Deno.readTextFileSync(join(root, "elsewhere")), "");
  });
});

Deno.test("appendEntry() from several processes loses and doubles nothing", async () => {
  await withTemporaryFolder(async (root) => {
    const here = new URL(".", import.meta.url).href;
    const script = `
      import { appendEntry } from "${here}../../src/ledger/ledger.ts";
      import { sampleEntry } from "${here}entries.ts";
      const [root, first] = Deno.args;
      for (let n = 1; n <= 20; n++) {
        await appendEntry(root, sampleEntry({ attempt: n }));
        await appendEntry(root, sampleEntry({ session: "20261130-090000-000" + first, attempt: n }));
      }`;
    const writers = ["1", "2", "3"].map((first) =>
      new Deno.Command(Deno.execPath(), {
        args: ["eval", "--no-check", script, "--", root, first].filter((part) => part !== "--"),
        stderr: "inherit",
      }).output()
    );
    for (const { success } of await Promise.all(writers)) assert.ok(success);
    const verdict = await verifyLedger(join(root, LEDGER_PATH));
    assert.deepEqual(verdict, { entries: 80, duplicates: 0, findings: [] });
  });
});

Deno.test("withLockedFile() gives up when another holds the lock", LATE_LOCK, async () => {
  await withTemporaryFolder(async (root) => {
    const path = join(root, "file");
    const holder = Deno.openSync(path, { create: true, write: true });
    try {
      await holder.lock(true);
      await assert.rejects(withLockedFile(path, () => {}, 20), FileInUse);
    } finally {
      holder.close();
    }
  });
});

Deno.test("readLedger() gives each key of a ledger merged by union once", async () => {
  await withTemporaryFolder(async (root) => {
    const ours = encodeEntry(sampleEntry());
    const theirs = encodeEntry(sampleEntry({ session: OTHER }));
    const path = writeLedger(root, [ours, theirs, ours, theirs, ""].join("\n"));
    const entries = await readLedger(path);
    assert.deepEqual(entries.map(({ entry, line }) => [entry.session, line]), [
      [sampleEntry().session, 1],
      [OTHER, 2],
    ]);
    assert.equal((await verifyLedger(path)).duplicates, 2);
  });
});

Deno.test("readLedger() gives nothing where there is no ledger", async () => {
  assert.deepEqual(await readLedger("/nowhere/ledger.jsonl"), []);
});

Deno.test("readLedger() names the line that is damaged", async () => {
  await withTemporaryFolder(async (root) => {
    const path = writeLedger(root, `${encodeEntry(sampleEntry())}\n\0\0\0\n`);
    await assert.rejects(
      readLedger(path),
      (error) =>
        error instanceof LedgerDamaged && error.line === 2 &&
        error.message.startsWith(`${path}:2:`),
    );
  });
});

Deno.test(
  "readLedger() leaves out an unfinished last line only while it is being written",
  LATE_LOCK,
  async () => {
    await withTemporaryFolder(async (root) => {
      const path = writeLedger(root, `${encodeEntry(sampleEntry())}\n{"version":1,`);
      await assert.rejects(readLedger(path), /jsonl:2: the last line is not finished/);
      const writer = Deno.openSync(path, { read: true, write: true });
      try {
        await writer.lock(true);
        assert.equal((await readLedger(path)).length, 1);
      } finally {
        writer.close();
      }
    });
  },
);

Deno.test("verifyLedger() goes on past damage and names every line of it", async () => {
  await withTemporaryFolder(async (root) => {
    const line = encodeEntry(sampleEntry());
    const path = writeLedger(
      root,
      [
        "<<<<<<< HEAD",
        line,
        "=======",
        line.replace("shipped", "failed"),
        "{}",
        new TextDecoder("latin1").decode(new Uint8Array([0x7b, 0xff])),
        line.slice(0, 40),
      ].join("\n"),
    );
    const verdict = await verifyLedger(path);
    assert.equal(verdict.entries, 1);
    assert.deepEqual(verdict.findings.map((finding) => finding.line), [1, 3, 4, 5, 6, 7]);
    assert.match(verdict.findings[2]?.why ?? "", /something else .* than line 2/);
  });
});

Deno.test("withLockedFile() changes the file that has the name when the lock is free, not the one that had it before", async () => {
  await withTemporaryFolder(async (root) => {
    const path = writeLedger(root, "old\n");
    const held = Deno.openSync(path, { read: true, write: true });
    await held.lock(true);
    const changing = withLockedFile(path, (file) => {
      file.seekSync(0, Deno.SeekMode.End);
      file.writeSync(new TextEncoder().encode("more\n"));
    });
    // As git does when it checks another version out.
    Deno.writeTextFileSync(`${path}.new`, "new\n");
    Deno.renameSync(`${path}.new`, path);
    held.close();
    await changing;
    assert.equal(Deno.readTextFileSync(path), "new\nmore\n");
  });
});
