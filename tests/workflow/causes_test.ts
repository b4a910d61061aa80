import assert from "node:assert/strict";
import { causeOf, type FailureCause, failureDetail } from "../../src/workflow/causes.ts";

/** Name of the check, command, exit code, what it printed, the cause. */
const CASES: readonly (readonly [string, string, number | null, string, FailureCause])[] = [
  [
    "test",
    "deno test",
    1,
    "adds ... FAILED (3ms)\n\nFAILED | 0 passed | 1 failed (5ms)",
    "test_failure",
  ],
  [
    "test",
    "deno test",
    1,
    "\x1b[0m\x1b[1m\x1b[31merror\x1b[0m: Uncaught (in promise) NotCapable: Requires read access",
    "permission_denied",
  ],
  [
    "typecheck",
    "deno check .",
    1,
    "TS2322 [ERROR]: Type 'string' is not assignable to type 'number'.",
    "type_error",
  ],
  ["test", "deno test", 1, "TS2304 [ERROR]: Cannot find name 'x'.", "type_error"],
  [
    "typecheck",
    "deno check .",
    1,
    "error: The module's source code could not be parsed: Expected ';'",
    "syntax_error",
  ],
  [
    "lint",
    "deno lint",
    1,
    "error[no-unused-vars]: `x` is never used\nFound 1 problem",
    "lint_error",
  ],
  [
    "typecheck",
    "npx tsc --noEmit",
    2,
    "src/a.ts(3,5): error TS2322: Type 'string' is not assignable to type 'number'.",
    "type_error",
  ],
  [
    "typecheck",
    "npx tsc --noEmit",
    2,
    "src/a.ts(3,5): error TS1005: ';' expected.",
    "syntax_error",
  ],
  ["test", "node --test", 1, "not ok 1 - adds\n  code: 'ERR_ASSERTION'\n# fail 1", "test_failure"],
  [
    "test",
    "node --test",
    1,
    "Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'left-pad'\n# fail 1",
    "missing_dependency",
  ],
  [
    "test",
    "node --test",
    1,
    "SyntaxError: Unexpected token '}'\nnot ok 1 - a.test.js",
    "syntax_error",
  ],
  ["test", "npx jest", 1, "Tests:       1 failed, 3 passed, 4 total", "test_failure"],
  ["test", "npx mocha", 3, "  3 passing (4ms)\n  1 failing", "test_failure"],
  [
    "lint",
    "npx eslint .",
    1,
    "/a.js\n  1:1  error  no-undef\n\n✖ 1 problem (1 error, 0 warnings)",
    "lint_error",
  ],
  [
    "test",
    "pytest",
    1,
    "FAILED tests/test_a.py::test_adds - assert 3 == 4\n1 failed in 0.02s",
    "test_failure",
  ],
  [
    "test",
    "pytest",
    2,
    "E   ModuleNotFoundError: No module named 'requests'\n1 error",
    "missing_dependency",
  ],
  [
    "test",
    "pytest",
    2,
    'E     File "a.py", line 1\nE   SyntaxError: invalid syntax',
    "syntax_error",
  ],
  [
    "typecheck",
    "mypy .",
    1,
    "a.py:1: error: Incompatible return value type  [return-value]\nFound 1 error in 1 file",
    "type_error",
  ],
  [
    "lint",
    "ruff check .",
    1,
    "a.py:1:8: F401 `os` imported but unused\nFound 1 error.",
    "lint_error",
  ],
  [
    "test",
    "cargo test",
    101,
    "thread 'adds' panicked at src/lib.rs:3\ntest result: FAILED. 0 passed; 1 failed",
    "test_failure",
  ],
  [
    "build",
    "cargo build",
    101,
    "error[E0308]: mismatched types\nerror: could not compile `a`",
    "type_error",
  ],
  [
    "build",
    "cargo build",
    101,
    "error: expected expression, found `}`\nerror: could not compile `a`",
    "syntax_error",
  ],
  ["build", "cargo build", 101, "error[E0432]: unresolved import `serde`", "missing_dependency"],
  [
    "lint",
    "cargo clippy -- -D warnings",
    101,
    "error: unneeded `return`\n = note: `-D clippy::needless-return`\nerror: could not compile `a`",
    "lint_error",
  ],
  ["test", "go test ./...", 1, "--- FAIL: TestAdds (0.00s)\nFAIL\tx\t0.1s", "test_failure"],
  ["build", "go build ./...", 1, "./a.go:3:2: undefined: foo", "build_error"],
  ["build", "go build ./...", 1, "./a.go:3:2: syntax error: unexpected }", "syntax_error"],
  [
    "build",
    "go build ./...",
    1,
    "a.go:4:2: no required module provides package github.com/x/y",
    "missing_dependency",
  ],
  ["test", "mvn -q test", 1, "Tests run: 3, Failures: 1, Errors: 0", "test_failure"],
  ["build", "make", 2, "a.c:1: undefined reference to `f'\nmake: *** [a] Error 1", "build_error"],
  ["test", "npm test", 127, "sh: 1: jest: not found", "cannot_start"],
  ["test", "./check", 126, "sh: ./check: Permission denied", "permission_denied"],
  ["test", "./check", 1, "open /x: EACCES", "permission_denied"],
  ["test", "./check", 127, "", "cannot_start"],
  ["test", "./check", 126, "", "permission_denied"],
  ["test", "node --test", 1, "not ok 1 - prints error TS2322\n# fail 1", "test_failure"],
  ["lint", "eslint", 1, "a.js 1 failed\n✖ 1 problem (1 error, 0 warnings)", "lint_error"],
  [
    "test",
    "npm test",
    1,
    "Error: getaddrinfo ENOTFOUND example.org\n# tests 2\n# suites 0\n# pass 1\n# fail 1",
    "test_failure",
  ],
  ["test", "npm test", 1, "npm error getaddrinfo EAI_AGAIN\n1 failed", "no_network"],
  ["test (backend)", "cd backend && x", 1, "prints error TS2322\n1 failed", "test_failure"],
  ["test", "./check", 124, "…", "timeout"],
  ["test", "./check", 1, "", "test_failure"],
  ["lint", "./check", 1, "", "lint_error"],
  ["all", "make lint", 1, "", "lint_error"],
  ["check", "./check", 1, "", "unknown"],
  ["check", "./check", null, "", "unknown"],
];

