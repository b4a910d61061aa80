import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { RecordInvalid } from "../../src/session/errors.ts";
import { decodeRecord, encodeRecord, LineInvalid, linkTo } from "../../src/session/line.ts";
import { FORMAT_VERSION, type RecordDraft } from "../../src/session/records.ts";
import { NOW, reply, user } from "./samples.ts";

const encoder = new TextEncoder();
const POSITION = { seq: 7, prev: "0123456789abcdef", format: FORMAT_VERSION };

function call(input: unknown): RecordDraft {
  const draft = reply("text", 1);
  if (draft.type !== "assistant") throw new Error("not a reply");
  const [text, part] = draft.parts;
  if (text === undefined || part?.kind !== "call") throw new Error("no call");
  return { ...draft, parts: [text, { ...part, input: JSON.parse(JSON.stringify(input)) }] };
}

function callOfText(json: string): RecordDraft {
  const draft = call(null);
  if (draft.type !== "assistant") throw new Error("not a reply");
  for (const part of draft.parts) if (part.kind === "call") part.input = JSON.parse(json);
  return draft;
}

Deno.test("linkTo() is the first 16 hex digits of the SHA-256", () => {
  const line = "a line \u00e9";
  assert.equal(linkTo(line), linkTo(encoder.encode(line)));
  assert.equal(linkTo(line), createHash("sha256").update(line).digest("hex").slice(0, 16));
});

Deno.test("encodeRecord() gives the record that its line decodes to", () => {
  const { record, line } = encodeRecord(user("text"), POSITION, NOW);
  assert.deepEqual(record, decodeRecord(encoder.encode(line), POSITION));
  const { seq, prev } = POSITION;
  assert.deepEqual(record, { ...user("text"), seq, prev, at: NOW.toISOString() });
});

for (
  const [what, text] of [
    ["U+2028 and U+2029", "a\u2028b\u2029c"],
    ["U+0085", "a\u0085b"],
    ["\\r\\n and a lone \\r", "a\r\nb\rc"],
    ["NUL and other control characters", "\0\x01\x1b[31m\x7f"],
    ["a byte order mark", "\ufefftext"],
    ["characters outside the BMP", "😀🏳️‍🌈"],
    ["U+FFFD, as decoded latin-1 leaves it", "caf\ufffd"],
  ]
) {
  Deno.test(`encodeRecord() keeps ${what} as data in one line`, () => {
    const { line } = encodeRecord(user(text ?? ""), POSITION, NOW);
    assert.equal(line.includes("\n"), false);
    const record = decodeRecord(encoder.encode(line), POSITION);
    assert.equal(record.type === "user" && record.text, text);
  });
}

Deno.test("encodeRecord() refuses half a surrogate pair, in a value and in a key", () => {
  for (
    const draft of [
      user("a\ud800b"),
      user("\udc00"),
      call({ a: ["\ud83d"] }),
      call({ "\ude00": 1 }),
    ]
  ) {
    assert.throws(
      () => encodeRecord(draft, POSITION, NOW),
      (error) => error instanceof RecordInvalid && /half a surrogate pair/.test(error.message),
    );
  }
});

for (
  const json of [
    '{"__proto__":{"x":1},"b":1}',
    '{"b":1,"10":2,"9":3}',
    '{"a":-0}',
    '{"a":12345678901234567890,"b":1e308,"c":5e-324}',
    '{"a":1,"a":2}',
    '{"":{"":[]}}',
  ]
) {
  Deno.test(`encodeRecord() holds the same input in memory as on disk: ${json}`, () => {
    const { record, line } = encodeRecord(callOfText(json), POSITION, NOW);
    assert.equal(
      JSON.stringify(record),
      JSON.stringify(decodeRecord(encoder.encode(line), POSITION)),
    );
    assert.equal(line.includes("__proto__"), json.includes("__proto__"));
    assert.equal(JSON.stringify(record).includes("__proto__"), json.includes("__proto__"));
  });
}

Deno.test("encodeRecord() takes a text that only looks like half a surrogate pair", () => {
  for (const text of ["\\ud800", "\\\\udc00", "😀\\ud83d"]) {
    const { record, line } = encodeRecord(user(text), POSITION, NOW);
    assert.equal(record.type === "user" && record.text, text);
    assert.ok(line.includes("\\ud"));
  }
  assert.throws(() => encodeRecord(user("\\\\\ud800"), POSITION, NOW), /half a surrogate pair/);
});

Deno.test("encodeRecord() refuses deeply nested input without overflowing the stack", () => {
  for (const depth of [600, 3000, 50_000]) {
    const draft = callOfText("[".repeat(depth) + "]".repeat(depth));
    assert.throws(() => encodeRecord(draft, POSITION, NOW), RecordInvalid);
  }
});

Deno.test("decodeRecord() refuses deeply nested input without overflowing the stack", () => {
  const { line } = encodeRecord(callOfText("[7]"), POSITION, NOW);
  const deep = line.replace("[7]", "[".repeat(50_000) + "]".repeat(50_000));
  assert.throws(() => decodeRecord(encoder.encode(deep), POSITION), LineInvalid);
});

Deno.test("encodeRecord() refuses numbers that JSON would write as null", () => {
  const draft: RecordDraft = { type: "shipped", step: "s", facts: { a: NaN } };
  assert.throws(() => encodeRecord(draft, POSITION, NOW), /record shipped: NaN is not JSON/);
});

function whyRefused(change: (text: string) => string, position = POSITION): LineInvalid {
  const { line } = encodeRecord(user("text"), POSITION, NOW);
  const changed = encoder.encode(change(line));
  try {
    decodeRecord(changed, position);
  } catch (error) {
    if (error instanceof LineInvalid) return error;
    throw error;
  }
  throw new Error("it was not refused");
}

Deno.test("decodeRecord() refuses an unknown type by name", () => {
  const error = whyRefused((text) => text.replace('"type":"user"', '"type":"telepathy"'));
  assert.match(error.message, /record type "telepathy" is unknown; a newer m31a/);
  assert.equal(error.isGarbled, false);
});

Deno.test("decodeRecord() refuses an unknown field, a missing field and a wrong value by name", () => {
  assert.match(whyRefused((text) => text.replace("{", '{"extra":1,')).message, /extra/);
  assert.match(whyRefused((text) => text.replace(',"text":"text"', "")).message, /text: /);
  assert.match(
    whyRefused((text) => text.replace('"source":"user"', '"source":"x"')).message,
    /source: /,
  );
});

Deno.test("decodeRecord() refuses a record of another place: lost, doubled, reordered, checksum mismatch", () => {
  const same = (text: string) => text;
  assert.match(
    whyRefused(same, { ...POSITION, seq: 8 }).message,
    /expected record 8, found record 7/,
  );
  assert.match(
    whyRefused(same, { ...POSITION, prev: "f".repeat(16) }).message,
    /^checksum mismatch/,
  );
});

Deno.test("decodeRecord() calls a line garbled when it is no JSON at all", () => {
  for (const garble of [() => "", () => "\0\0\0", (text: string) => text.slice(0, -1)]) {
    assert.equal(whyRefused(garble).isGarbled, true);
  }
  assert.match(whyRefused(() => "\0").message, /NUL bytes/);
});

Deno.test("decodeRecord() refuses a 0xFF byte", () => {
  const { line } = encodeRecord(user("text"), POSITION, NOW);
  const bytes = encoder.encode(line);
  bytes[line.indexOf('"text":"') + 9] = 0xff;
  assert.throws(() => decodeRecord(bytes, POSITION), /is not UTF-8/);
});
