import assert from "node:assert/strict";
import { tellingLine } from "../../src/workflow/telling_line.ts";

/** What a tool prints, and the line of it that says most. */
const OUTPUTS: Record<string, [string, string]> = {
  "deno test": [
    "running 1 test from ./sum_test.ts\nsum() adds ... FAILED (5ms)\n\n ERRORS \n\n" +
    "sum() adds => ./sum_test.ts:3:6\nerror: Error: 2 and 3 are 6\n\n FAILURES \n\n" +
    "FAILED | 0 passed | 1 failed (9ms)\n\nerror: Test failed\n",
    "error: Error: 2 and 3 are 6",
  ],
  "node --test": [
    "✖ sum() adds (1.2ms)\n  AssertionError [ERR_ASSERTION]: 2 and 3 are 6\nℹ fail 1\n",
    "AssertionError [ERR_ASSERTION]: 2 and 3 are 6",
  ],
  "node --test as TAP": [
    "TAP version 13\nnot ok 1 - sum() adds\n  ---\n  failureType: 'testCodeFailure'\n  error: |-\n" +
    "    Expected values to be strictly equal:\n  code: 'ERR_ASSERTION'\n  ...\n1..1\n# fail 1\n",
    "not ok 1 - sum() adds",
  ],
  "python -m unittest": [
    "F\n====\nFAIL: test_adds (test_total.TotalTest)\nTraceback (most recent call last):\n" +
    "AssertionError: -1 != 5 : 2 and 3 are -1\nFAILED (failures=1)\n",
    "AssertionError: -1 != 5 : 2 and 3 are -1",
  ],
  "pytest": [
    "    def test_adds():\n>       assert total(2, 3) == 5\nE       assert 6 == 5\n1 failed in 0.02s\n",
    "E       assert 6 == 5",
  ],
  "go test": [
    "--- FAIL: TestAdd (0.00s)\n    add_test.go:9: got 6, want 5\nFAIL\nexit status 1\n",
    "--- FAIL: TestAdd (0.00s)",
  ],
  "cargo test": [
    "thread 'adds' panicked at src/lib.rs:9:5:\nassertion `left == right` failed\n  left: 6\n",
    "assertion `left == right` failed",
  ],
  "tsc": [
    "src/a.ts(3,5): error TS2322: Type 'string' is not assignable to type 'number'.\n",
    "src/a.ts(3,5): error TS2322: Type 'string' is not assignable to type 'number'.",
  ],
  "eslint": [
    "/p/a.js\n  3:5  error  'x' is defined but never used  no-unused-vars\n\n✖ 1 problem (1 error)\n",
    "3:5  error  'x' is defined but never used  no-unused-vars",
  ],
  "coloured output": ["\x1b[31merror\x1b[0m: no such thing\n", "error: no such thing"],
  "output that only counts": ["checking\n3 failed\nmake: *** [test] Error 1\n", "3 failed"],
  "output of unknown words": ["\n  it did not go well\nat all\n", "it did not go well"],
  "no output": ["", ""],
};

for (const [tool, [output, line]] of Object.entries(OUTPUTS)) {
  Deno.test(`tellingLine() of ${tool} is ${JSON.stringify(line)}`, () => {
    assert.equal(tellingLine(output, /\d+ failed/), line);
  });
}

Deno.test("tellingLine() cuts a long line between characters", () => {
  const line = tellingLine(`error: ${"😀".repeat(500)}`, undefined);
  assert.equal([...line].length, 161);
  assert.ok(line.isWellFormed() && line.endsWith("😀…"));
});
