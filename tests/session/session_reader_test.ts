import assert from "node:assert/strict";
import { SessionTorn } from "../../src/session/errors.ts";
import { logPath } from "../../src/session/layout.ts";
import { Session } from "../../src/session/session.ts";
import { hasWriter, readEpoch, readSession } from "../../src/session/session_reader.ts";
import { withTemporaryFolder } from "../support/temporary.ts";
import { ID, logFile, makeSession, readLines, turn } from "./samples.ts";

Deno.test("readSession() gives the records of all epochs, each with its baseline", async () => {
  await withTemporaryFolder(async (root) => {
    await makeSession(root, 1);
    {
      using session = await Session.open(root, ID);
      await session.beginEpoch("summary", null);
      session.append(turn(2));
    }
    const seen: string[] = [];
    const newest = await readSession(root, ID, (record, baseline) => {
      seen.push(`${baseline.epoch}:${record.seq}`);
    });
    assert.deepEqual(seen, ["0:1", "0:2", "0:3", "0:4", "1:1", "1:2", "1:3", "1:4"]);
    assert.equal(newest.totals.turns, 2);
    assert.equal(newest.damage, undefined);
  });
});

Deno.test("readSession() takes an unfinished end for a record in progress while a writer is there, and for damage after", async () => {
  await withTemporaryFolder(async (root) => {
    await makeSession(root, 1);
    const writer = await Session.open(root, ID);
    Deno.writeTextFileSync(logFile(root), '{"seq":5,"at":', { append: true });
    let records = 0;
    assert.equal((await readSession(root, ID, () => void records++)).damage, undefined);
    assert.equal(records, 4);
    assert.equal(await hasWriter(root, logPath(ID, 0)), true);
    writer.close();
    await assert.rejects(
      readSession(root, ID, () => {}),
      (error) => error instanceof SessionTorn && error.damage.line === 5,
    );
  });
});

Deno.test("readEpoch() gives damage as part of its result, and how many bytes end with each record", async () => {
  await withTemporaryFolder(async (root) => {
    await makeSession(root, 1);
    const sizes = readLines(logFile(root)).map((line) => new TextEncoder().encode(line).length + 1);
    const ends: number[] = [];
    Deno.writeTextFileSync(logFile(root), "x\ny\n", { append: true });
    const reading = await readEpoch(root, ID, 0, (_record, end) => void ends.push(end));
    let sum = 0;
    assert.deepEqual(ends, sizes.map((size) => sum += size));
    assert.equal(reading.goodBytes, sum);
    assert.deepEqual(
      { line: reading.damage?.line, isTail: reading.damage?.isTail },
      { line: 5, isTail: false },
    );
  });
});

Deno.test("readSession() never waits for a writer", async () => {
  await withTemporaryFolder(async (root) => {
    await makeSession(root, 1);
    using writer = await Session.open(root, ID);
    for (let number = 2; number < 6; number++) {
      writer.append(turn(number));
      assert.equal((await readSession(root, ID, () => {})).totals.turns, number);
    }
  });
});
