/** Checking all of a session: what is missing, cut off or changed in any of its epochs is found, and nothing else. */
import assert from "node:assert/strict";
import { join } from "@std/path";
import { baselinePath } from "../../src/session/layout.ts";
import { Session } from "../../src/session/session.ts";
import { verifySession } from "../../src/session/verify.ts";
import { withTemporaryFolder } from "../support/temporary.ts";
import { ID, logFile, makeSession, readLines, turn, writeLines } from "./samples.ts";

/** A session of three epochs with a turn each. */
async function withEpochs(test: (root: string) => Promise<void>): Promise<void> {
  await withTemporaryFolder(async (root) => {
    await makeSession(root, 1);
    {
      using session = await Session.open(root, ID);
      for (const epoch of [1, 2]) {
        await session.beginEpoch(`summary ${epoch}`, null);
        session.append(turn(epoch + 1));
      }
    }
    await test(root);
  });
}

/** What is wrong with each epoch. */
async function damages(root: string): Promise<(string | undefined)[]> {
  return (await verifySession(root, ID)).map(({ damage }) => damage);
}

Deno.test("verifySession() finds nothing wrong with a sound session, and counts its records", () =>
  withEpochs(async (root) => {
    const verdicts = await verifySession(root, ID);
    assert.deepEqual(verdicts.map(({ epoch, records, damage }) => [epoch, records, damage]), [
      [0, 4, undefined],
      [1, 4, undefined],
      [2, 4, undefined],
    ]);
    assert.deepEqual(
      verdicts.map(({ bytes }) => bytes),
      [0, 1, 2].map((epoch) => Deno.statSync(logFile(root, epoch)).size),
    );
  }));

Deno.test("verifySession() says that the log of an epoch is missing", () =>
  withEpochs(async (root) => {
    Deno.removeSync(logFile(root, 1));
    assert.deepEqual(await damages(root), [
      undefined,
      `sessions/${ID}/2.jsonl:1: the log of epoch 1 is missing`,
    ]);
    Deno.removeSync(logFile(root, 0));
    assert.deepEqual(await damages(root), [
      `sessions/${ID}/2.jsonl:1: the log of epoch 1 is missing`,
    ]);
  }));

Deno.test("verifySession() says that whole records are lost at an earlier epoch's end", () =>
  withEpochs(async (root) => {
    writeLines(logFile(root, 0), readLines(logFile(root, 0)).slice(0, -1));
    assert.deepEqual(await damages(root), [
      undefined,
      `sessions/${ID}/0.jsonl:3: 3 records, but the next epoch goes on from record 4`,
      undefined,
    ]);
  }));

Deno.test("verifySession() names damage in any epoch, and the command that helps for the newest alone", () =>
  withEpochs(async (root) => {
    for (const epoch of [0, 2]) {
      Deno.writeTextFileSync(logFile(root, epoch), "half", { append: true });
    }
    const [first, second, third] = await damages(root);
    assert.match(first ?? "", /0\.jsonl:5: truncated tail/);
    assert.ok(!first?.includes("repair"), first);
    assert.equal(second, undefined);
    assert.match(third ?? "", /2\.jsonl:5: truncated tail[^]*m31a session repair/);
  }));

Deno.test("verifySession() goes on behind an epoch whose baseline is gone", () =>
  withEpochs(async (root) => {
    Deno.removeSync(join(root, baselinePath(ID, 0)));
    const [first, ...others] = await damages(root);
    assert.match(first ?? "", /0\.baseline\.json: is missing/);
    assert.deepEqual(others, [undefined, undefined]);
  }));
