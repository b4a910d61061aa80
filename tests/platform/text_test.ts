import assert from "node:assert/strict";
import fc from "fast-check";
import { capText, MASK, maskSecrets, utf8ByteLength } from "../../src/platform/text.ts";

Deno.test("capText() keeps head and tail between code points, and says how much it left out", () => {
  fc.assert(fc.property(
    fc.string({ unit: "binary", maxLength: 400 }),
    fc.integer({ min: 30, max: 300 }),
    (given, maxBytes) => {
      const text = given.toWellFormed();
      const capped = capText(text, maxBytes);
      assert.ok(capped.text.isWellFormed());
      if (utf8ByteLength(text) <= maxBytes) return assert.deepEqual(capped.text, text);
      const note = `\n[… ${capped.omittedBytes} bytes left out …]\n`;
      const at = capped.text.lastIndexOf(note);
      const head = capped.text.slice(0, at);
      const tail = capped.text.slice(at + note.length);
      assert.ok(text.startsWith(head) && text.endsWith(tail));
      const kept = utf8ByteLength(head) + utf8ByteLength(tail);
      assert.equal(kept + capped.omittedBytes, utf8ByteLength(text));
    },
  ));
});

Deno.test("maskSecrets() masks a key whole though another one begins it, and leaves short words alone", () => {
  const secrets = ["sk-12345678", "sk-12345678-and-more", "short"];
  assert.equal(maskSecrets("a sk-12345678-and-more b", secrets), `a ${MASK} b`);
  assert.equal(maskSecrets("short", secrets), "short");
});
