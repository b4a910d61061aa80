/** Appending to a log that something else touched, or that cannot be written. */
import assert from "node:assert/strict";
import { RecordInvalid, SessionClosed, SessionIo } from "../../src/session/errors.ts";
import { Session } from "../../src/session/session.ts";
import { withTemporaryFolder } from "../support/temporary.ts";
import { filesOf, ID, logFile, makeSession, readLines, reply, turn, user } from "./samples.ts";

/** Changes the open session's log with `change`; the next append must fail for `why` and write nothing. */
async function assertAppendFails(change: (path: string) => void, why: RegExp): Promise<void> {
  await withTemporaryFolder(async (root) => {
    await makeSession(root, 1);
    using session = await Session.open(root, ID);
    change(logFile(root));
    const before = filesOf(root);
    const fails = () =>
      assert.throws(
        () => session.append([user("more")]),
        (error) =>
          error instanceof SessionIo && error.exitCode === 1 && why.test(error.message) &&
          error.message.startsWith(`sessions/${ID}/0.jsonl: cannot append: `),
      );
    fails();
    assert.deepEqual(filesOf(root), before);
    assert.equal(session.totals.turns, 1);
    fails();
    await assert.rejects(session.beginEpoch("summary", null), why);
    assert.deepEqual(filesOf(root), before);
  });
}

Deno.test("append() fails loudly when the log has been unlinked", () =>
  assertAppendFails((path) => Deno.removeSync(path), /has been removed/));

Deno.test("append() fails loudly when the log has been replaced by a copy", () =>
  assertAppendFails((path) => {
    Deno.copyFileSync(path, `${path}.copy`);
    Deno.renameSync(`${path}.copy`, path);
  }, /has been replaced/));

Deno.test("append() fails loudly when the log has grown", () =>
  assertAppendFails(
    (path) => Deno.writeTextFileSync(path, "x", { append: true }),
    /something else wrote to it/,
  ));

Deno.test("append() fails loudly when the log has shrunk", () =>
  assertAppendFails((path) => Deno.truncateSync(path, 10), /something else wrote to it/));

Deno.test("append() that failed once takes no more, though the log is again as it was", async () => {
  await withTemporaryFolder(async (root) => {
    await makeSession(root, 1);
    using session = await Session.open(root, ID);
    const whole = Deno.readFileSync(logFile(root));
    Deno.writeTextFileSync(logFile(root), "x", { append: true });
    assert.throws(() => session.append([user("more")]), SessionIo);
    Deno.truncateSync(logFile(root), whole.byteLength);
    assert.throws(() => session.append([user("more")]), /takes no more records until it is opened/);
    assert.deepEqual(Deno.readFileSync(logFile(root)), whole);
  });
});

Deno.test("append() writes nothing when one of its records is invalid, and the session stays usable", async () => {
  await withTemporaryFolder(async (root) => {
    await makeSession(root, 1);
    using session = await Session.open(root, ID);
    const before = filesOf(root);
    for (
      const invalid of [user("\ud800"), reply("x", 5), { ...user("a"), source: JSON.parse('"x"') }]
    ) {
      assert.throws(() => session.append([user("good"), invalid]), RecordInvalid);
      assert.deepEqual(filesOf(root), before);
      assert.equal(session.totals.turns, 1);
    }
    const records = session.append(turn(2));
    assert.deepEqual(records.map((record) => record.seq), [5, 6, 7]);
    assert.equal(session.totals.turns, 2);
    assert.equal(readLines(logFile(root)).length, 7);
  });
});

Deno.test("append() after close() is refused by name", async () => {
  await withTemporaryFolder(async (root) => {
    await makeSession(root, 1);
    const session = await Session.open(root, ID);
    session.close();
    session.close();
    assert.throws(() => session.append([user("a")]), SessionClosed);
    await assert.rejects(session.beginEpoch("", null), SessionClosed);
  });
});

Deno.test("append() gives the records to the folds only after they are on disk", async () => {
  await withTemporaryFolder(async (root) => {
    await makeSession(root, 0);
    const lineCounts: number[] = [];
    const folds = () => [{ apply: () => void lineCounts.push(readLines(logFile(root)).length) }];
    using session = await Session.open(root, ID, { folds });
    session.append(turn(1));
    assert.deepEqual(lineCounts, [1, 4, 4, 4]);
  });
});
