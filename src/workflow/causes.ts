/**
 * Why a check failed, from what it left: its exit code, the command, its output.
 * Rule: evidence decides, the first that speaks; where none does, the cause is what the check's name stands for.
 */
import type { z } from "zod";
import { stripControlSequences } from "../platform/text.ts";
import type { failureCause } from "../session/records.ts";
import { kindOfCheck } from "../ship/checks/check_kind.ts";
import { ENVIRONMENT_SIGNS, environmentFailure } from "./checks/environment.ts";
import { TIMEOUT_EXIT_CODE } from "../ship/checks/run_check.ts";
import { countTests } from "../ship/checks/test_count.ts";
import { tellingLine } from "./telling_line.ts";

export type FailureCause = z.infer<typeof failureCause>;

/** What a failed command left. */
export interface Evidence {
  /** What the check proves: `build`, `typecheck`, `lint`, `test` or another word. */
  name: string;
  command: string;
  exitCode: number | null;
  output: string;
}

/** The words of one cause. Those of all causes are looked for in this order: what hides others comes first. */
const SIGNS: readonly (readonly [FailureCause, RegExp])[] = [
  ...ENVIRONMENT_SIGNS,
  [
    "missing_dependency",
    words(
      String.raw`\bnot found$`,
      String.raw`cannot find (?:module|package)|module not found|ERR_MODULE_NOT_FOUND`,
      String.raw`ModuleNotFoundError|ImportError: cannot import|No module named`,
      String.raw`unresolved import|can't find crate|no matching package named`,
      String.raw`no required module provides package|cannot find package|missing go\.sum entry`,
      String.raw`Could not resolve dependencies|could not find a version that satisfies`,
      String.raw`Could not find gem|Bundler::GemNotFound|LoadError`,
      String.raw`npm ERR! missing|Relative import path .* not prefixed|Class .* not found in`,
      String.raw`node_modules.* does not exist|error: Import .* not a dependency`,
    ),
  ],
  [
    "syntax_error",
    words(
      String.raw`SyntaxError|IndentationError|TabError|Parse error|parse error`,
      String.raw`error TS1\d{3}\b|The module's source code could not be parsed`,
      String.raw`error: expected .*, found|error: unexpected closing delimiter|unclosed delimiter`,
      String.raw`syntax error|Unexpected token|unexpected end of file|Unterminated string`,
      String.raw`E999\b|invalid-syntax`,
    ),
  ],
  [
    "permission_denied",
    words(
      String.raw`EACCES|EPERM|Permission denied|PermissionError|Operation not permitted`,
      String.raw`PermissionDenied|NotCapable: Requires .* access|Read-only file system|EROFS`,
    ),
  ],
  [
    "type_error",
    words(
      String.raw`error TS\d+|TS\d{4,5} \[ERROR\]|Type .* is not assignable to`,
      String.raw`error\[E0(?:277|282|283|308|061|107|369|599)\]|mismatched types`,
      String.raw`\berror: .*\[[a-z]+(?:-[a-z]+)+\]$|Found \d+ errors? in \d+ files?`,
      String.raw`cannot use .* as .* value|incompatible types|error CS(?:0029|1503|0266)`,
      String.raw`reportArgumentType|reportAttributeAccessIssue`,
    ),
  ],
  [
    "test_failure",
    words(
      String.raw`^FAILED\b|\d+ failed\b|FAILURES|--- FAIL:|^FAIL\b|Test(?:s)? failed|test failed`,
      String.raw`not ok \d+|^# fail [1-9]|test result: FAILED|AssertionError|ERR_ASSERTION`,
      String.raw`\d+ failing\b|Failures: [1-9]|Failed: +[1-9]|There (?:was|were) \d+ failures?`,
      String.raw`panicked at|Tests run: \d+, Failures: [1-9]|tests? FAILED`,
    ),
  ],
  [
    "lint_error",
    words(
      String
        .raw`✖ \d+ problems?|\d+ problems? \(\d+ errors?|eslint|Found \d+ (?:fixable )?problems?`,
      String.raw`\bclippy::|could not compile .* due to .* lint|Found \d+ not formatted file`,
      String
        .raw`would reformat|Would reformat|Found \d+ errors?\.|^\S+:\d+:\d+: [A-Z]{1,4}\d{3,4} `,
      String
        .raw`error\[[a-z]+(?:-[a-z]+)*\]|Code style issues|golangci-lint|rubocop|offenses? detected`,
    ),
  ],
  [
    "build_error",
    words(
      String.raw`could not compile|error\[E\d{4}\]|BUILD FAIL|Build failed|build failed`,
      String.raw`undefined reference|linker command failed|ld returned|fatal error: |make: \*\*\*`,
      String.raw`ninja: build stopped|CMake Error|error CS\d+|COMPILATION ERROR|undefined: \w+`,
    ),
  ],
];

