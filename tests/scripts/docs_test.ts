/** Documents that are made from the code are what the code says. */
import assert from "node:assert/strict";
import { madeDocuments } from "../../scripts/docs.ts";

Deno.test("docs/ holds what `deno task docs` makes", async () => {
  for (const [path, text] of await madeDocuments()) {
    assert.equal(Deno.readTextFileSync(path), text, `${path} is not up to date: deno task docs`);
  }
});
