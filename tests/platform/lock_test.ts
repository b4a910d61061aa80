/** Advisory locks that give up: only when somebody holds them. */
import assert from "node:assert/strict";
import { tryLock } from "../../src/platform/lock.ts";
import { withTemporaryFolder } from "../support/temporary.ts";

/** More than Deno has threads for calls that wait. */
const MORE_THAN_THREADS = 40;

Deno.test("tryLock() takes a free lock however late a busy machine comes to it", async () => {
  await withTemporaryFolder(async (folder) => {
    const open = (name: string) =>
      Deno.openSync(`${folder}/${name}`, { create: true, write: true });
    const held = open("held");
    held.lockSync(true);
    const waiting = Array.from({ length: MORE_THAN_THREADS }, () => open("held"));
    const work = waiting.map((file) => file.lock(false));
    const free = open("free");
    const attempt = tryLock(free, { waitMs: 1 });
    const isTooLate = new Promise((resolve) => setTimeout(resolve, 100));
    await isTooLate;
    held.close();
    assert.equal(await attempt, true);
    await Promise.all(work);
    for (const file of [...waiting, free]) file.close();
  });
});

Deno.test({
  name: "tryLock() gives up on a lock that is held, and takes it when it is free",
  // An attempt that came too late ends, and closes its file, after it has been given up.
  sanitizeOps: false,
  sanitizeResources: false,
  fn: async () => {
    await withTemporaryFolder(async (folder) => {
      const open = () => Deno.openSync(`${folder}/log`, { create: true, write: true });
      const held = open();
      assert.equal(await tryLock(held), true);
      assert.equal(await tryLock(open(), { waitMs: 1 }), false);
      assert.equal(await tryLock(open(), { waitMs: 1, shared: true }), false);
      held.close();
      const next = open();
      assert.equal(await tryLock(next), true);
      next.close();
    });
  },
});