for (const [name, command, exitCode, output, cause] of CASES) {
  Deno.test(`causeOf() says ${cause} for ${command} (${exitCode}): ${JSON.stringify(output.slice(0, 50))}`, () => {
    assert.equal(causeOf({ name, command, exitCode, output }), cause);
  });
}

Deno.test("failureDetail() names the check, its command, how it ended and what its output says most of all", () => {
  const check = { name: "test", command: "npm test", output: "" };
  assert.equal(
    failureDetail({ ...check, exitCode: 1 }),
    "check test failed: npm test (exit code 1)",
  );
  assert.equal(
    failureDetail({ ...check, exitCode: 1, output: "2 passed\n1 failed: greets\n" }),
    "check test failed: npm test (exit code 1): 1 failed: greets",
  );
  assert.equal(
    failureDetail({ ...check, exitCode: 124, output: "1 failed" }),
    "check test took too long: npm test",
  );
});

Deno.test("failureDetail() says which setting helps where the environment is the cause", () => {
  const evidence = { name: "test", command: "npm test", exitCode: 1 };
  assert.equal(
    failureDetail({ ...evidence, output: "getaddrinfo EAI_AGAIN x" }),
    "check test failed: npm test (exit code 1): getaddrinfo EAI_AGAIN x. " +
      "It needs the network, which commands in the sandbox do not have: set [tools] network = true in planning/config.toml.",
  );
  const failed = "getaddrinfo EAI_AGAIN x\n# suites 0\n# fail 1\n1 failed";
  assert.doesNotMatch(failureDetail({ ...evidence, output: failed }), /network = true/);
});
