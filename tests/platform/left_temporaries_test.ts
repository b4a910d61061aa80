import assert from "node:assert/strict";
import { replaceFile } from "../../src/platform/files.ts";
import { removeLeftTemporaries } from "../../src/platform/left_temporaries.ts";
import { withTemporaryFolder } from "../support/temporary.ts";

Deno.test("removeLeftTemporaries() removes what a killed replaceFile() left, and nothing else", () =>
  withTemporaryFolder(async (folder) => {
    const left = `${folder}/.${crypto.randomUUID()}.tmp`;
    const held = `${folder}/.${crypto.randomUUID()}.tmp`;
    for (const path of [left, held, `${folder}/notes.tmp`]) Deno.writeTextFileSync(path, "half");
    Deno.mkdirSync(`${folder}/.${crypto.randomUUID()}.tmp`);
    replaceFile(`${folder}/whole`, "whole");
    using writer = Deno.openSync(held, { write: true });
    writer.lockSync(true);
    await removeLeftTemporaries(folder);
    const files = [...Deno.readDirSync(folder)].filter(({ isFile }) => isFile);
    assert.deepEqual(
      files.map(({ name }) => `${folder}/${name}`).sort(),
      [held, `${folder}/notes.tmp`, `${folder}/whole`].sort(),
    );
  }));
