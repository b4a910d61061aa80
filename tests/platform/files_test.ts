import assert from "node:assert/strict";
import { join } from "@std/path";
import { FileError } from "../../src/platform/errors.ts";
import { readTextIfExists, refuseSymlinks, writeAtomically } from "../../src/platform/files.ts";
import { withTemporaryFolder } from "../support/temporary.ts";

const ignore = Deno.build.os === "windows";

Deno.test({
  name:
    "refuseSymlinks() refuses a named pipe, which would be waited for, and a file in a folder's place",
  ignore,
  fn: () =>
    withTemporaryFolder(async (root) => {
      await makePipe(join(root, "pipe"));
      Deno.writeTextFileSync(join(root, "file"), "");
      Deno.mkdirSync(join(root, "folder"));
      const refuses = (path: string, why: RegExp) =>
        assert.throws(() => refuseSymlinks(root, path), (error) => {
          assert.ok(error instanceof FileError);
          assert.match(error.message, why);
          return true;
        });
      refuses("pipe", /pipe: is neither a file nor a folder/);
      refuses("file/0.jsonl", /file: is a file; m31a keeps a folder there/);
      refuseSymlinks(root, "file");
      refuseSymlinks(root, "folder/none/at/all");
    }),
});

Deno.test({
  name: "readTextIfExists() refuses a named pipe and a huge file at once",
  ignore,
  fn: () =>
    withTemporaryFolder(async (root) => {
      const pipe = join(root, "pipe");
      await makePipe(pipe);
      assert.throws(() => readTextIfExists(pipe), /pipe: is not a regular file/);
      const huge = join(root, "huge");
      Deno.writeTextFileSync(huge, "");
      Deno.truncateSync(huge, 2 ** 32);
      assert.throws(() => readTextIfExists(huge), /huge: is 4294967296 bytes, too large/);
      assert.throws(() => readTextIfExists(huge, 10), /too large/);
      assert.throws(() => readTextIfExists(root), /is a folder, where a file belongs/);
      assert.equal(readTextIfExists(join(root, "none")), undefined);
    }),
});

Deno.test("writeAtomically() says why it failed, not that there was nothing to clean up", async () => {
  await withTemporaryFolder((root) => {
    Deno.writeTextFileSync(join(root, "file"), "");
    assert.throws(() => writeAtomically(join(root, "file", "x"), "text"), /x: cannot write/);
  });
});

async function makePipe(path: string): Promise<void> {
  const { success } = await new Deno.Command("mkfifo", { args: [path] }).output();
  assert.ok(success);
}
