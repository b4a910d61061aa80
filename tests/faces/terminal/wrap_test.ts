/** Width, cutting and wrapping of text on a terminal. */
import assert from "node:assert/strict";
import fc from "fast-check";
import {
  displayWidth,
  expandTabs,
  oneLine,
  pad,
  truncate,
} from "../../../src/faces/terminal/width.ts";
import { wrapSpans, wrapText } from "../../../src/faces/terminal/wrap.ts";

Deno.test("displayWidth() counts wide, combining and emoji characters", () => {
  assert.equal(displayWidth("abc"), 3);
  assert.equal(displayWidth("漢字"), 4);
  assert.equal(displayWidth("e\u0301"), 1);
  assert.equal(displayWidth("👨‍👩‍👧"), 2);
});

Deno.test("truncate() never splits a grapheme and never exceeds the width", () => {
  assert.equal(truncate("hello", 5), "hello");
  assert.equal(truncate("hello!", 5), "hell…");
  assert.equal(truncate("漢字漢字", 6), "漢字…");
  assert.equal(truncate("hello", 0), "");
});

Deno.test("pad() aligns by columns", () => {
  assert.equal(pad("漢", 4), "漢  ");
  assert.equal(pad("漢", 4, "right"), "  漢");
  assert.equal(pad("漢", 4, "center"), " 漢 ");
});

Deno.test("expandTabs() goes to the next stop of eight", () => {
  assert.equal(expandTabs("a\tb"), "a       b");
  assert.equal(expandTabs("漢\tb", 2), "漢    b");
});

Deno.test("oneLine() joins lines with a space", () => {
  assert.equal(oneLine(" a\n  b\u2028c\r\n"), "a b c");
});

Deno.test("wrapText() breaks at spaces, cuts long words, keeps hard breaks and their indent", () => {
  assert.deepEqual(wrapText("one two three", 8), ["one two", "three"]);
  assert.deepEqual(wrapText("abcdefghij k", 4), ["abcd", "efgh", "ij k"]);
  assert.deepEqual(wrapText("a\n  b\n\nc", 10), ["a", "  b", "", "c"]);
  assert.deepEqual(wrapText("", 10), [""]);
  assert.deepEqual(wrapText("exactly8 next", 8), ["exactly8", "next"]);
});

Deno.test("wrapText() breaks between ideographs", () => {
  assert.deepEqual(wrapText("漢字漢字", 5), ["漢字", "漢字"]);
});

Deno.test("wrapSpans() keeps a word together that is made of two styles", () => {
  assert.deepEqual(
    wrapSpans([{ text: "aaa bb", styles: [] }, { text: "cc", styles: ["bold"] }], 6),
    [[{ text: "aaa", styles: [] }], [
      { text: "bb", styles: [] },
      { text: "cc", styles: ["bold"] },
    ]],
  );
});

Deno.test("wrapText() keeps to the width and loses nothing but spaces", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "b", " ", "漢", "é", "🎉", "\n") });
  fc.assert(fc.property(text, fc.integer({ min: 2, max: 12 }), (input, width) => {
    const lines = wrapText(input, width);
    for (const line of lines) assert.ok(displayWidth(line) <= width, JSON.stringify(line));
    assert.equal(lines.join("").replace(/\s/g, ""), input.replace(/\s/g, ""));
  }));
});
