import assert from "node:assert/strict";
import { ProjectLock, WorkflowInUse } from "../../src/workflow/project_lock.ts";
import { withTemporaryFolder } from "../support/temporary.ts";

Deno.test("ProjectLock.take() refuses a second workflow, naming the session of the first, until it is released", () =>
  withTemporaryFolder(async (root) => {
    const lock = await ProjectLock.take(root, "20260102-030405-1a2b");
    await assert.rejects(ProjectLock.take(root, "20260102-030405-ffff"), (error) => {
      assert(error instanceof WorkflowInUse);
      assert.match(error.message, /20260102-030405-1a2b/);
      return true;
    });
    assert.deepEqual([...Deno.readDirSync(`${root}/planning`)], []);
    assert.equal(Deno.readTextFileSync(`${root}/sessions/.gitignore`), "*\n");
    lock.release();
    (await ProjectLock.take(root, "20260102-030405-ffff")).release();
  }));
