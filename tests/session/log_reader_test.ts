/** The lines of a log, however they lie in the buffer that they are read through. */
import assert from "node:assert/strict";
import { join } from "@std/path";
import { readLines } from "../../src/session/log_reader.ts";
import { withTemporaryFolder } from "../support/temporary.ts";

/** What is read of a file at a time. */
const BUFFER_BYTES = 1 << 18;

/** The lines that are read of a file with this text. */
function linesOf(path: string, text: string): string[] {
  Deno.writeTextFileSync(path, text);
  using file = Deno.openSync(path);
  const lines: string[] = [];
  for (const { bytes, isEnded } of readLines(file, path)) {
    lines.push(new TextDecoder().decode(bytes) + (isEnded ? "\n" : ""));
  }
  return lines;
}

/** Compares without printing a quarter of a megabyte when they differ. */
function assertSame(found: readonly string[], expected: readonly string[]): void {
  assert.deepEqual(found.map(({ length }) => length), expected.map(({ length }) => length));
  assert.ok(found.every((line, index) => line === expected[index]));
}

Deno.test("readLines() gives each line whole, wherever the buffer ends in it", async () => {
  await withTemporaryFolder((folder) => {
    const path = join(folder, "log");
    for (const before of [-2, -1, 0, 1, 2, 3]) {
      const lines = ["a".repeat(BUFFER_BYTES - 1 + before) + "\n", "bcdef\n", "\n", "g\n"];
      assertSame(linesOf(path, lines.join("")), lines);
      assertSame(linesOf(path, lines.join("") + "half"), [...lines, "half"]);
    }
    const many = Array.from({ length: 20_000 }, (_, n) => `${n} ${"x".repeat(n % 61)}\n`);
    assertSame(linesOf(path, many.join("")), many);
    assertSame(linesOf(path, ""), []);
  });
});

Deno.test("readLines() gives a line that is longer than its buffer", async () => {
  await withTemporaryFolder((folder) => {
    const lines = ["a\n", "b".repeat(3 * BUFFER_BYTES + 5) + "\n", "c\n"];
    assertSame(linesOf(join(folder, "log"), lines.join("")), lines);
  });
});
