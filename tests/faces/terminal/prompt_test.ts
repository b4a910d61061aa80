/** Patches and commands as they are shown for approval. */
import assert from "node:assert/strict";
import { createPaint, type Span } from "../../../src/faces/terminal/ansi.ts";
import { abridge } from "../../../src/faces/terminal/abridge.ts";
import { isPatch, paintPatch } from "../../../src/faces/terminal/diff.ts";
import { showHidden } from "../../../src/platform/visible.ts";

const PATCH = `diff --git a/x.ts b/x.ts
index 1..2 100644
--- a/x.ts
+++ b/x.ts
@@ -1,3 +1,3 @@ head
 same
--- old
+new \x1b[2J\u202e
\\ No newline at end of file
`;

Deno.test("paintPatch() colours each line by what it does and hides nothing", () => {
  const lines = paintPatch(PATCH, createPaint(true)).split("\n");
  assert.deepEqual(lines.slice(3), [
    "\x1b[1m+++ b/x.ts\x1b[0m",
    "\x1b[36m@@ -1,3 +1,3 @@ head\x1b[0m",
    " same",
    "\x1b[31m--- old\x1b[0m",
    "\x1b[32m+new ␛[2J<U+202E>\x1b[0m",
    "\x1b[2m\\ No newline at end of file\x1b[0m",
  ]);
});

Deno.test("paintPatch() does not mark the line breaks of a CRLF file, but marks a CR that comes", () => {
  const crlf = "@@ -1 +1 @@\n-a\r\n+b\r\n";
  const paint = createPaint(false);
  assert.equal(paintPatch(crlf, paint), "@@ -1 +1 @@\n-a\n+b");
  assert.equal(paintPatch("@@ -1 +1 @@\n-a\n+b\r\n", paint), "@@ -1 +1 @@\n-a\n+b␍");
});

Deno.test("paintPatch() keeps a line of the patch on one line", () => {
  const patch = "@@ -1 +1 @@\n+a\u2028-b\u0085c\n";
  const shown = paintPatch(patch, createPaint(false));
  assert.equal(shown, "@@ -1 +1 @@\n+a<U+2028>-b<U+0085>c");
});

Deno.test("isPatch() tells a patch from a command", () => {
  assert.equal(isPatch(PATCH), true);
  assert.equal(isPatch("npm test -- --watch"), false);
});

Deno.test("showHidden() shows what a reader could not see, and leaves emoji alone", () => {
  assert.equal(showHidden("a\u200bb\ufeffc\u00add"), "a<U+200B>b<U+FEFF>c<U+00AD>d");
  assert.equal(showHidden("x\u200dy"), "x<U+200D>y");
  assert.equal(showHidden("👨‍👩‍👧 ❤️‍🔥 é\t\n"), "👨‍👩‍👧 ❤️‍🔥 é\t\n");
  assert.equal(showHidden("\u{e0041}"), "<U+E0041>");
});

Deno.test("showHidden() shows blanks that are no space, and what has no look", () => {
  assert.equal(
    showHidden("npm\u00a0test\u2003\u3000\u2800.\u034f\u{e0100}\u180b\r"),
    "npm<U+00A0>test<U+2003><U+3000><U+2800>.<U+034F><U+E0100><U+180B>␍",
  );
  assert.equal(showHidden("a\ufe0f 1️⃣ ☂️"), "a<U+FE0F> 1️⃣ ☂️");
});

const line = (text: string): Span => ({ text, styles: [] });

Deno.test("abridge() keeps what fits, and of more the beginning and the end", () => {
  const short = [line("a"), line(""), line("b")];
  assert.deepEqual(abridge(short, { rows: 3, columns: 10 }), { lines: short, isAbridged: false });
  const hidden = [
    line("touch X #"),
    ...Array.from({ length: 80 }, () => line("")),
    line("npm test"),
  ];
  const { lines, isAbridged } = abridge(hidden, { rows: 18, columns: 80 });
  assert(isAbridged);
  assert.equal(lines.length, 18);
  assert.equal(lines[0]?.text, "touch X #");
  assert.equal(lines.at(-1)?.text, "npm test");
  assert.deepEqual(lines.filter(({ text }) => text.includes("⋯")).map(({ text }) => text), [
    "⋯ 65 more lines ⋯",
  ]);
});

Deno.test("abridge() cuts a line of many rows in its middle, and says how much", () => {
  const text = `ls #${" ".repeat(5000)}; rm -rf x`;
  const { lines, isAbridged } = abridge([line(text)], { rows: 20, columns: 80 });
  assert(isAbridged);
  const [shown = ""] = lines.map(({ text }) => text);
  assert(shown.startsWith("ls #") && shown.endsWith("; rm -rf x"));
  assert.match(shown, /⋯ 4,?854 more characters ⋯/);
});
