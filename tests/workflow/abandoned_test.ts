import assert from "node:assert/strict";
import { systemClock } from "../../src/platform/clock.ts";
import { endAbandoned } from "../../src/workflow/abandoned.ts";
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
      assert.deepEqual(await endAbandoned(place, undefined), { abandoned: [], unshipped: [] });
    });
  });
}
