/** The digest of a real project folder. */
import assert from "node:assert/strict";
import { join } from "@std/path";
import { encodeEntry } from "../../src/ledger/entry.ts";
import { appendEntry } from "../../src/ledger/ledger.ts";
import { appendMemory } from "../../src/ledger/memory_file.ts";
import { blockOf } from "../../src/ledger/memory_block.ts";
import { newestEntries, projectDigest } from "../../src/ledger/project_digest.ts";
import { LEDGER_PATH } from "../../src/ledger/paths.ts";
import { withTemporaryFolder } from "../support/temporary.ts";
import { sampleEntry } from "./entries.ts";

Deno.test("projectDigest() of a new project is empty and makes no file", async () => {
  await withTemporaryFolder(async (root) => {
    assert.equal((await projectDigest(root, "anything", 1_000)).text, "");
    assert.deepEqual([...Deno.readDirSync(root)], []);
  });
});

Deno.test("projectDigest() brings the ledger and MEMORY.md together", async () => {
  await withTemporaryFolder(async (root) => {
    await appendEntry(root, sampleEntry());
    await appendMemory(root, blockOf(sampleEntry()));
    await appendEntry(root, sampleEntry({ session: "20261130-000000-0001", goal: "Pay by card" }));
    const given = await projectDigest(root, "card payment", 1_000);
    assert.deepEqual(given.sessions, ["20261130-000000-0001", sampleEntry().session]);
  });
});

Deno.test("newestEntries() starts at a whole line wherever the tail begins", async () => {
  await withTemporaryFolder(async (root) => {
    for (let attempt = 1; attempt <= 3; attempt++) {
      await appendEntry(root, sampleEntry({ attempt }));
    }
    const lineBytes = encodeEntry(sampleEntry()).length + 1;
    for (
      const [tailBytes, count] of [[lineBytes * 9, 3], [lineBytes * 2 + 5, 2], [5, 0]] as const
    ) {
      assert.equal((await newestEntries(join(root, LEDGER_PATH), tailBytes)).length, count);
    }
  });
});

Deno.test("newestEntries() names the damaged line by its number in the whole file", async () => {
  await withTemporaryFolder(async (root) => {
    for (let attempt = 1; attempt <= 3; attempt++) {
      await appendEntry(root, sampleEntry({ attempt }));
    }
    Deno.writeTextFileSync(join(root, LEDGER_PATH), "garbage\n", { append: true });
    await assert.rejects(
      newestEntries(join(root, LEDGER_PATH), 100),
      /ledger\.jsonl:4: not a line/,
    );
  });
});
