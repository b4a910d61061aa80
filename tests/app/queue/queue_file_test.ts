import assert from "node:assert/strict";
import { join } from "@std/path";
import { readQueue, writeQueue } from "../../../src/app/queue/queue_file.ts";
import { DamagedData } from "../../../src/platform/errors.ts";
import { ensureSessionsDirectory, sessionDirectory } from "../../../src/session/layout.ts";
import { TEST_SESSION } from "../../support/conversations.ts";
import { withTemporaryFolder } from "../../support/temporary.ts";

function withSession(work: (root: string, path: string) => void): Promise<void> {
  return withTemporaryFolder((root) => {
    ensureSessionsDirectory(root);
    const folder = join(root, sessionDirectory(TEST_SESSION));
    Deno.mkdirSync(folder, { mode: 0o700 });
    work(root, join(folder, "queue.json"));
    return Promise.resolve();
  });
}

Deno.test("readQueue() leaves out the message that the log has got before its process ended, and no other", () =>
  withSession((root) => {
    writeQueue(root, TEST_SESSION, [
      { id: "a", kind: "message", text: "being said", turn: 3 },
      { id: "b", kind: "steer", text: "waits" },
    ]);
    const texts = (turns: number) => readQueue(root, TEST_SESSION, turns).map(({ text }) => text);
    assert.deepEqual(texts(2), ["being said", "waits"]);
    assert.deepEqual(texts(3), ["waits"]);
  }));

Deno.test("writeQueue() leaves no file behind when nothing waits", () =>
  withSession((root, path) => {
    writeQueue(root, TEST_SESSION, [{ id: "a", kind: "message", text: "waits" }]);
    writeQueue(root, TEST_SESSION, []);
    assert.throws(() => Deno.statSync(path), Deno.errors.NotFound);
    assert.deepEqual(readQueue(root, TEST_SESSION, 0), []);
  }));

Deno.test("readQueue() names a file that is no queue, and does not pass it over", () =>
  withSession((root, path) => {
    Deno.writeTextFileSync(path, '{"format":1,"messages":[{"id":1}]}', { mode: 0o600 });
    assert.throws(() => readQueue(root, TEST_SESSION, 0), (error) => {
      assert.ok(error instanceof DamagedData);
      assert.match(error.message, /queue\.json: is no queue of messages/);
      return true;
    });
  }));
