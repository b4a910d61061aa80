/**
 * What checks that passed are worth together.
 * Rule: pure; a test check that ran no test proves nothing, and what is not known is said to be not known.
 */
import { counted } from "../../platform/text.ts";
import { describeCount, type TestCount, worthOf } from "../../ship/checks/test_count.ts";

/** A check that passed. */
interface PassedCheck {
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
 * @example
 * ```ts
 * import { weigh } from "./worth.ts";
 * import assert from "node:assert/strict";
 *
 * const tests = { ran: 0, failed: 0, skipped: 0, unit: "tests", isLowerBound: false } as const;
 * assert.equal(weigh([{ name: "test", command: "node --test", tests }]).isProof, false);
 * ```
 */
export function weigh(checks: readonly PassedCheck[]): Worth {
  const worths = checks.map((check) => ({ check, ...worthOf(check, check.tests) }));
  const empty = worths.find(({ worth }) => worth === "ran nothing");
  if (empty !== undefined) {
    const { name, command } = empty.check;
    const words =
      `not verified: check ${name} ran no test: nothing was proved by it (${command}). ` +
      HINT;
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
