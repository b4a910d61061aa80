/** Appending to the ledger on a disk that is full, and killed at each step. */
import assert from "node:assert/strict";
import { join } from "@std/path";
import { appendEntry, readLedger } from "../../src/ledger/ledger.ts";
import { LEDGER_PATH } from "../../src/ledger/paths.ts";
import { withTemporaryFolder } from "../support/temporary.ts";
import { sampleEntry } from "./entries.ts";

const HERE = new URL(".", import.meta.url).href;
const APPEND_SECOND = `
  import { appendEntry } from "${HERE}../../src/ledger/ledger.ts";
  import { sampleEntry } from "${HERE}entries.ts";
  await appendEntry(Deno.args[0], sampleEntry({ attempt: 2 }));`;

/** Runs `program` with `args`, then Deno appending the second entry. */
function appendUnder(program: string, args: readonly string[], root: string): Deno.CommandOutput {
  return new Deno.Command(program, {
    args: [...args, Deno.execPath(), "eval", "--no-check", APPEND_SECOND, root],
    env: { RUST_BACKTRACE: "0" },
  }).outputSync();
}

function hasStrace(): boolean {
  try {
    return new Deno.Command("strace", { args: ["-o", "/dev/null", "true"] }).outputSync().success;
  } catch {
    return false;
  }
}

Deno.test({
  name:
    "appendEntry() that runs out of room half-way leaves the ledger as it was, and again succeeds",
  ignore: Deno.build.os === "windows",
  fn: async () => {
    await withTemporaryFolder(async (root) => {
      await appendEntry(root, sampleEntry());
      const path = join(root, LEDGER_PATH);
      const before = Deno.readTextFileSync(path);
      // Files may grow to 2 KB and no further: the second line, of over 1 KB, is cut by the system.
      assert.ok(before.length > 1_024 && before.length < 2_048);
      const limited = ["-c", 'trap "" XFSZ; ulimit -f 4; exec "$@"', "sh"];
      const { success, stderr } = appendUnder("sh", limited, root);
      assert.equal(success, false);
      assert.match(new TextDecoder().decode(stderr), /ledger\.jsonl: cannot append to/);
      assert.equal(Deno.readTextFileSync(path), before);
      assert.equal(await appendEntry(root, sampleEntry({ attempt: 2 })), true);
      assert.equal((await readLedger(path)).length, 2);
    });
  },
});

for (const call of ["write", "fdatasync", "fsync"]) {
  Deno.test({
    name: `appendEntry() killed at ${call} leaves whole lines, and again the entry is there once`,
    ignore: !hasStrace(),
    fn: async () => {
      await withTemporaryFolder(async (root) => {
        await appendEntry(root, sampleEntry());
        const path = join(root, LEDGER_PATH);
        // Only calls on the ledger and its folder, whatever else the process writes.
        const paths = ["-P", path, "-P", join(root, "planning")];
        const { success } = appendUnder("strace", [
          ...["-f", "-qq", "-o", "/dev/null", ...paths],
          ...["-e", `trace=${call}`, "-e", `inject=${call}:signal=SIGKILL:when=1`],
        ], root);
        assert.equal(success, false, `no ${call} was met`);
        for (const { entry } of await readLedger(path)) {
          assert.equal(entry.session, sampleEntry().session);
        }
        await appendEntry(root, sampleEntry({ attempt: 2 }));
        assert.deepEqual((await readLedger(path)).map(({ entry }) => entry.attempt), [1, 2]);
      });
    },
  });
}