/** What a check stands for when its output says nothing that is known. */
const BY_NAME: readonly (readonly [RegExp, FailureCause])[] = [
  [/type|mypy|pyright|\btsc\b|deno check/i, "type_error"],
  [/lint|clippy|format|fmt|ruff|vet/i, "lint_error"],
  [/test|spec/i, "test_failure"],
  [/build|compile|make/i, "build_error"],
];

/** What decides before anything else for a check of that name: a test that prints `error TS2322` has failed as a test. */
const OWN_CAUSE: ReadonlyMap<string, FailureCause> = new Map([
  ["test", "test_failure"],
  ["lint", "lint_error"],
]);

/**
 * The cause of a failed check.
 *
 * @example
 * ```ts
 * import { causeOf } from "./causes.ts";
 * import assert from "node:assert/strict";
 *
 * const evidence = { name: "test", command: "npm test", exitCode: 1, output: "not ok 1 - adds" };
 * assert.equal(causeOf(evidence), "test_failure");
 * ```
 */
export function causeOf({ name, command, exitCode, output }: Evidence): FailureCause {
  if (exitCode === TIMEOUT_EXIT_CODE) return "timeout";
  if (exitCode === 126) return "permission_denied";
  const environment = environmentFailure({ command, exitCode, output })?.cause;
  if (environment !== undefined && !(countTests(output)?.failed ?? 0)) return environment;
  const text = stripControlSequences(output);
  const found = SIGNS.filter(([, sign]) => sign.test(text)).map(([cause]) => cause)
    .filter((cause) => cause !== environment);
  const own = OWN_CAUSE.get(kindOfCheck({ name, command: "" }));
  if (own !== undefined && found.includes(own) && !hidesTests(found[0])) return own;
  return found[0] ??
    BY_NAME.find(([sign]) => sign.test(name))?.[1] ??
    BY_NAME.find(([sign]) => sign.test(command))?.[1] ?? "unknown";
}

/** Whether nothing was tested at all: it could not be loaded. */
function hidesTests(cause: FailureCause | undefined): boolean {
  return cause === "missing_dependency" || cause === "syntax_error";
}

/** A failed check in a line, with what its output says most of all: what later sessions are to learn from. */
export function failureDetail(evidence: Evidence): string {
  const { name, command, exitCode, output } = evidence;
  if (exitCode === TIMEOUT_EXIT_CODE) return `check ${name} took too long: ${command}`;
  const cause = causeOf(evidence);
  const line = tellingLine(output, SIGNS.find(([known]) => known === cause)?.[1]);
  const what = `check ${name} failed: ${command} (exit code ${exitCode ?? "unknown"})`;
  const said = line === "" ? what : `${what}: ${line}`;
  const environment = environmentFailure(evidence);
  return environment?.cause === cause ? `${said}. ${environment.help}` : said;
}

function words(...alternatives: readonly string[]): RegExp {
  return new RegExp(alternatives.join("|"), "m");
}
