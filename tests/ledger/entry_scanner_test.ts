/** The scanner reads what the parser reads, or declines. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { madeUpEntry } from "../../scripts/bench/ledger/made_up_ledger.ts";
import { decodeEntry, encodeEntry, type LedgerEntry } from "../../src/ledger/entry.ts";
import { EntryScanner } from "../../src/ledger/entry_scanner.ts";
import { emptyNames, EntryView, PHASE_NUMBERS, viewEntry } from "../../src/ledger/entry_view.ts";
import { arbitraryEntry, sampleEntry } from "./entries.ts";

/** What a view says, without what earlier lines left in its arrays. */
function contentOf(view: EntryView) {
  const { extensions, extensionFiles, causes, causeHeals, causeHealed, phases, ...rest } = view;
  return {
    ...rest,
    extensions: extensions.slice(0, view.extensionCount),
    extensionFiles: extensionFiles.slice(0, view.extensionCount),
    causes: causes.slice(0, view.failureCount),
    causeHeals: causeHeals.slice(0, view.failureCount),
    causeHealed: causeHealed.slice(0, view.failureCount),
    phases: [...phases].map((value, index) =>
      (view.phaseBits & (1 << Math.floor(index / PHASE_NUMBERS))) === 0 ? 0 : value
    ),
  };
}

/** Scans a line that stands between others; undefined: declined. */
function scanned(line: Uint8Array) {
  const bytes = new Uint8Array(line.length + 20).fill(0x7d);
  bytes.set(line, 10);
  bytes[10 + line.length] = 0x0a;
  const view = new EntryView();
  const newline = new EntryScanner(emptyNames()).scan(bytes, 10, view);
  if (newline < 0) return undefined;
  assert.equal(newline, 10 + line.length);
  return contentOf(view);
}

/** The same by way of the parser. */
function viewed(entry: LedgerEntry) {
  const decoded = decodeEntry(encodeEntry(entry));
  assert.ok("entry" in decoded);
  const view = new EntryView();
  viewEntry(decoded.entry, emptyNames(), view);
  return contentOf(view);
}

/** Whether the line is what the entry would be written as; else its extensions stand in another order. */
function isCanonical(line: Uint8Array, entry: LedgerEntry): boolean {
  return encodeEntry(entry) === new TextDecoder().decode(line);
}

const bytesOf = (text: string) => new TextEncoder().encode(text);

Deno.test("scan() takes the lines that m31a writes", () => {
  for (let index = 0; index < 500; index++) {
    const entry = madeUpEntry(index, 500);
    assert.deepEqual(scanned(bytesOf(encodeEntry(entry))), viewed(entry));
  }
  assert.ok(scanned(bytesOf(encodeEntry(sampleEntry()))) !== undefined);
  assert.ok(scanned(bytesOf(`${encodeEntry(sampleEntry())}\r`)) !== undefined);
});

Deno.test("scan() reads any entry as the parser does, or declines", () => {
  fc.assert(fc.property(arbitraryEntry, (entry) => {
    const found = scanned(bytesOf(encodeEntry(entry)));
    if (found !== undefined) assert.deepEqual(found, viewed(entry));
  }));
});

Deno.test("scan() of a line with a changed byte agrees with the parser up to the failures' end", () => {
  const line = bytesOf(encodeEntry(madeUpEntry(3, 10)));
  const text = new TextDecoder().decode(line);
  const looked = text.indexOf('],"checks"');
  const at = fc.nat({ max: looked - 1 });
  fc.assert(
    fc.property(at, fc.nat({ max: 0x7f }).filter((byte) => byte !== 0x0a), (position, byte) => {
      const changed = line.slice();
      changed[position] = byte;
      const found = scanned(changed);
      if (found === undefined) return;
      const decoded = decodeEntry(new TextDecoder().decode(changed));
      assert.ok("entry" in decoded, "why" in decoded ? decoded.why : "");
      if (isCanonical(changed, decoded.entry)) assert.deepEqual(found, viewed(decoded.entry));
    }),
    { numRuns: 3_000 },
  );
});

Deno.test("scan() declines a line cut at any byte", () => {
  const line = bytesOf(encodeEntry(sampleEntry()));
  for (let length = 0; length < line.length; length++) {
    const found = scanned(line.slice(0, length));
    // Not looked at behind the failures: a cut that happens to end in a brace.
    if (found !== undefined) {
      assert.ok(new TextDecoder().decode(line.slice(0, length)).includes('"checks"'));
    }
  }
});

Deno.test("scan() declines newer versions, forks, other orders of keys and names that are not UTF-8", () => {
  const text = encodeEntry(sampleEntry());
  const usage = { requests: 1, input: 1, output: 1, cacheRead: 0, cacheWrite: 0, cost: 0 };
  const inherited = [{ session: "20261129-231205-ffff", ...usage }];
  const broken = bytesOf(text);
  broken[text.indexOf("shop")] = 0xff;
  for (
    const line of [
      bytesOf(text.replace('"version":2', '"version":3')),
      bytesOf(encodeEntry(sampleEntry({ inherited }))),
      bytesOf(`{"goal":"x",${text.slice(1)}`),
      bytesOf(text.replace('"done":2', '"done":02')),
      bytesOf(text.replace('"attempt":1', '"attempt":0')),
      bytesOf(text.slice(0, -1)),
      bytesOf(`${text.slice(0, -1)}]`),
      bytesOf(text.replace('"cost":0.25', '"cost":1e-7')),
      broken,
    ]
  ) assert.equal(scanned(line), undefined, new TextDecoder().decode(line));
});

Deno.test("scan() of a line with a doubled key says what the parser says, or declines", () => {
  const text = encodeEntry(sampleEntry({ extensions: { ".ts": 4 } }));
  const phase = '{"ms":1,"requests":1,"tokens":1,"cost":1}';
  for (
    const doubled of [
      text.replace('".ts":4', '".ts":3,".ts":4'),
      text.replace('".ts":4', '".ts":4,".ts":4'),
      text.replace('".ts":4', '"":1,".ts":4,"":1'),
      text.replace('"phases":{', `"phases":{"chat":${phase},"chat":${phase},`),
      text.replace('"cost":0.25', '"cost":1,"cost":0.25'),
      text.replace('{"version":2', '{"version":2,"version":2'),
    ]
  ) {
    assert.notEqual(doubled, text);
    const found = scanned(bytesOf(doubled));
    if (found === undefined) continue;
    const decoded = decodeEntry(doubled);
    assert.ok("entry" in decoded, doubled);
    assert.deepEqual(found, viewed(decoded.entry), doubled);
  }
  assert.equal(scanned(bytesOf(text.replace('".ts":4', '".ts":3,".ts":4'))), undefined);
});
