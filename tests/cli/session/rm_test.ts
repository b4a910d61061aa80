import assert from "node:assert/strict";
import { run } from "../../../src/cli/session/rm.ts";
import { removeSession } from "../../../src/session/remove.ts";
import { ID, makeSession } from "../../session/samples.ts";
import { withTemporaryFolder } from "../../support/temporary.ts";

const CONTEXT = { environment: { PATH: Deno.env.get("PATH") }, version: "0" };

Deno.test("rm.run() asks at a terminal, and keeps the session when the answer is no", async () => {
  const before = Deno.cwd();
  await withTemporaryFolder(async (root) => {
    await makeSession(root, 1);
    Deno.chdir(root);
    try {
      const questions: string[] = [];
      const confirm = (question: string) => {
        questions.push(question);
        return Promise.resolve(false);
      };
      assert.equal(await run(ID, {}, CONTEXT, { isTerminal: true, confirm }), 1);
      assert.deepEqual(questions, [`Remove session ${ID} ("question 1") for good?`]);
      assert.ok(Deno.statSync(`sessions/${ID}`).isDirectory);
    } finally {
      Deno.chdir(before);
    }
  });
});

Deno.test("removeSession() removes one that was killed while it was made, and finishes earlier removals", async () => {
  await withTemporaryFolder(async (root) => {
    Deno.mkdirSync(`${root}/sessions/${ID}`, { recursive: true });
    Deno.writeTextFileSync(`${root}/sessions/${ID}/0.baseline.json`, "");
    Deno.mkdirSync(`${root}/sessions/.removing-20260101-000000-aaaa`);
    await removeSession(root, ID);
    assert.deepEqual([...Deno.readDirSync(`${root}/sessions`)], []);
  });
});
