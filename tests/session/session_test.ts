/** Creating, opening, locking, resuming and compacting sessions. */
import assert from "node:assert/strict";
import { join } from "@std/path";
import { sha256Hex } from "../../src/platform/canonical_json.ts";
import {
  BaselineInvalid,
  RecordInvalid,
  SessionExists,
  SessionInUse,
  SessionNotFound,
} from "../../src/session/errors.ts";
import { baselinePath, sessionDirectory } from "../../src/session/layout.ts";
import { linkTo } from "../../src/session/line.ts";
import type { SessionRecord } from "../../src/session/records.ts";
import { INTERRUPTED_OUTPUT } from "../../src/session/interrupted_result.ts";
import { Session } from "../../src/session/session.ts";
import { withTemporaryFolder } from "../support/temporary.ts";
import {
  filesOf,
  ID,
  logFile,
  makeSession,
  readLines,
  reply,
  result,
  sampleBaseline,
  stoppedClock,
  turn,
  usage,
  user,
} from "./samples.ts";

function modeOf(path: string): string {
  return ((Deno.lstatSync(path).mode ?? 0) & 0o777).toString(8);
}

Deno.test("create() writes the baseline and the first record, and they name each other", async () => {
  await withTemporaryFolder(async (root) => {
    (await Session.create(root, sampleBaseline(), 3, { clock: stoppedClock })).close();
    const baseline = Deno.readFileSync(join(root, baselinePath(ID, 0)));
    const lines = readLines(logFile(root));
    assert.deepEqual(lines.map((line) => JSON.parse(line)), [{
      seq: 1,
      at: "2026-01-02T03:04:05.678Z",
      type: "session_start",
      prev: linkTo(baseline),
      epoch: 0,
      slot: 3,
      baseline: sha256Hex(baseline),
    }]);
    assert.equal(Deno.readTextFileSync(join(root, "sessions/.gitignore")), "*\n");
    assert.deepEqual(Object.keys(filesOf(root)), ["0.baseline.json", "0.jsonl"]);
  });
});

Deno.test("create() under umask 022 makes folders 0700 and files 0600", async () => {
  const umask = Deno.umask(0o022);
  try {
    await withTemporaryFolder(async (root) => {
      await makeSession(root, 1);
      assert.equal(modeOf(join(root, "sessions")), "700");
      assert.equal(modeOf(join(root, sessionDirectory(ID))), "700");
      for (const path of ["sessions/.gitignore", baselinePath(ID, 0)]) {
        assert.equal(modeOf(join(root, path)), "600", path);
      }
      assert.equal(modeOf(logFile(root)), "600");
    });
  } finally {
    Deno.umask(umask);
  }
});

Deno.test("create() refuses an id that exists and changes nothing", async () => {
  await withTemporaryFolder(async (root) => {
    await makeSession(root, 1);
    const before = filesOf(root);
    await assert.rejects(Session.create(root, sampleBaseline(), null), SessionExists);
    assert.deepEqual(filesOf(root), before);
  });
});

Deno.test("create() leaves no folder behind when its baseline or its first records are refused", async () => {
  await withTemporaryFolder(async (root) => {
    const fill = () => {
      throw new RecordInvalid("no");
    };
    await assert.rejects(Session.create(root, sampleBaseline(), null, {}, fill), RecordInvalid);
    await assert.rejects(Session.create(root, sampleBaseline({ session: "../x" }), null));
    assert.deepEqual([...Deno.readDirSync(join(root, "sessions"))].map((e) => e.name), [
      ".gitignore",
    ]);
  });
});

Deno.test("open() and close() leave the files byte-identical", async () => {
  await withTemporaryFolder(async (root) => {
    await makeSession(root, 3);
    const before = filesOf(root);
    (await Session.open(root, ID)).close();
    assert.deepEqual(filesOf(root), before);
  });
});

Deno.test("open() says that there is no such session, and what became of one without a log", async () => {
  await withTemporaryFolder(async (root) => {
    await assert.rejects(Session.open(root, ID), SessionNotFound);
    Deno.mkdirSync(join(root, sessionDirectory(ID)), { recursive: true });
    await assert.rejects(
      Session.open(root, ID),
      (error) =>
        error instanceof SessionNotFound && error.exitCode === 3 &&
        /killed while it was made.*m31a session rm/.test(error.message),
    );
  });
});

