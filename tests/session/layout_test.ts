import assert from "node:assert/strict";
import { join } from "@std/path";
import { SessionNotFound } from "../../src/session/errors.ts";
import {
  ensureSessionsDirectory,
  listEpochs,
  listSessionIds,
  sessionDirectory,
} from "../../src/session/layout.ts";
import { withTemporaryFolder } from "../support/temporary.ts";
import { ID } from "./samples.ts";

Deno.test("ensureSessionsDirectory() keeps transcripts out of git, and leaves a .gitignore that is there", async () => {
  await withTemporaryFolder((root) => {
    ensureSessionsDirectory(root);
    const ignore = join(root, "sessions", ".gitignore");
    assert.equal(Deno.readTextFileSync(ignore), "*\n");
    Deno.writeTextFileSync(ignore, "mine\n");
    ensureSessionsDirectory(root);
    assert.equal(Deno.readTextFileSync(ignore), "mine\n");
  });
});

Deno.test("listSessionIds() gives the ids oldest first, and no file, link or folder of another name", async () => {
  await withTemporaryFolder((root) => {
    assert.deepEqual(listSessionIds(root), []);
    const ids = ["20260102-000000-bbbb", "20260101-000000-aaaa"];
    for (const name of [...ids, "notes", "20260101"]) {
      Deno.mkdirSync(join(root, "sessions", name), { recursive: true });
    }
    Deno.writeTextFileSync(join(root, "sessions", "20260103-000000-cccc"), "");
    Deno.symlinkSync("notes", join(root, "sessions", "20260104-000000-dddd"));
    assert.deepEqual(listSessionIds(root), ids.toReversed());
  });
});

Deno.test("listEpochs() gives the epochs that have a log, in the order of their numbers", async () => {
  await withTemporaryFolder((root) => {
    const directory = join(root, sessionDirectory(ID));
    Deno.mkdirSync(directory, { recursive: true });
    for (
      const name of [
        "10.jsonl",
        "2.jsonl",
        "00.jsonl",
        "3.baseline.json",
        "3.jsonl.new",
        "2.jsonl.broken-x",
      ]
    ) {
      Deno.writeTextFileSync(join(directory, name), "");
    }
    assert.deepEqual(listEpochs(root, ID), [2, 10]);
    assert.throws(() => listEpochs(root, "20990101-000000-0000"), SessionNotFound);
  });
});
