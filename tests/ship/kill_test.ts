import assert from "node:assert/strict";
import { withShippable } from "./shippable.ts";

/** How many writes to the log a ship makes, counted below. */
const WRITES = 9;

Deno.test("ship() writes to the log as often as the tests below kill it", async () => {
  await withShippable(async (shippable) => {
    let writes = 0;
    await shippable.ship({
      append(append, drafts) {
        writes++;
        return append(drafts);
      },
    });
    assert.equal(writes, WRITES);
  });
});

class Killed extends Error {}

for (let write = 1; write <= WRITES; write++) {
  for (const when of ["before", "after"] as const) {
    Deno.test(`ship() goes on after it was cut off ${when} its record number ${write}`, async () => {
      await withShippable(async (shippable) => {
        let writes = 0;
        const killed = shippable.ship({
          append(append, drafts) {
            writes++;
            if (writes === write && when === "before") throw new Killed();
            const records = append(drafts);
            if (writes === write) throw new Killed();
            return records;
          },
        });
        await assert.rejects(killed, Killed);
        const outcome = await shippable.ship();
        assert.equal(outcome.outcome, "shipped");
        await shippable.assertShippedOnce();
        assert.equal(shippable.folder.run("status", "--porcelain"), "");
      });
    });
  }
}