Deno.test("open() while it is open is refused at once, also in this process, and works after close()", async () => {
  await withTemporaryFolder(async (root) => {
    await makeSession(root, 1);
    const first = await Session.open(root, ID);
    await assert.rejects(Session.open(root, ID), SessionInUse);
    first.close();
    (await Session.open(root, ID)).close();
  });
});

for (
  const [what, link, target] of [
    ["sessions", "sessions", "real"],
    ["the session's folder", sessionDirectory(ID), "real"],
    ["the log", `${sessionDirectory(ID)}/0.jsonl`, "real.jsonl"],
    ["the baseline", `${sessionDirectory(ID)}/0.baseline.json`, "real.json"],
  ] as const
) {
  Deno.test(`open() refuses a symbolic link in place of ${what}`, async () => {
    await withTemporaryFolder(async (root) => {
      await makeSession(root, 1);
      Deno.renameSync(join(root, link), join(root, target));
      Deno.symlinkSync(join(root, target), join(root, link));
      await assert.rejects(Session.open(root, ID), /is a symbolic link/);
    });
  });
}

Deno.test("create() refuses sessions/ and its .gitignore as symbolic links", async () => {
  await withTemporaryFolder(async (root) => {
    Deno.mkdirSync(join(root, "elsewhere"));
    Deno.symlinkSync(join(root, "elsewhere"), join(root, "sessions"));
    await assert.rejects(Session.create(root, sampleBaseline(), null), /is a symbolic link/);
    Deno.removeSync(join(root, "sessions"));
    Deno.mkdirSync(join(root, "sessions"));
    Deno.symlinkSync(join(root, "elsewhere/x"), join(root, "sessions/.gitignore"));
    await assert.rejects(Session.create(root, sampleBaseline(), null), /is a symbolic link/);
    assert.deepEqual([...Deno.readDirSync(join(root, "elsewhere"))], []);
  });
});

Deno.test("a session killed between three calls and their results gets results that say interrupted", async () => {
  await withTemporaryFolder(async (root) => {
    await makeSession(root, 1);
    {
      using session = await Session.open(root, ID);
      session.append([user("go"), reply("calling", 1, 2, 3), result(1)]);
    }
    const before = Deno.readTextFileSync(logFile(root));
    using session = await Session.open(root, ID);
    assert.deepEqual(session.interruptedCalls.map(({ call }) => call), [2, 3]);
    assert.equal(Deno.readTextFileSync(logFile(root)), before);

    const appended = session.append([reply("after all")]);
    assert.deepEqual(appended.map(({ type, seq }) => ({ type, seq })), [{
      type: "assistant",
      seq: 10,
    }]);
    assert.deepEqual(session.interruptedCalls, []);
    assert.ok(Deno.readTextFileSync(logFile(root)).startsWith(before));
    const added: SessionRecord[] = readLines(logFile(root)).slice(7, 9).map((line) =>
      JSON.parse(line)
    );
    for (const [index, record] of added.entries()) {
      assert.ok(record.type === "tool_result");
      assert.deepEqual(
        [record.call, record.output, record.isError, record.interrupted],
        [index + 2, INTERRUPTED_OUTPUT, true, true],
      );
    }
  });
});

Deno.test("recordInterruptions() writes the results of interrupted calls, and nothing when there are none", async () => {
  await withTemporaryFolder(async (root) => {
    await makeSession(root, 1);
    {
      using session = await Session.open(root, ID);
      const before = filesOf(root);
      session.recordInterruptions();
      assert.deepEqual(filesOf(root), before);
      session.append([user("go"), reply("calling", 1)]);
    }
    using session = await Session.open(root, ID);
    session.recordInterruptions();
    assert.deepEqual(session.openCalls, []);
    assert.equal(readLines(logFile(root)).length, 7);
  });
});

