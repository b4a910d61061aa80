/**
 * Which files are tests, by their paths.
 * Rule: what a runner finds as a test, and what lies beside it for it; configuration of a runner is none.
 */

/** Names that hold tests, by ecosystem; the path has `/` between its parts. */
const TEST_NAMES: Readonly<Record<string, RegExp>> = {
  JavaScript:
    /[._-](?:tests?|specs?|cy|e2e)\.[cm]?[jt]sx?$|(?:^|\/)(?:tests?|test[._-][^/]*)\.[cm]?[jt]sx?$/,
  Python: /(?:^|\/)(?:tests?|test_[^/]*|[^/]*_tests?)\.py$/,
  Go: /_test\.go$/,
  Rust: /(?:^|\/)tests?\.rs$|_tests?\.rs$/,
  JVM: /(?:^|\/)src\/(?:\w*[tT]est|it)\/|(?:Tests?|IT|Spec|Suite)\.(?:java|kt|kts|scala|groovy)$/,
  ".NET": /Tests?\.(?:cs|fs|vb)$|(?:^|\/)[\w.]*\.?Tests?\/.*\.(?:cs|fs|vb)$/,
  Ruby: /_(?:spec|test)\.rb$|(?:^|\/)test_[^/]*\.rb$/,
  PHP: /Test\.php$/,
  Elixir: /_test\.exs$/,
  Swift: /(?:^|\/)Tests\/.*\.swift$|Tests?\.swift$/,
  Dart: /_test\.dart$/,
  C: /(?:^|\/)test_[^/]*\.(?:c|cc|cpp|cxx)$|[_-](?:unit)?tests?\.(?:c|cc|cpp|cxx)$/,
  Perl: /\.t$/,
  Shell: /\.bats$|(?:^|\/)tests?\.sh$/,
  Lua: /_spec\.lua$/,
};

/** Folders whose files belong to the tests, data and recorded results too. */
const TEST_FOLDER =
  /(?:^|\/)(?:tests?|__tests__|spec|specs|e2e|cypress|testdata|__snapshots__|__fixtures__|t)\//;

const SNAPSHOT = /\.(?:snap|ambr|approved\.\w+)$/;

/** Configuration that lies among tests: what defines a check, not what it tests. */
const CONFIGURATION =
  /(?:^|\/)(?:conftest\.py|(?:spec|rails|test)_helper\.(?:rb|exs)|Pest\.php|package\.json|[\w.-]*lock[\w.-]*|pyproject\.toml|Cargo\.toml|CMakeLists\.txt|tsconfig[\w.-]*\.json|Makefile|[\w.-]+\.config\.\w+|\.[\w.-]+rc(?:\.\w+)?)$/;

/**
 * Whether a path is a test's: a file of tests, its data, or what it compares with.
 *
 * @example
 * ```ts
 * import { isTestFile } from "./test_files.ts";
 * import assert from "node:assert/strict";
 *
 * assert.ok(isTestFile("src/add.test.ts") && isTestFile("tests/data/a.json"));
 * assert.ok(!isTestFile("src/add.ts") && !isTestFile("tests/conftest.py"));
 * ```
 */
export function isTestFile(path: string): boolean {
  if (CONFIGURATION.test(path)) return false;
  return TEST_FOLDER.test(path) || SNAPSHOT.test(path) ||
    Object.values(TEST_NAMES).some((pattern) => pattern.test(path));
}
