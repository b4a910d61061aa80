/** What another user could have written, and the modes of what m31a writes. */
import assert from "node:assert/strict";
import { ensureDirectory, refuseForeign, writeAtomically } from "../../src/platform/files.ts";
import { canBeNobody, testWhere } from "../support/machine.ts";
import { withTemporaryFolder } from "../support/temporary.ts";

function modeOf(path: string): string {
  return ((Deno.lstatSync(path).mode ?? 0) & 0o777).toString(8);
}

Deno.test("refuseForeign() refuses what every user may change, and leaves its mode as it is", async () => {
  await withTemporaryFolder((root) => {
    Deno.mkdirSync(`${root}/sessions`);
    for (const mode of [0o700, 0o755, 0o775]) {
      Deno.chmodSync(`${root}/sessions`, mode);
      refuseForeign(root, "sessions");
    }
    refuseForeign(root, "not there");
    Deno.chmodSync(`${root}/sessions`, 0o777);
    assert.throws(
      () => refuseForeign(root, "sessions"),
      /^FileError: sessions: can be changed by every user.*chmod -R o-w sessions/,
    );
    assert.equal(modeOf(`${root}/sessions`), "777");
  });
});

testWhere(
  canBeNobody,
  "needs root",
  "refuseForeign() refuses what belongs to another user",
  async () => {
    await withTemporaryFolder((root) => {
      Deno.writeTextFileSync(`${root}/file`, "");
      Deno.chownSync(`${root}/file`, 65534, 65534);
      assert.throws(
        () => refuseForeign(root, "file"),
        /^FileError: file: belongs to another user \(uid 65534\).*chown -R/,
      );
    });
  },
);

for (const umask of [0o000, 0o022, 0o077]) {
  Deno.test(`files and folders have their modes under the umask ${umask.toString(8).padStart(3, "0")}`, async () => {
    await withTemporaryFolder((root) => {
      Deno.writeTextFileSync(`${root}/shared`, "");
      Deno.chmodSync(`${root}/shared`, 0o664);
      const before = Deno.umask(umask);
      try {
        ensureDirectory(`${root}/planning/archive`);
        writeAtomically(`${root}/planning/new`, "new");
        writeAtomically(`${root}/shared`, "as it was");
      } finally {
        Deno.umask(before);
      }
      const open = (mode: number) => (mode & ~umask).toString(8);
      assert.equal(modeOf(`${root}/planning`), open(0o755));
      assert.equal(modeOf(`${root}/planning/archive`), open(0o755));
      assert.equal(modeOf(`${root}/planning/new`), open(0o644));
      assert.equal(modeOf(`${root}/shared`), "664");
    });
  });
}
