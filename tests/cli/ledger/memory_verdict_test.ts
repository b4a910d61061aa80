/** What is said of memory is no more than the numbers carry. */
import assert from "node:assert/strict";
import { memoryVerdict, rateInterval } from "../../../src/cli/ledger/memory_verdict.ts";

const of = (shipped: number, failed: number) => ({ shipped, failed, abandoned: 0 });

Deno.test("rateInterval() is Wilson's, also where all or none shipped", () => {
  const rounded = (shipped: number, failed: number) => {
    const interval = rateInterval(of(shipped, failed));
    return [interval?.from.toFixed(4), interval?.to.toFixed(4)];
  };
  // Newcombe (1998), table I, method 3: 81 of 263, 15 of 148, 0 of 20, 1 of 29.
  assert.deepEqual(rounded(81, 182), ["0.2553", "0.3662"]);
  assert.deepEqual(rounded(15, 133), ["0.0624", "0.1605"]);
  assert.deepEqual(rounded(0, 20), ["0.0000", "0.1611"]);
  assert.deepEqual(rounded(1, 28), ["0.0061", "0.1718"]);
  assert.equal(rateInterval(of(0, 0)), undefined);
});

Deno.test("memoryVerdict() says of few sessions that they are too few", () => {
  assert.match(memoryVerdict(of(9, 0), of(50, 50)), /^Too few .* 9 with .* 100 without/);
});

Deno.test("memoryVerdict() tells a difference only where the interval has no zero in it, and claims no cause", () => {
  const verdicts = [
    [memoryVerdict(of(90, 10), of(40, 60)), /^Attempts with memory shipped more often: \+/],
    [memoryVerdict(of(40, 60), of(90, 10)), /^Attempts with memory shipped less often: −/],
    [memoryVerdict(of(8, 4), of(7, 5)), /^No difference can be told from chance: −/],
  ] as const;
  for (const [verdict, expected] of verdicts) {
    assert.match(verdict, expected);
    assert.match(verdict, /this shows no cause\.$/);
  }
});

Deno.test("memoryVerdict() gives Newcombe's interval of the difference", () => {
  // Newcombe (1998), method 10 for 56 of 70 against 48 of 80: +0.0524 to +0.3339.
  assert.match(memoryVerdict(of(56, 14), of(48, 32)), /\+5 to \+33 points/);
});
