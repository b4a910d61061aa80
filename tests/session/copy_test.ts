import assert from "node:assert/strict";
import { UsageError } from "../../src/platform/errors.ts";
import { SessionTorn } from "../../src/session/errors.ts";
import { forkSession, salvageSession } from "../../src/session/copy.ts";
import type { SessionRecord } from "../../src/session/records.ts";
import { encodeRequest, replay } from "../../src/session/replay.ts";
import { removeSession } from "../../src/session/remove.ts";
import { Session } from "../../src/session/session.ts";
import { readSession } from "../../src/session/session_reader.ts";
import { withTemporaryFolder } from "../support/temporary.ts";
import {
  filesOf,
  ID,
  logFile,
  makeSession,
  readLines,
  reply,
  result,
  turn,
  user,
  writeLines,
} from "./samples.ts";

async function requestOf(root: string, id: string, wantedTurns = Infinity): Promise<string> {
  const records: SessionRecord[] = [];
  const newest = await readSession(root, id, (record) => {
    if (record.type === "session_start") records.length = 0;
    records.push(record);
  });
  let turns = newest.baseline.carried.turns;
  const taken = records.filter((record) => {
    if (record.type === "user") turns += 1;
    return turns <= wantedTurns;
  });
  return encodeRequest(replay(newest.baseline, taken));
}

Deno.test("forkSession() at turn 3 of 10 takes exactly three turns; the parent is untouched", async () => {
  await withTemporaryFolder(async (root) => {
    await makeSession(root, 10);
    const before = filesOf(root);
    const fork = await forkSession(root, ID, { turns: 3 });
    assert.deepEqual(filesOf(root), before);
    assert.deepEqual([fork.turns, fork.records], [3, 10]);
    const { totals, baseline } = await readSession(root, fork.id, () => {});
    const { turns, calls, requests, tokens, unpriced } = totals;
    assert.deepEqual([turns, calls, requests, tokens, unpriced], [3, 0, 3, 45, 3]);
    assert.deepEqual(baseline.parent, { kind: "fork", session: ID, epoch: 0, seq: 10 });
    assert.equal(await requestOf(root, fork.id), await requestOf(root, ID, 3));
  });
});

Deno.test("forkSession() of everything gives byte for byte the parent's request, and its times", async () => {
  await withTemporaryFolder(async (root) => {
    await makeSession(root, 4);
    const fork = await forkSession(root, ID);
    assert.equal(await requestOf(root, fork.id), await requestOf(root, ID));
    const times = (id: string) =>
      readLines(logFile(root, 0, id)).slice(1).map((line) => JSON.parse(line).at);
    assert.deepEqual(times(fork.id), times(ID));
  });
});

Deno.test("forkSession() copies more records than one write holds", async () => {
  await withTemporaryFolder(async (root) => {
    await makeSession(root, 200);
    const fork = await forkSession(root, ID, { turns: 199 });
    assert.equal((await readSession(root, fork.id, () => {})).totals.turns, 199);
  });
});

Deno.test("forkSession() finds the epoch of a turn, and counts turns from the conversation's beginning", async () => {
  await withTemporaryFolder(async (root) => {
    await makeSession(root, 3);
    {
      using session = await Session.open(root, ID);
      await session.beginEpoch("three turns", null);
      for (const number of [4, 5, 6]) session.append(turn(number));
    }
    const late = await forkSession(root, ID, { turns: 5 });
    const lateReading = await readSession(root, late.id, () => {});
    assert.deepEqual([late.turns, lateReading.totals.turns, lateReading.baseline.summary], [
      5,
      5,
      "three turns",
    ]);
    assert.equal(lateReading.baseline.epoch, 0);
    assert.equal(await requestOf(root, late.id), await requestOf(root, ID, 5));
    const early = await forkSession(root, ID, { turns: 2 });
    const earlyReading = await readSession(root, early.id, () => {});
    assert.deepEqual([earlyReading.totals.turns, earlyReading.baseline.summary], [2, null]);
  });
});

