/** Processes that are killed with -9, and two that want the same session. */
import assert from "node:assert/strict";
import { SessionInUse, SessionNotFound, SessionTorn } from "../../src/session/errors.ts";
import { repairSession } from "../../src/session/repair.ts";
import { Session } from "../../src/session/session.ts";
import { withTemporaryFolder } from "../support/temporary.ts";
import { runToEnd, withWriter, writerCommand } from "./processes.ts";
import { filesOf, ID, makeSession, turn } from "./samples.ts";

Deno.test("a session that another process has open is refused at once; killed with -9, it frees the lock", async () => {
  await withTemporaryFolder(async (root) => {
    await makeSession(root, 1);
    const before = filesOf(root);
    await withWriter(root, "hold", async (nextLine) => {
      assert.equal(await nextLine(), "open");
      await assert.rejects(
        Session.open(root, ID),
        (error) =>
          error instanceof SessionInUse && error.exitCode === 2 &&
          /open in another m31a process/.test(error.message),
      );
      const second = await runToEnd(writerCommand(root, "append", 1));
      assert.equal(second.code, 2);
      assert.match(second.lines.join("\n"), /^error session .* is open in another/);
    });
    (await Session.open(root, ID)).close();
    assert.deepEqual(filesOf(root), before);
  });
});

/** Opens the session, cutting a torn tail first, and gives epoch and turns as the program says them. */
async function stateAfterKill(root: string): Promise<{ epoch: number; turns: number }> {
  try {
    using session = await Session.open(root, ID);
    return { epoch: session.baseline.epoch, turns: session.totals.turns };
  } catch (error) {
    if (!(error instanceof SessionTorn && error.damage.isTail)) throw error;
    await repairSession(root, ID);
    return await stateAfterKill(root);
  }
}

for (const what of ["append", "compact"]) {
  Deno.test(`kill -9 while a process ${what}s: everything that it acknowledged is there after, and it goes on`, async () => {
    await withTemporaryFolder(async (root) => {
      await makeSession(root, 1);
      for (const linesBeforeKill of [1, 2, 3, 8, 20]) {
        const lines = await withWriter(root, what, async (nextLine) => {
          for (let count = 0; count < linesBeforeKill; count++) await nextLine();
        });
        const last = lines.findLast((line) => /^\d/.test(line));
        const [epoch = 0, , turns = 1] = (last ?? "0 4 1").split(" ").map(Number);
        const found = await stateAfterKill(root);
        assert.ok(found.turns >= turns, `${found.turns} turns where ${turns} were acknowledged`);
        assert.ok(found.epoch >= epoch);
        using session = await Session.open(root, ID);
        session.append(turn(found.turns + 1));
      }
    });
  });
}

Deno.test("kill -9 while a session is made: it is there whole, or is said to have been cut short", async () => {
  for (let attempt = 0; attempt < 3; attempt++) {
    await withTemporaryFolder(async (root) => {
      const lines = await withWriter(root, "create", async (nextLine) => {
        if (attempt > 0) await nextLine();
      });
      try {
        assert.ok((await stateAfterKill(root)).turns >= lines.length - 1);
      } catch (error) {
        assert.ok(error instanceof SessionNotFound && lines.length === 0);
      }
    });
  }
});
