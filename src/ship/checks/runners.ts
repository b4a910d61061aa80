/**
 * The test runners whose words are known, a row each.
 * Rule: a line of output is one row's; what a wrapper (make, npm, tox) runs is told by the runner's own words.
 */
import {
  type CountReader,
  each,
  either,
  groups,
  last,
  nothing,
  together,
  where,
  words,
} from "./read_counts.ts";

/** A runner, and how its output says what ran. */
export interface Runner {
  name: string;
  read: CountReader;
  /** What is counted, where it is not tests. */
  unit?: "packages";
  /** Whether the runner's total leaves skipped tests out. */
  totalIsWithoutSkipped?: true;
}

/** Runners that say themselves how many tests ran. */
export const RUNNERS: readonly Runner[] = [
  {
    name: "node --test",
    read: where(
      /^[#ℹ] suites \d+$/,
      words(/^[#ℹ] (?:tests|pass|fail|cancelled|skipped|todo) \d+$/, "word first"),
    ),
  },
  { name: "jest", read: words(/^Tests: +.*\b\d+ total$/, "number first") },
  {
    name: "vitest",
    read: either(
      words(/^ +Tests {2}\d+ .*\(\d+\)$/, "number first"),
      nothing(/^ +Tests {2}no tests$/),
    ),
  },
  {
    name: "mocha",
    read: where(/^ *\d+ passing\b/, words(/^ *\d+ (?:passing|pending|failing)\b/, "number first")),
  },
  { name: "ava", read: words(/^ *\d+ tests? (?:passed|failed|skipped|todo)$/, "number first") },
  {
    name: "tape, ava --tap",
    read: where(
      /^# pass +\d+$/,
      (lines) =>
        lines.some((line) => /^# suites \d+$/.test(line))
          ? undefined
          : words(/^# (?:pass|fail|skip) +\d+$/, "word first")(lines),
    ),
  },
  { name: "tap", read: words(/^# \{ (?:total|pass|fail): .*\}$/, "word first") },
  {
    name: "uvu",
    read: where(/^ {2}Total: +\d+$/, words(/^ {2}(?:Total|Skipped): +\d+$/, "word first")),
    totalIsWithoutSkipped: true,
  },
  { name: "jasmine", read: words(/^\d+ specs?, \d+ failures?/, "number first") },
  {
    name: "karma",
    read: last(
      /Executed (?<total>\d+) of \d+(?: \((?<failed>\d+) FAILED\))?(?: \(?skipped (?<skipped>\d+)\)?)?/,
    ),
    totalIsWithoutSkipped: true,
  },
  {
    name: "playwright",
    read: where(
      /^Running \d+ tests? using \d+ workers?/,
      words(/^ {2}\d+ (?:passed|failed|skipped|flaky)\b/, "number first"),
    ),
  },
  {
    name: "bun test",
    read: where(
      /^Ran \d+ tests? across \d+ files?\b/,
      words(/^ *\d+ (?:pass|fail|skip|todo)$/, "number first"),
    ),
  },
  { name: "deno test", read: words(/^(?:ok|FAILED) \| \d+ passed\b/, "number first") },
  {
    name: "pytest",
    read: either(
      words(
        /^=* ?(?:\d+ (?:passed|failed|skipped|x?passed|xfailed|errors?|deselected|warnings?|rerun|subtests passed|subtests failed)(?:, )?)+ in \d.*$/,
        "number first",
      ),
      nothing(/^=* ?no tests (?:ran|collected)\b/),
    ),
  },
  {
    name: "unittest",
    read: where(
      /^Ran \d+ tests? in [\d.]+s$/,
      together(
        groups(/^Ran (?<total>\d+) tests? in [\d.]+s$/),
        words(/^(?:OK|FAILED) \(\w[\w ]*=\d+.*\)$/, "word first"),
      ),
    ),
  },
  {
    name: "go test -v",
    read: where(
      /^=== RUN /,
      each({
        passed: /^--- PASS: /,
        failed: /^--- FAIL: |^FAIL\t.*\[(?:build|setup) failed\]$/,
        skipped: /^--- SKIP: /,
      }),
    ),
  },
  {
    name: "go test",
    unit: "packages",
    read: (lines) =>
      lines.some((line) => line.startsWith("=== RUN ")) ? undefined : together(
        each({
          passed: /^ok {2}\t(?!.*\[no tests to run\])/,
          failed: /^FAIL\t/,
        }),
        nothing(/^\?? *(?:ok {2})?\t.*\[no test(?:s to run| files)\]$/),
      )(lines),
  },
  { name: "cargo test", read: words(/^test result: \w+\. \d+ passed;/, "number first") },
  { name: "cargo nextest", read: words(/^ *Summary \[.*\] +\d+.* tests? run:/, "number first") },
  {
    name: "gradle",
    read: either(
      groups(
        /^(?<total>\d+) tests? completed(?:, (?<failed>\d+) failed)?(?:, (?<skipped>\d+) skipped)?$/,
      ),
      (lines) =>
        lines.some((line) => /^> Task \S*[tT]est$/.test(line))
          ? undefined
          : nothing(/^> Task \S*[tT]est NO-SOURCE$/)(lines),
    ),
  },
  {
    name: "maven surefire",
    read: words(/^(?:\[\w+\] )?Tests run: \d+, (?!.*Time elapsed)/, "word first"),
  },
  {
    name: "dotnet test",
    read: either(
      words(/^(?:Passed|Failed|Skipped)! +- +Failed: +\d+/, "word first"),
      where(
        /^Total tests: \d+$/,
        together(
          groups(/^Total tests: (?<total>\d+)$/),
          words(/^ +(?:Passed|Failed|Skipped): \d+$/, "word first"),
        ),
      ),
      where(
        /^Test run summary: /,
        words(/^ +(?:total|failed|succeeded|skipped): \d+$/, "word first"),
      ),
      nothing(/^No test is available in /),
    ),
  },
  {
    name: "rspec",
    read: words(/^\d+ examples?, \d+ failures?/, "number first"),
  },
  { name: "minitest", read: words(/^\d+ runs, \d+ assertions, /, "number first") },
  { name: "test-unit", read: words(/^\d+ tests, \d+ assertions, /, "number first") },
  {
    name: "phpunit",
    read: either(
      groups(/^OK \((?<total>\d+) tests?, \d+ assertions?\)$/),
      words(/^Tests: \d+, Assertions: \d+/, "word first"),
    ),
  },
  { name: "pest", read: words(/^ +Tests: +\d+ .*\(\d+ assertions?\)$/, "number first") },
  {
    name: "ctest",
    read: groups(/^\d+% tests passed, (?<failed>\d+) tests? failed out of (?<total>\d+)$/),
    totalIsWithoutSkipped: true,
  },
  {
    name: "mix test",
    read: words(/^(?:\d+ \w+, )*\d+ tests?, \d+ failures?(?!.*assertions)/, "number first"),
  },
  {
    name: "swift test",
    read: together(
      (lines) =>
        groups(
          /^\s*Executed (?<total>\d+) tests?, with (?:(?<skipped>\d+) tests? skipped and )?(?<failed>\d+) failures?/,
        )(
          lines.filter((_, at) =>
            /^Test Suite '(?:All|Selected) tests' /.test(lines[at - 1] ?? "")
          ),
        ),
      groups(/Test run with (?<total>\d+) tests?(?: in \d+ suites?)? (?:passed|failed)/),
    ),
  },
  {
    name: "dart test",
    read: last(
      /^[\d:]+ \+(?<passed>\d+)(?: ~(?<skipped>\d+))?(?: -(?<failed>\d+))?: (?:All tests passed|Some tests failed)/,
    ),
  },
  {
    name: "sbt",
    read: either(
      words(/^\[\w+\] (?:Passed|Failed): Total \d+/, "word first"),
      words(/^\[\w+\] Tests: succeeded \d+/, "word first"),
    ),
  },
  {
    name: "clojure.test",
    read: together(
      groups(/^Ran (?<total>\d+) tests? containing \d+ assertions?\.$/),
      groups(/^(?<failed>\d+) failures?, \d+ errors?\.$/),
    ),
  },
  {
    name: "prove",
    read: together(
      groups(/^Files=\d+, Tests=(?<total>\d+),/),
      groups(/ \(Wstat: .* Failed: (?<failed>\d+)\)$/),
    ),
  },
  {
    name: "meson test",
    read: where(/^Expected Fail: +\d+ *$/, words(/^(?:Ok|Fail|Skipped): +\d+ *$/, "word first")),
  },
  {
    name: "zig build test",
    read: either(
      groups(/^All (?<passed>\d+) tests passed\.$/),
      groups(/^(?<passed>\d+) passed; (?<skipped>\d+) skipped; (?<failed>\d+) failed\.$/),
    ),
  },
  {
    name: "any",
    read: nothing(
      /^\s*(?:error: |Error: )?No (?:tests?|test files?|test modules?|specs?|examples?)(?: were)? (?:found|executed|matched)\b/i,
    ),
  },
];

/** What test programs write that a runner above may have started: read where none of those speaks. */
export const INNER_RUNNERS: readonly Runner[] = [
  {
    name: "TAP",
    read: together(
      each({
        passed: /^ok \d+\b(?!.*# (?:SKIP|TODO))/i,
        failed: /^not ok \d+\b(?!.*# (?:SKIP|TODO))/i,
        skipped: /^(?:not )?ok \d+\b.*# (?:SKIP|TODO)/i,
      }),
      nothing(/^1\.\.0\b/),
    ),
  },
  {
    name: "GoogleTest",
    read: together(
      groups(/^\[=+\] (?<total>\d+) tests? from \d+ test (?:suites?|cases?) ran\./),
      groups(/^\[ {2}FAILED {2}\] (?<failed>\d+) tests?, listed below/),
      groups(/^\[ {2}SKIPPED \] (?<skipped>\d+) tests?, listed below/),
    ),
  },
  {
    name: "Catch2, doctest",
    read: either(
      groups(/^All tests passed \(\d+ assertions? in (?<total>\d+) test cases?\)/),
      words(/^(?:\[doctest\] )?test cases: +\d+ \|/, "number first"),
      nothing(/^No tests ran$/),
    ),
  },
];
