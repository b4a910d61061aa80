/**
 * Where a change makes tests say less: skipped, narrowed, expected to fail, deleted, with fewer assertions.
 * Rule: pure over added and removed lines; each finding names file and line, and a line that only moved is none.
 */
import { isTestFile } from "../../ship/checks/test_files.ts";
import { declaredTests, NARROWINGS, type WeakeningKind } from "./weakening_signs.ts";

/** A line of a difference. */
export interface ChangedLine {
  /** Counted from 1: in the new file for an added line, in the old one for a removed line. */
  line: number;
  text: string;
}

/** How a file changed. */
export interface ChangedLines {
  path: string;
  added: readonly ChangedLine[];
  removed: readonly ChangedLine[];
  isDeleted: boolean;
}

/** A place at which tests say less than before. */
export interface Weakening {
  kind: WeakeningKind | "deleted" | "fewer assertions";
  path: string;
  /** In the new file; of what was deleted, in the old one. */
  line: number;
  /** `tests/a.test.ts:12: the test "adds" was deleted`. */
  words: string;
}

const ASSERTION =
  /\b(?:assert\w*|expect\w*|should|refute\w*|require\.\w+|XCTAssert\w*|EXPECT_\w+|ASSERT_\w+|CHECK\w*|is_deeply|ok|t\.(?:Error|Fatal)\w*)\b|\.should\b|\bassert\w*!/;

/**
 * What in a change weakens tests. Files that are no tests are passed over, but for those in whose
 * language tests stand beside the code (Rust, Zig).
 *
 * @example
 * ```ts
 * import { findWeakenings } from "./weakening.ts";
 * import assert from "node:assert/strict";
 *
 * const [found] = findWeakenings([{
 *   path: "a.test.js",
 *   removed: [{ line: 3, text: 'test("adds", () => {' }],
 *   added: [{ line: 3, text: 'test.skip("adds", () => {' }],
 *   isDeleted: false,
 * }]);
 * assert.equal(found?.words, 'a.test.js:3: skips: test.skip("adds", () => {');
 * ```
 */
export function findWeakenings(files: readonly ChangedLines[]): Weakening[] {
  const tests = files.filter(({ path }) => isTestFile(path) || /\.(?:rs|zig)$/.test(path));
  const kept = new Set(
    tests.flatMap(({ path, added }) => declaredTests(path, added).map(({ name }) => name)),
  );
  return tests.flatMap((file) => [
    ...narrowed(file),
    ...deleted(file, kept),
    ...lessAsserted(file),
  ]);
}

function narrowed({ path, added, removed }: ChangedLines): Weakening[] {
  const before = new Set(removed.map(({ text }) => text.trim()));
  return added.filter(({ text }) => !before.has(text.trim())).flatMap(({ line, text }) => {
    const sign = NARROWINGS.find(({ files, pattern }) => files.test(path) && pattern.test(text));
    if (sign === undefined) return [];
    const words = `${path}:${line}: ${sign.verb}: ${text.trim()}`;
    return [{ kind: sign.kind, path, line, words }];
  });
}

function deleted(file: ChangedLines, kept: ReadonlySet<string>): Weakening[] {
  const { path, removed, isDeleted } = file;
  const gone = declaredTests(path, removed).filter(({ name }) => !kept.has(name));
  if (isDeleted && isTestFile(path)) {
    const names = gone.length === 0 ? "" : `, with ${gone.length} tests`
      .replace(/ 1 tests$/, " 1 test");
    const words = `${path}:1: the file was deleted${names}`;
    return [{ kind: "deleted", path, line: 1, words }];
  }
  return gone.map(({ name, line }) => ({
    kind: "deleted",
    path,
    line,
    words: `${path}:${line}: the test "${name}" was deleted`,
  }));
}

function lessAsserted({ path, added, removed, isDeleted }: ChangedLines): Weakening[] {
  if (isDeleted || !isTestFile(path)) return [];
  const count = (lines: readonly ChangedLine[]) =>
    lines.filter(({ text }) => ASSERTION.test(text)).length;
  const fewer = count(removed) - count(added);
  const first = removed.find(({ text }) => ASSERTION.test(text));
  if (fewer <= 0 || first === undefined) return [];
  const noun = fewer === 1 ? "assertion" : "assertions";
  const words = `${path}:${first.line}: ${fewer} ${noun} fewer than before`;
  return [{ kind: "fewer assertions", path, line: first.line, words }];
}
