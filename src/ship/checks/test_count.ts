/**
 * How many tests a check ran, from what it printed.
 * Rule: pure; what the output does not say is not known, and never taken for none or for some.
 */
import { stripControlSequences } from "../../platform/text.ts";
import { type CheckKind, kindOfCheck } from "./check_kind.ts";
import { type Counts, sum } from "./read_counts.ts";
import { INNER_RUNNERS, type Runner, RUNNERS } from "./runners.ts";

/** How many tests ran. */
export interface TestCount {
  /** Those that ran, whatever came of them: without the skipped, the pending and the planned. */
  ran: number;
  failed: number;
  skipped: number;
  /** `packages`: the runner counts those, not the tests in them. */
  unit: "tests" | "packages";
  /** Whether a part of the output was left out, so that more may have run. */
  isLowerBound: boolean;
}

/** What capText() and the reader of processes write where they leave a middle out. */
const LEFT_OUT = /^\[… \d+ bytes left out …\]$/m;

/** What wrappers write in front of a package's lines: `packages/a test: `, `a:test: `, `[a]: `, `web-1 | `. */
const PREFIX =
  /^(?:\[[^\]]+\]:? |[@\w./-]+ [\w:.-]+: |[@\w./-]+:[\w.-]+(?::[\w.-]+)*: |[@\w./-]+: |[\w.-]+ +[|│] )/;

/**
 * Counts the tests that an output tells of; `undefined` when it says nothing that is known.
 *
 * Summaries are added up: a workspace has one a package, cargo one a target. It does not matter what
 * started the runner.
 *
 * @example
 * ```ts
 * import { countTests } from "./test_count.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(countTests("=== 2 passed, 1 skipped in 0.01s ===")?.ran, 2);
 * assert.equal(countTests("Ran 0 tests in 0.000s\n\nOK")?.ran, 0);
 * assert.equal(countTests("done"), undefined);
 * ```
 */
export function countTests(output: string): TestCount | undefined {
  // A progress line that is written over again and again is many lines.
  const text = stripControlSequences(output.replaceAll(/\r(?!\n)/g, "\n"));
  const lines = text.split("\n").map((line) => line.trimEnd());
  const isLowerBound = LEFT_OUT.test(text);
  const withoutPrefix = lines.map((line) => line.replace(PREFIX, ""));
  for (
    const [runners, texts] of [
      [RUNNERS, lines],
      [RUNNERS, withoutPrefix],
      [INNER_RUNNERS, lines],
      [INNER_RUNNERS, withoutPrefix],
    ] as const
  ) {
    const found = runners.flatMap((runner) => {
      const counts = runner.read(texts);
      return counts === undefined ? [] : [{ runner, counts }];
    });
    if (found.length > 0) return { ...added(found), isLowerBound };
  }
  return undefined;
}

function added(
  found: readonly { runner: Runner; counts: Counts }[],
): Omit<TestCount, "isLowerBound"> {
  const all = sum(found.map(({ runner, counts }) => ({
    total: ranOf(runner, counts),
    failed: counts.failed ?? 0,
    skipped: counts.skipped ?? 0,
  })));
  const spoke = found.filter(({ runner, counts }) => ranOf(runner, counts) > 0);
  const isPackages = spoke.length > 0 && spoke.every(({ runner }) => runner.unit === "packages");
  return {
    ran: all.total ?? 0,
    failed: all.failed ?? 0,
    skipped: all.skipped ?? 0,
    unit: isPackages ? "packages" : "tests",
  };
}

function ranOf({ totalIsWithoutSkipped }: Runner, counts: Counts): number {
  const { total, passed, failed, skipped } = counts;
  if (total === undefined || passed !== undefined && failed !== undefined) {
    return (passed ?? 0) + (failed ?? 0);
  }
  return totalIsWithoutSkipped ? total : Math.max(0, total - (skipped ?? 0));
}

/** What a check that passed is worth. */
export type CheckWorth =
  /** Tests ran; how many, its count says. */
  | { worth: "tested"; count: TestCount }
  /** A test check that ran no test: it proves nothing. */
  | { worth: "ran nothing"; count: TestCount }
  /** A test check whose output does not say what ran. */
  | { worth: "not known" }
  /** A build, a type check or a lint: what it proves is that it passed. */
  | { worth: "no tests expected"; kind: CheckKind };

/**
 * What a check that passed is worth.
 *
 * @param count how many tests it ran; null where its output did not tell
 */
export function worthOf(
  check: { name: string; command: string },
  count: TestCount | null,
): CheckWorth {
  const kind = kindOfCheck(check);
  if (count !== null && count.ran > 0) return { worth: "tested", count };
  if (kind !== "test" && kind !== "other") return { worth: "no tests expected", kind };
  if (count === null || count.isLowerBound) {
    return kind === "test" ? { worth: "not known" } : { worth: "no tests expected", kind };
  }
  return { worth: "ran nothing", count };
}

/** A count in words: `12 tests ran, 2 skipped`, `at least 3 packages of tests ran`, `no test ran`. */
export function describeCount(count: TestCount): string {
  const { ran, failed, skipped, unit, isLowerBound } = count;
  const noun = unit === "packages"
    ? `package${ran === 1 ? "" : "s"} of tests`
    : `test${ran === 1 ? "" : "s"}`;
  const notes = [failed > 0 ? `${failed} failed` : "", skipped > 0 ? `${skipped} skipped` : ""]
    .filter((note) => note !== "");
  const first = ran === 0 ? "no test ran" : `${isLowerBound ? "at least " : ""}${ran} ${noun} ran`;
  return [first, ...notes].join(", ");
}
