/** What a terminal sends, as keys, however the bytes are cut. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { type Key, KeyDecoder } from "../../../src/faces/terminal/keys.ts";

const encode = (text: string) => new TextEncoder().encode(text);

/** A short form: text in quotes, pastes in `<>`, keys as `C-M-S-name`. */
function show(key: Key): string {
  if (key.type === "text") return JSON.stringify(key.text);
  if (key.type === "paste") return `<${key.text}>`;
  return `${key.ctrl ? "C-" : ""}${key.alt ? "M-" : ""}${key.shift ? "S-" : ""}${key.name}`;
}

function decode(...pieces: Uint8Array[]): string {
  const decoder = new KeyDecoder();
  const keys = pieces.flatMap((piece) => decoder.push(piece));
  return [...keys, ...decoder.flush()].map(show).join(" ");
}

const CASES: [bytes: string, keys: string][] = [
  ["abc", '"abc"'],
  ["é漢🎉", '"é漢🎉"'],
  ["\r", "enter"],
  ["\n", "C-j"],
  ["\x1b\r", "M-enter"],
  ["\x1b[13;2u", "S-enter"],
  ["\x1b[27;5;13~", "C-enter"],
  ["\x03\x04", "C-c C-d"],
  ["\t\x1b[Z", "tab S-tab"],
  ["\x7f\x08\x1b\x7f", "backspace backspace M-backspace"],
  ["\x1b[A\x1bOB\x1b[1;5C\x1b[1;3D", "up down C-right M-left"],
  ["\x1b[H\x1b[4~\x1bOF\x1b[3~", "home end end delete"],
  ["\x1bb\x1bF", "M-b M-f"],
  ["\x1b", "escape"],
  ["\x1b\x1b[A", "escape up"],
  ["\x1b[99;99Xa", '"a"'],
  ["\x1b[200~one\rtwo\x1b[31m\x1b[201~x", '<one\ntwo> "x"'],
  ["\x1b[200~\r\n\x1b[201\x1b[201~", "<\n>"],
];

for (const [bytes, keys] of CASES) {
  Deno.test(`KeyDecoder takes ${JSON.stringify(bytes)} for ${keys}, cut anywhere`, () => {
    const all = encode(bytes);
    assert.equal(decode(all), keys);
    for (let cut = 1; cut < all.length; cut++) {
      const joined = decode(all.subarray(0, cut), all.subarray(cut)).replaceAll('" "', "");
      assert.equal(joined, keys, `cut at ${cut}`);
    }
  });
}

Deno.test("KeyDecoder says when it waits for the rest of a sequence", () => {
  const decoder = new KeyDecoder();
  assert.deepEqual(decoder.push(encode("\x1b")), []);
  assert.equal(decoder.isWaiting, true);
  assert.deepEqual(decoder.push(encode("[A")).map(show), ["up"]);
  assert.equal(decoder.isWaiting, false);
});

Deno.test("KeyDecoder never gives text with control characters", () => {
  const unit = fc.constantFrom(0x1b, 0x5b, 0x4f, 0x7e, 0x32, 0x30, 0x31, 0x9b, 0xc2, 0x61, 0x0d, 0);
  fc.assert(
    fc.property(fc.array(unit), fc.array(unit), (one, other) => {
      const decoder = new KeyDecoder();
      const pieces = [one, other].map((bytes) => Uint8Array.from(bytes));
      const keys = [...pieces.flatMap((piece) => decoder.push(piece)), ...decoder.flush()];
      for (const key of keys) {
        if (key.type === "key") continue;
        assert.doesNotMatch(key.text, /[^\P{Cc}\t\n]/u);
      }
    }),
    { numRuns: 1000 },
  );
});
