/** What may reach a terminal, and that no cut of the input changes it. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { ControlSequenceStripper, stripControlSequences } from "../../src/platform/text.ts";

const CASES: [name: string, input: string, expected: string][] = [
  ["keeps plain text, tab and newline", "a\tb\nc é 漢 🎉", "a\tb\nc é 漢 🎉"],
  ["drops colours", "\x1b[1;31mred\x1b[0m", "red"],
  ["drops an 8-bit CSI", "a\x9b31mb", "ab"],
  ["drops a clipboard write ended by BEL", "a\x1b]52;c;aGVsbG8=\x07b", "ab"],
  ["drops a clipboard write ended by ESC backslash", "a\x1b]52;c;aGVsbG8=\x1b\\b", "ab"],
  ["drops a clipboard write ended by the 8-bit ST", "a\x1b]52;c;aGVsbG8=\x9cb", "ab"],
  ["drops an 8-bit OSC", "a\x9d0;title\x07b", "ab"],
  ["drops a hyperlink and keeps its text", "\x1b]8;;http://x\x1b\\text\x1b]8;;\x1b\\", "text"],
  ["ends an unterminated OSC at the line's end", "a\x1b]0;never ends\nb", "a\nb"],
  ["drops an unterminated OSC at the end of the text", "a\x1b]0;never ends", "a"],
  ["ends an unterminated OSC at the next sequence", "a\x1b]0;t\x1b[31mb", "ab"],
  ["drops DCS, SOS, PM and APC", "\x1bPq#0\x1b\\a\x1bXs\x1b\\b\x1b^p\x1b\\c\x1b_Gk\x1b\\d", "abcd"],
  ["drops 8-bit DCS, SOS, PM and APC", "\x90q\x9ca\x98s\x9cb\x9ep\x9cc\x9fg\x9cd", "abcd"],
  ["sees through a tmux passthrough", "a\x1bPtmux;\x1b\x1b]52;c;aGk=\x07\x1b\\b", "ab"],
  ["drops charset and reset sequences", "a\x1b(0b\x1bcc\x1b#8d", "abcd"],
  ["drops an ESC behind an ESC", "a\x1b\x1b[2Jb", "ab"],
  ["keeps a letter behind a broken sequence", "a\x1b\u00e9b", "a\u00e9b"],
  ["drops bell, backspace and other C0", "a\x07\x08\x00\x0b\x0c\x7fb", "ab"],
  ["turns CR LF into LF and drops a lone CR", "a\r\nb\rc", "a\nbc"],
  ["drops C1 controls", "a\x84\x8d\x9cb", "ab"],
  ["shows NEL, LS and PS as new lines", "a\u0085b\u2028c\u2029d", "a\nb\nc\nd"],
  ["keeps what CAN cut off behind it", "a\x1b]0;t\x18b", "ab"],
];

for (const [name, input, expected] of CASES) {
  Deno.test(`stripControlSequences() ${name}`, () => {
    assert.equal(stripControlSequences(input), expected);
  });
  Deno.test(`ControlSequenceStripper ${name}, split anywhere`, () => {
    for (let cut = 0; cut <= input.length; cut++) {
      assert.equal(inPieces([input.slice(0, cut), input.slice(cut)]), expected, `cut at ${cut}`);
    }
    assert.equal(inPieces(input.split("")), expected);
  });
}

Deno.test("ControlSequenceStripper holds back half of a surrogate pair", () => {
  const stripper = new ControlSequenceStripper();
  assert.equal(stripper.push("a\ud83c"), "a");
  assert.equal(stripper.push("\udf89"), "🎉");
});

Deno.test("ControlSequenceStripper lets no control character through and does not depend on the pieces", () => {
  const hostile = fc.constantFrom(
    "\x1b",
    "[",
    "]",
    "P",
    "\\",
    "\x07",
    "\x9b",
    "\x9d",
    "\x9c",
    "\n",
  );
  const unit = fc.oneof(hostile, fc.string({ unit: "binary", maxLength: 2 }), fc.string());
  fc.assert(
    fc.property(fc.array(unit), (pieces) => {
      const shown = inPieces(pieces);
      // deno-lint-ignore no-control-regex -- control characters are what this test is about
      assert.doesNotMatch(shown, /[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029]/);
      assert.equal(shown, stripControlSequences(pieces.join("")));
    }),
    { numRuns: 500 },
  );
});

function inPieces(pieces: string[]): string {
  const stripper = new ControlSequenceStripper();
  return pieces.map((piece) => stripper.push(piece)).join("") + stripper.end();
}
