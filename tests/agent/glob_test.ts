/** Globs without regular expressions. */
import assert from "node:assert/strict";
import { matchesGlob } from "../../src/agent/glob.ts";

Deno.test("matchesGlob() keeps * within a folder and lets ** cross folders", () => {
  assert(matchesGlob("a.ts", "*.ts"));
  assert(matchesGlob("a.ts", "**/*.ts"));
  assert(matchesGlob("x/y/a.ts", "**/*.ts"));
  assert(matchesGlob("x/y/a.ts", "x/**"));
  assert(matchesGlob("x/a1b.ts", "x/a?b.*"));
  assert(!matchesGlob("x/a.ts", "*.ts"));
  assert(!matchesGlob("x/a.tsx", "**/*.ts"));
});

Deno.test("matchesGlob() takes no time over a hostile pattern", () => {
  assert(!matchesGlob("a".repeat(5_000), `${"*a".repeat(1_000)}b`));
});
