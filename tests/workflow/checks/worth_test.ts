import assert from "node:assert/strict";
import { weigh } from "../../../src/workflow/checks/worth.ts";

const ran = (count: number, skipped = 0) => ({
  ran: count,
  failed: 0,
  skipped,
  unit: "tests" as const,
  isLowerBound: false,
});

Deno.test("weigh() takes no test check for proof that ran no test, whatever else passed", () => {
  const worth = weigh([
    { name: "lint", command: "eslint .", tests: null },
    { name: "test", command: "node --test", tests: ran(0, 2) },
  ]);
  assert.equal(worth.isProof, false);
  assert.match(worth.words, /^not verified: check test ran no test: nothing was proved by it /);
});

Deno.test("weigh() says how many tests ran, or that it is not known", () => {
  const lint = { name: "lint", command: "eslint .", tests: null };
  const test = { name: "test", command: "make test", tests: null };
  assert.deepEqual(weigh([lint, { ...test, tests: ran(12) }]), {
    isProof: true,
    words: "2 checks passed, 12 tests ran",
  });
  assert.equal(weigh([lint, test]).words, "2 checks passed; how many tests ran is not known");
  assert.equal(weigh([lint]).words, "1 check passed; none of them is known to run tests");
});
