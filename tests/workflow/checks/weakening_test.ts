import assert from "node:assert/strict";
import { isTestFile } from "../../../src/ship/checks/test_files.ts";
import { type ChangedLines, findWeakenings } from "../../../src/workflow/checks/weakening.ts";

const TESTS = [
  "src/add.test.ts",
  "a.spec.jsx",
  "test.js",
  "test/helpers.js",
  "src/__tests__/a.tsx",
  "cypress/e2e/a.cy.ts",
  "add_test.ts",
  "tests/test_f.py",
  "tests.py",
  "pkg/test_x.py",
  "tests/data/a.json",
  "a/b_test.go",
  "a/testdata/x.golden",
  "tests/it.rs",
  "src/tests.rs",
  "src/test/java/a/B.java",
  "AddTest.kt",
  "src/App.Tests/AddTests.cs",
  "spec/add_spec.rb",
  "test/add_test.rb",
  "tests/Unit/AddTest.php",
  "test/add_test.exs",
  "Tests/XTests/A.swift",
  "test/add_test.dart",
  "test_add.c",
  "t/add.t",
  "add.bats",
  "src/__snapshots__/a.snap",
];

const NO_TESTS = [
  "src/add.ts",
  "latest.js",
  "contest.py",
  "attest.go",
  "src/lib.rs",
  "tests/conftest.py",
  "spec/spec_helper.rb",
  "test/tsconfig.json",
  "jest.config.js",
  "playwright.config.ts",
  "testing.md",
  "src/test_utils/index.go",
  "package.json",
  "tests/package-lock.json",
];

Deno.test("isTestFile() knows test files by their paths", () => {
  assert.deepEqual(TESTS.filter((path) => !isTestFile(path)), []);
  assert.deepEqual(NO_TESTS.filter(isTestFile), []);
});

function change(path: string, removed: string[], added: string[]): ChangedLines {
  const lines = (texts: string[]) => texts.map((text, at) => ({ line: at + 1, text }));
  return { path, removed: lines(removed), added: lines(added), isDeleted: false };
}

/** A path with a line that is added to it. */
const NARROWED: readonly (readonly [kind: string, path: string, ...lines: string[]])[] = [
  [
    "skipped",
    "a.test.js",
    'test.skip("a", () => {',
    'it.todo("a")',
    'describe.skip("a", () => {',
    'xit("a", () => {})',
    "t.skip();",
    'test("a", { skip: true }, () => {',
    'test.concurrent.skip("a", f)',
    'test.fixme("a", f)',
  ],
  ["skipped", "a_test.ts", 'Deno.test.ignore("a", () => {', "  ignore: true,"],
  [
    "only",
    "a.test.js",
    'it.only("a", f)',
    'fdescribe("a", f)',
    'Deno.test.only("a", f)',
    "only: true",
  ],
  ["expected to fail", "a.test.js", 'test.failing("a", f)', 'test.fails("a", f)'],
  [
    "skipped",
    "test_a.py",
    "@pytest.mark.skip",
    "@pytest.mark.skipif(True)",
    '@unittest.skip("x")',
    "self.skipTest('x')",
    "pytest.skip('x')",
    "    raise unittest.SkipTest",
    "__test__ = False",
  ],
  ["expected to fail", "test_a.py", "@pytest.mark.xfail", "@unittest.expectedFailure"],
  ["skipped", "a_test.go", "\tt.Skip()", '\tt.Skipf("x")', "//go:build ignore"],
  ["skipped", "src/lib.rs", "#[ignore]", '#[ignore = "slow"]'],
  ["expected to fail", "src/lib.rs", "#[should_panic]"],
  [
    "skipped",
    "ATest.java",
    '@Disabled("x")',
    "@Ignore",
    "@Test(enabled = false)",
    "assumeTrue(false);",
  ],
  ["skipped", "ATests.cs", "[Ignore]", '[Fact(Skip = "x")]'],
  ["skipped", "a_spec.rb", 'xit "a" do', "  skip", '  pending "x"', 'it "a", :skip do'],
  ["only", "a_spec.rb", 'fit "a" do', 'it "a", focus: true do'],
  ["skipped", "ATest.php", "$this->markTestSkipped();", "})->skip();"],
  ["skipped", "a_test.exs", "@tag :skip", "@tag skip: true"],
  ["skipped", "Tests/A.swift", "throw XCTSkip()", "@Test(.disabled())"],
  ["expected to fail", "Tests/A.swift", "XCTExpectFailure()"],
  ["skipped", "a_test.dart", "}, skip: true);", "@Skip('x')"],
  ["skipped", "a_test.cc", "GTEST_SKIP();", "TEST(A, DISABLED_B) {"],
  ["skipped", "a.bats", "  skip"],
];

