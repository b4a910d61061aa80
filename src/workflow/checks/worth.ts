/**
 * What checks that passed are worth together.
 * Rule: pure; a test check that ran no test proves nothing, and what is not known is said to be not known.
 */
import { counted } from "../../platform/text.ts";
import type { Caveat } from "../../session/verification.ts";
import { describeCount, type TestCount, worthOf } from "../../ship/checks/test_count.ts";

/** A check that has ended, and how many tests it ran. */
interface CountedCheck {
  name: string;
  command: string;
  tests: TestCount | null;
}

/** What a verification by these checks comes to. */
export type Worth =
  | { isProof: true; words: string }
  /** One of them proved nothing. */
  | { isProof: false; words: string };

const HINT =
  "Where its tests are, or which command runs them, belongs into planning/config.toml, " +
  "[ship.checks], or into PROJECT.md";

/**
 * Weighs the checks of a verification that all passed.
 *
 * @param before how they ended before anything was changed
 *
 * @example
 * ```ts
 * import { weigh } from "./worth.ts";
 * import assert from "node:assert/strict";
 *
 * const tests = { ran: 0, failed: 0, skipped: 0, unit: "tests", isLowerBound: false } as const;
 * assert.equal(weigh([{ name: "test", command: "node --test", tests }], []).isProof, false);
 * ```
 */
export function weigh(
  checks: readonly CountedCheck[],
  before: readonly CountedCheck[],
): Worth {
  const worths = checks.map((check) => ({ check, ...worthOf(check, check.tests) }));
  const empty = worths.find(({ worth }) => worth === "ran nothing");
  if (empty !== undefined) {
    const { name, command } = empty.check;
    const words =
      `not verified: check ${name} ran no test: nothing was proved by it (${command}). ` +
      HINT;
    return { isProof: false, words };
  }
  for (const { was, now } of comparedWith(before, checks)) {
    if (was === null || was.ran === 0 || now.tests !== null) continue;
    const words = `not verified: ${describeCount(was)} in check ${now.name} before any change, ` +
      `and its output does not say any more how many: what it proved is not known (${now.command})`;
    return { isProof: false, words };
  }
  const passed = `${counted(checks.length, "check")} passed`;
  const counts = worths.flatMap((worth) => worth.worth === "tested" ? [worth.count] : []);
  if (counts.length > 0) {
    return { isProof: true, words: [passed, ...counts.map(describeCount)].join(", ") };
  }
  const words = worths.some(({ worth }) => worth === "not known")
    ? `${passed}; how many tests ran is not known`
    : `${passed}; none of them is known to run tests`;
  return { isProof: true, words };
}

/**
 * Where fewer tests ran than before anything was changed.
 *
 * @example
 * ```ts
 * import { fewerTests } from "./worth.ts";
 * import assert from "node:assert/strict";
 *
 * const check = (ran: number) => ({
 *   name: "test",
 *   command: "node --test",
 *   tests: { ran, failed: 0, skipped: 0, unit: "tests", isLowerBound: false } as const,
 * });
 * const [caveat] = fewerTests([check(10)], [check(15)]);
 * assert.equal(caveat?.text, "Fewer tests ran than before any change: 10 tests ran, 15 tests ran before (check test)");
 * ```
 */
export function fewerTests(
  checks: readonly CountedCheck[],
  before: readonly CountedCheck[],
): Caveat[] {
  return comparedWith(before, checks).flatMap(({ was, now }) => {
    if (was === null || now.tests === null || now.tests.isLowerBound) return [];
    if (was.unit !== now.tests.unit || now.tests.ran >= was.ran) return [];
    const text = `Fewer tests ran than before any change: ${describeCount(now.tests)}, ` +
      `${describeCount(was)} before (check ${now.name})`;
    return [{ kind: "tests", text, lines: [] }];
  });
}

function comparedWith(
  before: readonly CountedCheck[],
  checks: readonly CountedCheck[],
): { was: TestCount | null; now: CountedCheck }[] {
  return checks.map((now) => {
    const known = before.find(({ name, command }) => name === now.name && command === now.command);
    return { was: known?.tests ?? null, now };
  });
}
