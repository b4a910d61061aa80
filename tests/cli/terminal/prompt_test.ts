/** Patches and commands as they are shown for approval. */
import assert from "node:assert/strict";
import { createPaint } from "../../../src/cli/terminal/ansi.ts";
import { isPatch, paintPatch } from "../../../src/cli/terminal/diff.ts";
import { showHidden } from "../../../src/cli/terminal/visible.ts";

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