for (const [kind, path, ...lines] of NARROWED) {
  Deno.test(`findWeakenings() says what is ${kind} in ${path}`, () => {
    for (const line of lines) {
      const found = findWeakenings([change(path, [], ["", line])]);
      assert.deepEqual(found.map((one) => [one.kind, one.path, one.line]), [[kind, path, 2]], line);
      assert.ok(found[0]?.words.startsWith(`${path}:2: `) && found[0].words.endsWith(line.trim()));
    }
  });
}

/** A path with a declared test that is removed, and its name. */
const DELETED: readonly (readonly [path: string, name: string, lines: string[]])[] = [
  ["a.test.ts", "adds 'two'", ["  it(\"adds 'two'\", () => {"]],
  ["a_test.ts", "adds", ['Deno.test("adds", () => {']],
  ["test_a.py", "test_adds", ["    async def test_adds(self):"]],
  ["a_test.go", "TestAdds", ["func TestAdds(t *testing.T) {"]],
  ["src/lib.rs", "adds", ["    #[test]", "    fn adds() {"]],
  ["src/lib.rs", "waits", ["#[tokio::test]", "async fn waits() {"]],
  ["ATest.java", "adds", ["    @Test", "    void adds() {"]],
  ["ATests.cs", "Adds", ["[Fact]", "public void Adds() {"]],
  ["a_spec.rb", "adds", ["  it 'adds' do"]],
  ["a_test.rb", "test_adds", ["def test_adds"]],
  ["ATest.php", "testAdds", ["public function testAdds(): void"]],
  ["a_test.exs", "adds", ['test "adds" do']],
  ["Tests/A.swift", "testAdds", ["func testAdds() {"]],
  ["a_test.dart", "adds", ["test('adds', () {"]],
  ["a_test.cc", "Add, Two", ["TEST(Add, Two) {"]],
  ["a.bats", "adds", ['@test "adds" {']],
];

for (const [path, name, lines] of DELETED) {
  Deno.test(`findWeakenings() names the test that was deleted from ${path}: ${name}`, () => {
    const [found, ...others] = findWeakenings([change(path, lines, [])]);
    assert.equal(found?.words, `${path}:${lines.length}: the test "${name}" was deleted`);
    assert.deepEqual(others, []);
    assert.deepEqual(findWeakenings([change(path, lines, ["", ...lines])]), []);
  });
}

Deno.test("findWeakenings() takes a test that moved to another file for kept", () => {
  const line = 'test("adds", () => {});';
  const files = [change("a.test.js", [line], []), change("b.test.js", [], [line])];
  assert.deepEqual(findWeakenings(files), []);
});

Deno.test("findWeakenings() says that a file of tests was deleted, and with how many", () => {
  const lines = ['test("a", f)', 'test("b", f)'];
  const file = { ...change("a.test.js", lines, []), isDeleted: true };
  assert.deepEqual(findWeakenings([file]).map(({ words }) => words), [
    "a.test.js:1: the file was deleted, with 2 tests",
  ]);
  const data = { ...change("tests/data/x.json", ["{}"], []), isDeleted: true };
  assert.deepEqual(findWeakenings([data]).map(({ words }) => words), [
    "tests/data/x.json:1: the file was deleted",
  ]);
});

Deno.test("findWeakenings() counts assertions that are gone", () => {
  const found = findWeakenings([
    change("a.test.js", ["", "expect(a).toBe(1);", "expect(b).toBe(2);"], ["expect(a).toBe(1);"]),
  ]);
  assert.deepEqual(found.map(({ words }) => words), [
    "a.test.js:2: 1 assertion fewer than before",
  ]);
});

Deno.test("findWeakenings() finds nothing in code, in new tests and in lines that only moved", () => {
  for (
    const file of [
      change("src/queue.rb", [], ["  skip"]),
      change("src/queue.js", ['test("a")'], ["t.skip()", "it.only()"]),
      change("a.test.js", [], [
        'test("new", () => { expect(1).toBe(1); });',
        "skip: false",
        'ignore: ["x"]',
      ]),
      change("a.test.js", ["  t.skip();"], ["    t.skip();"]),
      change("a.test.js", ["expect(a).toBe(1);"], ["expect(a).toBe(2);"]),
      change("src/lib.rs", ["fn helper() {"], []),
      change("README.md", ["expect(a)"], ["it.only("]),
    ]
  ) assert.deepEqual(findWeakenings([file]), [], file.path);
});
