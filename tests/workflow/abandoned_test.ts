import assert from "node:assert/strict";
import { systemClock } from "../../src/platform/clock.ts";
import { endAbandoned } from "../../src/workflow/abandoned.ts";
import { TEST_SESSION } from "../support/conversations.ts";
import { withShippable } from "../ship/shippable.ts";
import { withTemporaryFolder } from "../support/temporary.ts";

const ID = "20260101-000000-0000";

/** What may be in the place of a session's log; whoever opens it waits for ever. */
const NOT_A_LOG: Record<string, (path: string, pipe: string) => void> = {
  "a link out of the project": (path, pipe) => Deno.symlinkSync(pipe, path),
  "a named pipe": (path, pipe) => Deno.renameSync(pipe, path),
};

for (const [what, put] of Object.entries(NOT_A_LOG)) {
  Deno.test(`endAbandoned() leaves a session alone whose log is ${what}`, async () => {
    await withTemporaryFolder(async (folder) => {
      const root = `${folder}/project`;
      Deno.mkdirSync(`${root}/sessions/${ID}`, { recursive: true });
      const pipe = `${folder}/pipe`;
      assert(new Deno.Command("mkfifo", { args: [pipe] }).outputSync().success);
      put(`${root}/sessions/${ID}/0.jsonl`, pipe);
      const place = { root, environment: {}, clock: systemClock };
      assert.deepEqual(await endAbandoned(place, undefined), {
        abandoned: [],
        unshipped: [],
        leftovers: [],
      });
    });
  });
}

Deno.test("endAbandoned() names what a session that came to nothing has left, and nothing that was changed since", () =>
  withShippable(async (shippable) => {
    const { root, folder } = shippable;
    await shippable.record({ type: "phase", phase: "verify", status: "failed", detail: "" });
    const place = { root, environment: folder.environment, clock: systemClock };
    const { abandoned, leftovers } = await endAbandoned(place, undefined);
    assert.deepEqual(abandoned.map(({ session }) => session), [TEST_SESSION]);
    assert.deepEqual(leftovers, [{ session: TEST_SESSION, files: ["a.ts", "b.ts"] }]);
    folder.write("a.ts", "the user's\n");
    const again = await endAbandoned(place, undefined);
    assert.deepEqual(again, {
      abandoned: [],
      unshipped: [],
      leftovers: [{ session: TEST_SESSION, files: ["b.ts"] }],
    });
    folder.run("add", "b.ts");
    folder.run("commit", "-qm", "b");
    assert.deepEqual((await endAbandoned(place, undefined)).leftovers, []);
  }));
