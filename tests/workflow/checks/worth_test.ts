import assert from "node:assert/strict";
import { fewerTests, weigh } from "../../../src/workflow/checks/worth.ts";

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
  ], []);
  assert.equal(worth.isProof, false);
  assert.match(worth.words, /^not verified: check test ran no test: nothing was proved by it /);
});

Deno.test("weigh() says how many tests ran, or that it is not known", () => {
  const lint = { name: "lint", command: "eslint .", tests: null };
  const test = { name: "test", command: "make test", tests: null };
  assert.deepEqual(weigh([lint, { ...test, tests: ran(12) }], []), {
    isProof: true,
    words: "2 checks passed, 12 tests ran",
  });
  assert.equal(weigh([lint, test], []).words, "2 checks passed; how many tests ran is not known");
  assert.equal(weigh([lint], []).words, "1 check passed; none of them is known to run tests");
});

Deno.test("weigh() takes a check for no proof whose tests were counted before and are not any more", () => {
  const test = (tests: ReturnType<typeof ran> | null) => [{
    name: "test",
    command: "make test",
    tests,
  }];
  const worth = weigh(test(null), test(ran(15)));
  assert.equal(worth.isProof, false);
  assert.match(worth.words, /^not verified: 15 tests ran in check test before any change, and /);
  assert.equal(weigh(test(null), test(null)).isProof, true);
  assert.equal(weigh(test(ran(3)), test(ran(15))).isProof, true);
});

Deno.test("fewerTests() names a count that shrank, and none that may have grown or counts something else", () => {
  const check = (tests: ReturnType<typeof ran> | null) => [{ name: "t", command: "x", tests }];
  assert.match(fewerTests(check(ran(14)), check(ran(15)))[0]?.text ?? "", /^Fewer tests ran/);
  assert.deepEqual(fewerTests(check(ran(15)), check(ran(15))), []);
  assert.deepEqual(fewerTests(check({ ...ran(1), isLowerBound: true }), check(ran(15))), []);
  const packages = { ...ran(15), unit: "packages" as const };
  assert.deepEqual(fewerTests(check(ran(1)), [{ name: "t", command: "x", tests: packages }]), []);
});
