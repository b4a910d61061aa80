/**
 * Writes that fail half-way: full disk, file size limit, read-only folder, each system call failing in turn.
 * Rule: what a machine cannot do is ignored, with the reason in the test's name.
 */
import assert from "node:assert/strict";
import { join } from "@std/path";
import { SessionTorn } from "../../src/session/errors.ts";
import { sessionDirectory } from "../../src/session/layout.ts";
import { repairSession } from "../../src/session/repair.ts";
import { Session } from "../../src/session/session.ts";
import { canMount, hasStrace, mountCommand, testWhere } from "../support/machine.ts";
import { withTemporaryFolder } from "../support/temporary.ts";
import { type Printed, runToEnd, writerCommand } from "./processes.ts";
import { ID, logFile, makeSession, turn } from "./samples.ts";

/** The turns that `printed` says are durable. */
function acknowledgedTurns(printed: Printed): number {
  const last = printed.lines.findLast((line) => /^\d/.test(line));
  return Number((last ?? "0 4 1").split(" ")[2]);
}

function assertFailed(printed: Printed, why: RegExp): void {
  assert.equal(printed.code, 1, printed.lines.join("\n"));
  assert.match(printed.lines.at(-2) + "\n" + printed.lines.at(-1), why);
}

/**
 * After a failed write: what was acknowledged is there, by itself or when the torn tail was cut; and
 * a new turn goes behind it, not on to the half.
 */
async function assertGoesOn(root: string, acknowledged: number): Promise<void> {
  try {
    (await Session.open(root, ID)).close();
  } catch (error) {
    assert.ok(error instanceof SessionTorn && error.damage.isTail, String(error));
    await repairSession(root, ID);
  }
  {
    using session = await Session.open(root, ID);
    assert.ok(session.totals.turns >= acknowledged);
    session.append(turn(session.totals.turns + 1));
  }
  (await Session.open(root, ID)).close();
}

Deno.test("file size limit: half a record goes to disk, the error names the log, and nothing is glued on to the half", async () => {
  await withTemporaryFolder(async (root) => {
    await makeSession(root, 1);
    const limited = ["sh", "-c", 'trap "" XFSZ; ulimit -f 8; exec "$@"', "sh"];
    const printed = await runToEnd([...limited, ...writerCommand(root, "append")]);
    assertFailed(
      printed,
      new RegExp(`error sessions/${ID}/0\\.jsonl: cannot append: File too large`),
    );
    assert.equal(Deno.statSync(logFile(root)).size % 512, 0);
    assert.ok(acknowledgedTurns(printed) > 1);
    await assert.rejects(Session.open(root, ID), /truncated tail/);
    await assertGoesOn(root, acknowledgedTurns(printed));
  });
});

/** A test with a small file system of its own; ignored where none can be mounted. */
function testOnSmallFileSystem(name: string, test: (root: string) => Promise<void>): void {
  testWhere(
    canMount,
    "no tmpfs can be mounted here",
    name,
    () =>
      withTemporaryFolder(async (folder) => {
        assert.equal((await runToEnd(mountCommand(folder, "64k"))).code, 0);
        try {
          await test(folder);
        } finally {
          await runToEnd(["umount", folder]);
        }
      }),
  );
}

testOnSmallFileSystem(
  "disk full: the write fails with the path; with room again the session goes on behind what was acknowledged",
  async (root) => {
    await makeSession(root, 1);
    const ballast = join(root, "ballast");
    Deno.writeFileSync(ballast, new Uint8Array(40 * 1024));
    const printed = await runToEnd(writerCommand(root, "append"));
    assertFailed(printed, /0\.jsonl: cannot append: No space left on device/);
    assert.ok(acknowledgedTurns(printed) > 1);
    Deno.removeSync(ballast);
    await assertGoesOn(root, acknowledgedTurns(printed));
  },
);

testOnSmallFileSystem(
  "disk full: a compaction that does not fit leaves the old epoch, which goes on",
  async (root) => {
    await makeSession(root, 1);
    using session = await Session.open(root, ID);
    Deno.writeFileSync(join(root, "ballast"), new Uint8Array(44 * 1024));
    await assert.rejects(
      session.beginEpoch("s".repeat(60_000), null),
      /1\.baseline\.json: cannot create/,
    );
    session.append(turn(2));
    const names = [...Deno.readDirSync(join(root, sessionDirectory(ID)))].map((entry) =>
      entry.name
    );
    assert.deepEqual(names.sort(), ["0.baseline.json", "0.jsonl"]);
  },
);

