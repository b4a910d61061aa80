import assert from "node:assert/strict";
import fc from "fast-check";
import { decodeReferences, escapeFully, escapeLightly } from "../../src/planning/references.ts";
import { hostileText } from "./hostile_text.ts";

Deno.test("decodeReferences() undoes escapeFully() for every text", () => {
  fc.assert(
    fc.property(hostileText, (text) => assert.equal(decodeReferences(escapeFully(text)), text)),
    { numRuns: 1000 },
  );
});

Deno.test("decodeReferences() undoes escapeLightly() for every text", () => {
  fc.assert(
    fc.property(hostileText, (text) => assert.equal(decodeReferences(escapeLightly(text)), text)),
    { numRuns: 1000 },
  );
});

Deno.test("decodeReferences() leaves what stands for nothing", () => {
  for (const text of ["&nonsense;", "&#xD800;", "&#1114112;", "\\a", "\\", "&", "&;", "&#;"]) {
    assert.equal(decodeReferences(text), text);
  }
  assert.equal(decodeReferences("&amp;&lt;&#0;&#x1F680;\\*&#10;"), "&<\0🚀*\n");
});