Deno.test("forkSession() refuses turns that are not there", async () => {
  await withTemporaryFolder(async (root) => {
    await makeSession(root, 2);
    await assert.rejects(forkSession(root, ID, { turns: 3 }), /has 2 turns, not 3/);
    await assert.rejects(forkSession(root, ID, { turns: 0 }), UsageError);
    assert.equal([...Deno.readDirSync(`${root}/sessions`)].length, 2);
  });
});

Deno.test("forkSession() works while a writer appends, and takes what was complete", async () => {
  await withTemporaryFolder(async (root) => {
    await makeSession(root, 2);
    using _writer = await Session.open(root, ID);
    Deno.writeTextFileSync(logFile(root), '{"seq":8,"in progress', { append: true });
    const fork = await forkSession(root, ID);
    assert.equal(fork.turns, 2);
  });
});

Deno.test("forkSession() of a session with open calls gives one whose calls are interrupted", async () => {
  await withTemporaryFolder(async (root) => {
    await makeSession(root, 1);
    {
      using session = await Session.open(root, ID);
      session.append([user("go"), reply("calling", 1, 2), result(1)]);
    }
    const fork = await forkSession(root, ID);
    using session = await Session.open(root, fork.id);
    assert.deepEqual(session.interruptedCalls, [{ call: 2, tool: "read_file" }]);
  });
});

Deno.test("forkSession() of a damaged session takes turns before the damage and refuses those behind it", async () => {
  await withTemporaryFolder(async (root) => {
    await makeSession(root, 3);
    writeLines(logFile(root), readLines(logFile(root)).with(8, "garbled"));
    assert.equal((await forkSession(root, ID, { turns: 2 })).turns, 2);
    await assert.rejects(forkSession(root, ID, { turns: 3 }), SessionTorn);
    await assert.rejects(forkSession(root, ID), SessionTorn);
  });
});

Deno.test("salvageSession() copies the good prefix into a new session; the damaged one is untouched", async () => {
  await withTemporaryFolder(async (root) => {
    await makeSession(root, 3);
    writeLines(logFile(root), readLines(logFile(root)).with(5, "garbled"));
    const before = filesOf(root);
    const salvaged = await salvageSession(root, ID);
    assert.deepEqual(filesOf(root), before);
    assert.deepEqual([salvaged.turns, salvaged.records], [2, 5]);
    const { baseline, totals } = await readSession(root, salvaged.id, () => {});
    assert.deepEqual(baseline.parent, { kind: "salvage", session: ID, epoch: 0, seq: 5 });
    assert.equal(totals.turns, 2);
    (await Session.open(root, salvaged.id)).close();
  });
});

Deno.test("salvageSession() refuses a sound session", async () => {
  await withTemporaryFolder(async (root) => {
    await makeSession(root, 1);
    await assert.rejects(salvageSession(root, ID), UsageError);
  });
});

Deno.test("forks keep the ids of the requests that were made, so that a ledger counts each of them once", async () => {
  await withTemporaryFolder(async (root) => {
    await makeSession(root, 3);
    const requestIds = async (id: string) => {
      const ids: string[] = [];
      await readSession(root, id, (record) => {
        if (record.type === "usage") ids.push(record.requestId);
      });
      return ids;
    };
    const first = await forkSession(root, ID, { turns: 2 });
    const second = await forkSession(root, first.id);
    assert.deepEqual(await requestIds(second.id), (await requestIds(ID)).slice(0, 2));
  });
});

Deno.test("forkSession() takes along what its parent keeps of files, whatever becomes of the parent", async () => {
  await withTemporaryFolder(async (root) => {
    await makeSession(root, 2);
    const kept = (id: string) => `${root}/sessions/${id}/tree/objects/ab`;
    Deno.mkdirSync(kept(ID), { recursive: true });
    Deno.writeTextFileSync(`${kept(ID)}/cdef`, "content");
    const fork = await forkSession(root, ID);
    await removeSession(root, ID);
    assert.equal(Deno.readTextFileSync(`${kept(fork.id)}/cdef`), "content");
  });
});