Deno.test("beginEpoch() carries the totals on; open() reads only the newest epoch", async () => {
  await withTemporaryFolder(async (root) => {
    await makeSession(root, 2);
    {
      using session = await Session.open(root, ID, { clock: stoppedClock });
      session.append([user("q"), reply("r", 1), usage(7, 3, 0.5), result(1), reply("s")]);
      await session.beginEpoch("what was said", { phase: "plan" });
      assert.deepEqual(session.baseline.parent, {
        kind: "compaction",
        session: ID,
        epoch: 0,
        seq: 12,
      });
      assert.deepEqual(session.baseline.carried, {
        turns: 3,
        calls: 1,
        requests: 3,
        tokens: 40,
        cost: 0.5,
        cacheRead: 0,
        unpriced: 2,
        estimated: 0,
        workflow: { phase: "plan" },
      });
      session.append([user("on"), reply("t", 2)]);
    }
    Deno.writeTextFileSync(logFile(root, 0), "the old epoch is not looked at");
    const seen: string[] = [];
    const folds = () => [{ apply: (record: SessionRecord) => void seen.push(record.type) }];
    using session = await Session.open(root, ID, { folds });
    assert.deepEqual(seen, ["session_start", "user", "assistant"]);
    assert.equal(session.baseline.summary, "what was said");
    assert.deepEqual(session.totals, {
      turns: 4,
      calls: 2,
      requests: 3,
      tokens: 40,
      cost: 0.5,
      cacheRead: 0,
      unpriced: 2,
      estimated: 0,
    });
    assert.deepEqual(session.interruptedCalls, [{ call: 2, tool: "read_file" }]);
  });
});

Deno.test("beginEpoch() while a call has no result is refused, and the epoch goes on", async () => {
  await withTemporaryFolder(async (root) => {
    await makeSession(root, 0);
    using session = await Session.open(root, ID);
    session.append([user("q"), reply("r", 1)]);
    await assert.rejects(session.beginEpoch("summary", null), RecordInvalid);
    session.append([result(1)]);
    assert.deepEqual(Object.keys(filesOf(root)), ["0.baseline.json", "0.jsonl"]);
  });
});

for (const leftovers of [["1.baseline.json"], ["1.baseline.json", "1.jsonl.new"]]) {
  Deno.test(`beginEpoch() was killed after ${leftovers.at(-1)}: the old epoch goes on, and compacts again`, async () => {
    await withTemporaryFolder(async (root) => {
      await makeSession(root, 1);
      for (const name of leftovers) {
        Deno.writeTextFileSync(join(root, sessionDirectory(ID), name), "{half");
      }
      using session = await Session.open(root, ID);
      assert.equal(session.baseline.epoch, 0);
      session.append(turn(2));
      await session.beginEpoch("summary", null);
      session.append(turn(3));
      assert.deepEqual(Object.keys(filesOf(root)), [
        "0.baseline.json",
        "0.jsonl",
        "1.baseline.json",
        "1.jsonl",
      ]);
    });
  });
}

Deno.test("beginEpoch() whose summary cannot be written leaves the old epoch usable and nothing behind", async () => {
  await withTemporaryFolder(async (root) => {
    await makeSession(root, 1);
    using session = await Session.open(root, ID);
    const blocked = join(root, sessionDirectory(ID), "1.jsonl.new");
    Deno.mkdirSync(blocked);
    Deno.writeTextFileSync(join(blocked, "x"), "");
    await assert.rejects(session.beginEpoch("summary", null), /1\.jsonl\.new/);
    Deno.removeSync(blocked, { recursive: true });
    session.append(turn(2));
    assert.deepEqual(Object.keys(filesOf(root)), ["0.baseline.json", "0.jsonl"]);
  });
});

Deno.test("open() after a new epoch was begun never goes on in the old one", async () => {
  await withTemporaryFolder(async (root) => {
    await makeSession(root, 1);
    {
      using session = await Session.open(root, ID);
      await session.beginEpoch("summary", null);
    }
    Deno.removeSync(join(root, baselinePath(ID, 1)));
    await assert.rejects(Session.open(root, ID), BaselineInvalid);
  });
});

Deno.test("open() that had to wait while the next epoch was begun is refused, and does not go on in the old one", async () => {
  await withTemporaryFolder(async (root) => {
    await makeSession(root, 1);
    using writer = await Session.open(root, ID);
    const opening = Session.open(root, ID);
    // Frees the lock on the old epoch's log, for which the other one waits.
    await writer.beginEpoch("summary", null);
    await assert.rejects(opening, SessionInUse);
    writer.append(turn(2));
    assert.equal(readLines(logFile(root, 0)).length, 4);
  });
});