testOnSmallFileSystem(
  "disk full: a session that cannot be made leaves nothing behind",
  async (root) => {
    Deno.mkdirSync(join(root, "sessions"));
    try {
      Deno.writeFileSync(join(root, "ballast"), new Uint8Array(1 << 20));
    } catch (error) {
      assert.match(String(error), /No space left/);
    }
    const printed = await runToEnd(writerCommand(root, "create", 1));
    assertFailed(printed, /No space left on device/);
    assert.deepEqual([...Deno.readDirSync(join(root, "sessions"))], []);
  },
);

testOnSmallFileSystem(
  "read-only folder: open and create fail with the path, and nothing changes",
  async (root) => {
    await makeSession(root, 1);
    assert.equal((await runToEnd(["mount", "-o", "remount,ro", root])).code, 0);
    assertFailed(
      await runToEnd(writerCommand(root, "append", 1)),
      new RegExp(`error sessions/${ID}/0\\.jsonl: cannot open for writing: Read-only file system`),
    );
    Deno.statSync(logFile(root));
  },
);

/** Where a step of a process is made to fail: the n-th call of a system call on the session's files. */
const STEPS = [
  ...[4, 5, 6, 7, 8].map((n) => ["openat", n] as const),
  ...[1, 2, 3].map((n) => ["write", n] as const),
  ...[1, 2, 3, 4].map((n) => ["fsync", n] as const),
  ...[1, 2, 3].map((n) => ["fdatasync", n] as const),
  ["rename", 1] as const,
];

/** Runs the program with the n-th `call` on the session's files failing, and no chance to clean up. */
async function runFailing(root: string, what: string, call: string, n: number): Promise<Printed> {
  const directory = join(root, sessionDirectory(ID));
  const names = ["0.jsonl", "1.jsonl", "1.jsonl.new", "1.baseline.json"];
  const paths = [directory, ...names.map((name) => join(directory, name))];
  return await runToEnd([
    "strace",
    "-f",
    "-qq",
    ...["-o", "/dev/null"],
    ...paths.flatMap((path) => ["-P", path]),
    ...["-e", "trace=openat,write,fsync,fdatasync,rename,unlink"],
    ...["-e", `inject=${call}:error=EIO:when=${n}`],
    ...["-e", "inject=unlink:error=EIO"],
    ...writerCommand(root, what, 1),
  ]);
}

/** A test in which system calls are made to fail; ignored where they cannot be. */
function testWithFaults(name: string, test: () => Promise<void>): void {
  testWhere(hasStrace, "strace cannot inject faults here", name, test);
}

testWithFaults(
  "compaction cut short at each system call: the old epoch goes on or the new one is whole, nothing acknowledged is lost",
  async () => {
    const outcomes = new Set<string>();
    for (const [call, n] of STEPS) {
      await withTemporaryFolder(async (root) => {
        await makeSession(root, 1);
        const printed = await runFailing(root, "compact", call, n);
        using session = await Session.open(root, ID);
        const { epoch } = session.baseline;
        // Once the new epoch is there, what goes on in the old one would be lost.
        assert.ok(epoch === 0 || !printed.lines.includes("went on in epoch 0"), `${call} ${n}`);
        assert.ok(session.totals.turns >= acknowledgedTurns(printed), `${call} ${n}`);
        outcomes.add(`epoch ${epoch}, exit code ${printed.code}`);
        session.append(turn(session.totals.turns + 1));
        await session.beginEpoch("again", null);
        assert.equal(session.baseline.epoch, epoch + 1);
      });
    }
    assert.deepEqual([...outcomes].sort(), ["epoch 0, exit code 1", "epoch 1, exit code 1"]);
  },
);

for (const [call, why] of [["write", "EIO"], ["fdatasync", "EIO"]] as const) {
  testWithFaults(
    `append whose ${call} fails: exit code 1, and the session goes on from what was acknowledged`,
    async () => {
      await withTemporaryFolder(async (root) => {
        await makeSession(root, 1);
        const directory = join(root, sessionDirectory(ID));
        const printed = await runToEnd([
          ...["strace", "-f", "-qq", "-o", "/dev/null", "-P", join(directory, "0.jsonl")],
          ...["-e", `trace=${call}`, "-e", `inject=${call}:error=${why}:when=3`],
          // A number of turns after which it ends: a call that is never made must fail the test, not hang it.
          ...writerCommand(root, "append", 5),
        ]);
        assertFailed(printed, /cannot append: Input\/output error/);
        assert.equal(acknowledgedTurns(printed), 3);
        await assertGoesOn(root, 3);
      });
    },
  );
}
