import assert from "node:assert/strict";
import { join } from "@std/path";
import { sha256Hex } from "../../src/platform/canonical_json.ts";
import { FileError, UsageError } from "../../src/platform/errors.ts";
import { SessionInUse, SessionTorn } from "../../src/session/errors.ts";
import { repairSession } from "../../src/session/repair.ts";
import { Session } from "../../src/session/session.ts";
import { withTemporaryFolder } from "../support/temporary.ts";
import {
  filesOf,
  ID,
  logFile,
  makeSession,
  readLines,
  stoppedClock,
  turn,
  writeLines,
} from "./samples.ts";

const COPY = "0.jsonl.broken-20260102T030405Z";

function repair(root: string) {
  return repairSession(root, ID, { clock: stoppedClock });
}

for (const tail of ['{"seq":5,"at":"20', "\0".repeat(1728), "caf\u00e9 \0 half"]) {
  Deno.test(`repairSession() cuts a truncated tail and keeps a copy: ${JSON.stringify(tail.slice(0, 20))}`, async () => {
    await withTemporaryFolder(async (root) => {
      await makeSession(root, 1);
      const good = Deno.readTextFileSync(logFile(root));
      Deno.writeTextFileSync(logFile(root), tail, { append: true });
      const tailBytes = new TextEncoder().encode(tail);
      const done = await repair(root);
      assert.deepEqual(done, {
        path: `sessions/${ID}/0.jsonl`,
        copyPath: `sessions/${ID}/${COPY}`,
        cutBytes: tailBytes.byteLength,
        records: 5,
      });
      assert.equal(Deno.readTextFileSync(join(root, done.copyPath)), good + tail);
      assert.equal((Deno.lstatSync(join(root, done.copyPath)).mode ?? 0) & 0o777, 0o600);
      const lines = readLines(logFile(root));
      assert.equal(lines.slice(0, 4).map((line) => line + "\n").join(""), good);
      const { type, bytes, sha256 } = JSON.parse(lines[4] ?? "");
      assert.deepEqual([type, bytes, sha256], [
        "repaired",
        tailBytes.byteLength,
        sha256Hex(tailBytes),
      ]);
      using session = await Session.open(root, ID);
      session.append(turn(2));
    });
  });
}

Deno.test("repairSession() copies the log's bytes: a hard link would be cut along", async () => {
  await withTemporaryFolder(async (root) => {
    await makeSession(root, 1);
    Deno.writeTextFileSync(logFile(root), "half", { append: true });
    const { copyPath } = await repair(root);
    assert.notEqual(Deno.lstatSync(join(root, copyPath)).ino, Deno.lstatSync(logFile(root)).ino);
  });
});

for (
  const [what, change] of [
    ["in the middle", (lines: string[]) => lines.with(1, "garbled")],
    ["a lost line before the last", (lines: string[]) => lines.toSpliced(2, 1)],
    [
      "a record of an unknown type at the end",
      (lines: string[]) => lines.with(-1, (lines.at(-1) ?? "").replace("usage", "later")),
    ],
    ["the first record garbled", (lines: string[]) => lines.slice(0, 1).map(() => "x")],
  ] as const
) {
  Deno.test(`repairSession() refuses damage elsewhere and changes nothing: ${what}`, async () => {
    await withTemporaryFolder(async (root) => {
      await makeSession(root, 1);
      writeLines(logFile(root), change(readLines(logFile(root))));
      const before = filesOf(root);
      await assert.rejects(repair(root), SessionTorn);
      assert.deepEqual(filesOf(root), before);
    });
  });
}

Deno.test("repairSession() refuses a sound session, and one that is in use", async () => {
  await withTemporaryFolder(async (root) => {
    await makeSession(root, 1);
    const before = filesOf(root);
    await assert.rejects(repair(root), UsageError);
    using _writer = await Session.open(root, ID);
    Deno.writeTextFileSync(logFile(root), "in progress", { append: true });
    await assert.rejects(repair(root), SessionInUse);
    assert.deepEqual(filesOf(root), { ...before, "0.jsonl": before["0.jsonl"] + "in progress" });
  });
});

Deno.test("repairSession() never writes over a copy or through a link in its place", async () => {
  await withTemporaryFolder(async (root) => {
    await makeSession(root, 1);
    Deno.writeTextFileSync(logFile(root), "half", { append: true });
    Deno.symlinkSync(join(root, "outside"), join(root, `sessions/${ID}/${COPY}`));
    await assert.rejects(repair(root), FileError);
    assert.throws(() => Deno.lstatSync(join(root, "outside")), Deno.errors.NotFound);
    assert.ok(Deno.readTextFileSync(logFile(root)).endsWith("half"));
  });
});
