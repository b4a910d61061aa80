/** The codec of a ledger entry. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { decodeEntry, encodeEntry, MAX_FILES } from "../../src/ledger/entry.ts";
import { arbitraryEntry, oldEntry, sampleEntry } from "./entries.ts";

function whyNot(line: string): string {
  const decoded = decodeEntry(line);
  assert.ok("why" in decoded, "the line was taken as an entry");
  return decoded.why;
}

Deno.test("encodeEntry() and decodeEntry() give any entry back", () => {
  fc.assert(fc.property(arbitraryEntry, (entry) => {
    const line = encodeEntry(entry);
    assert.ok(!line.includes("\n"));
    const decoded = decodeEntry(line);
    assert.ok("entry" in decoded, "why" in decoded ? decoded.why : "");
    assert.equal(encodeEntry(decoded.entry), line);
    assert.deepEqual(JSON.parse(JSON.stringify(decoded.entry)), JSON.parse(JSON.stringify(entry)));
  }));
});

Deno.test("encodeEntry() gives equal bytes whatever order the keys were set in", () => {
  const entry = sampleEntry();
  const reversed = sampleEntry({
    ...Object.fromEntries(Object.entries(entry).reverse()),
    extensions: { ".ts": 4, ".md": 1 },
    phases: Object.fromEntries(Object.entries(entry.phases).reverse()),
  });
  assert.equal(encodeEntry(reversed), encodeEntry(entry));
});

Deno.test("encodeEntry() refuses half a surrogate pair", () => {
  assert.throws(() => encodeEntry(sampleEntry({ goal: "broken \ud83d" })), /surrogate/);
});

Deno.test("encodeEntry() refuses negative, fractional and infinite numbers", () => {
  for (const workingMs of [-1, 0.5, Infinity, NaN, 2 ** 60]) {
    assert.throws(() => encodeEntry(sampleEntry({ workingMs })));
  }
});

Deno.test("decodeEntry() names a newer version", () => {
  const line = encodeEntry(sampleEntry()).replace('"version":2', '"version":3');
  assert.match(whyNot(line), /version 3; this m31a reads up to version 2/);
});

Deno.test("decodeEntry() names a field that is wrong", () => {
  const line = encodeEntry(sampleEntry()).replace('"requests":12', '"requests":"12"');
  assert.match(whyNot(line), /usage\.requests/);
});

Deno.test("decodeEntry() refuses a field that it does not know", () => {
  assert.match(whyNot(encodeEntry(sampleEntry()).replace("{", '{"colour":1,')), /colour/);
});

Deno.test("decodeEntry() names a conflict marker", () => {
  for (const marker of ["<<<<<<< HEAD", "=======", ">>>>>>> theirs", "||||||| base"]) {
    assert.match(whyNot(marker), /conflict marker/);
  }
});

Deno.test("decodeEntry() says of an empty line and of NUL bytes what they are", () => {
  assert.match(whyNot(""), /empty line/);
  assert.match(whyNot("\0\0\0"), /not a line of JSON/);
});

Deno.test("encodeEntry() sorts the files and keeps the first of them", () => {
  const files = Array.from({ length: MAX_FILES + 5 }, (_, n) => `f${String(99 - n)}`);
  const decoded = decodeEntry(encodeEntry(sampleEntry({ files })));
  assert.ok("entry" in decoded);
  assert.deepEqual(decoded.entry.files, files.toSorted().slice(0, MAX_FILES));
});

Deno.test("decodeEntry() reads version 1 and says null of what it does not tell; it is written as it was", () => {
  const old = oldEntry(sampleEntry());
  const line = encodeEntry(old);
  assert.match(line, /^\{"version":1,"session":/);
  const decoded = decodeEntry(line);
  assert.ok("entry" in decoded);
  assert.deepEqual([decoded.entry.id, decoded.entry.author, decoded.entry.agent], [
    null,
    null,
    "m31a",
  ]);
  assert.equal(encodeEntry(decoded.entry), line);
  assert.match(whyNot(line.replace('"outcome":"shipped"', '"outcome":"unknown"')), /outcome/);
});
