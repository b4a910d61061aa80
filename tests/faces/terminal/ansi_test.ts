/** Painting text, and when not to. */
import assert from "node:assert/strict";
import { createPaint, paintSpans, wantsColour } from "../../../src/faces/terminal/ansi.ts";

Deno.test("wantsColour() is false without a terminal, with NO_COLOR, on a dumb terminal", () => {
  assert.equal(wantsColour(true, {}), true);
  assert.equal(wantsColour(false, {}), false);
  assert.equal(wantsColour(true, { NO_COLOR: "1" }), false);
  assert.equal(wantsColour(true, { TERM: "dumb" }), false);
});

Deno.test("createPaint() strips what is not its own", () => {
  const paint = createPaint(true);
  assert.equal(paint("a\x1b]52;c;aGk=\x07b", "red"), "\x1b[31mab\x1b[0m");
  assert.equal(paint("\x1b[31mplain"), "plain");
  assert.equal(createPaint(false)("a\x1b[1mb", "bold"), "ab");
});

Deno.test("paintSpans() paints each span on its own", () => {
  const spans = [{ text: "a", styles: ["bold"] as const }, { text: "b", styles: [] }];
  assert.equal(paintSpans(spans, createPaint(true)), "\x1b[1ma\x1b[0mb");
});
