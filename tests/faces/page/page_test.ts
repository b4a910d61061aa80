/** The browser's page: what lies in the repository is what its sources make. */
import assert from "node:assert/strict";
import { firstLine, PAGE_SCRIPT } from "../../../scripts/page.ts";

Deno.test("src/faces/page/page.js is made from the sources beside it (deno task page makes it again)", () => {
  const script = Deno.readTextFileSync(PAGE_SCRIPT);
  assert.equal(script.slice(0, script.indexOf("\n")), firstLine());
  assert.ok(!script.includes("</script"), "it would end the element that it stands in");
});
