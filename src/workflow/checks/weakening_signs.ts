/**
 * What skips, narrows or excuses a test in each language, and how tests are declared there.
 * Rule: a row a language and kind; a language without a row here is not judged.
 */

/** How a test says less. */
export type WeakeningKind = "skipped" | "only" | "expected to fail";

interface Narrowing {
  kind: WeakeningKind;
  /** What it does, for a person. */
  verb: string;
  /** The files in whose language it is. */
  files: RegExp;
  pattern: RegExp;
}

const JS = /\.[cm]?[jt]sx?$/;
const PYTHON = /\.py$/;
const RUBY = /\.rb$/;
const JVM = /\.(?:java|kt|kts|scala|groovy)$/;
const DOTNET = /\.(?:cs|fs|vb)$/;
const C = /\.(?:c|cc|cpp|cxx|h|hpp)$/;

const skip = (files: RegExp, pattern: RegExp): Narrowing => ({
  kind: "skipped",
  verb: "skips",
  files,
  pattern,
});
const only = (files: RegExp, pattern: RegExp): Narrowing => ({
  kind: "only",
  verb: "runs nothing else",
  files,
  pattern,
});
const excuse = (files: RegExp, pattern: RegExp): Narrowing => ({
  kind: "expected to fail",
  verb: "expects a failure",
  files,
  pattern,
});

export const NARROWINGS: readonly Narrowing[] = [
  excuse(JS, /\b(?:it|test)(?:\.\w+)*\.(?:failing|fails|fail)\b/),
  skip(
    JS,
    /\b(?:describe|it|test|suite|context|specify|Deno\.test|step)(?:\.\w+)*\.(?:skip|skipIf|todo|ignore|fixme)\b|\bx(?:it|describe|test|context|specify)\s*\(|\b(?:t|ctx|this|test|testInfo)\.(?:skip|todo|fixme)\s*\(|\b(?:skip|todo):\s*(?!false\b)\S|\bignore:\s*(?!false\b)[A-Za-z!]|\bpending\s*\(/,
  ),
  only(
    JS,
    /\b(?:describe|it|test|suite|context|specify|Deno\.test)(?:\.\w+)*\.only\b|\bf(?:it|describe|context)\s*\(|\bonly:\s*true/,
  ),
  excuse(PYTHON, /\bxfail\b|\bexpectedFailure\b/),
  skip(
    PYTHON,
    /\bmark\.skip(?:if)?\b|@(?:unittest\.)?skip(?:If|Unless)?\b|\bpytest\.(?:skip|importorskip)\s*\(|\bskipTest\s*\(|\bSkipTest\b|__test__\s*=\s*False|\bcollect_ignore/,
  ),
  skip(/\.go$/, /\b\w+\.Skip(?:f|Now)?\(|^\/\/go:build\s+(?:ignore|never)\b/),
  skip(/\.rs$/, /#\[ignore\b|#\[cfg_attr\(.*\bignore\b|#\[cfg\(any\(\)\)\]/),
  excuse(/\.rs$/, /#\[should_panic\b/),
  skip(
    JVM,
    /@(?:Disabled|Ignore)\w*|\bassum(?:e|ing)\w*\s*\(|\benabled\s*=\s*false|\bignore\s*\(|\bxtest\b/,
  ),
  skip(
    DOTNET,
    /\[(?:Ignore|Explicit)\b|\bSkip\s*=\s*"|\bAssert\.(?:Ignore|Inconclusive|Skip)\b|\[<Ignore/,
  ),
  skip(
    RUBY,
    /^\s*(?:skip|pending)\b|\bx(?:it|describe|context|specify|example)\b|,\s*(?::skip|skip:|pending:)/,
  ),
  only(RUBY, /\bf(?:it|describe|context|specify)\b|,\s*(?::focus\b|focus:\s*true)/),
  skip(
    /\.php$/,
    /\bmarkTest(?:Skipped|Incomplete)\b|->(?:skip|todo)\s*\(|@doesNotPerformAssertions/,
  ),
  only(/\.php$/, /->only\s*\(/),
  skip(/\.exs$/, /@(?:module|describe)?tag\s+(?::skip|skip:)/),
  skip(/\.swift$/, /\bXCTSkip\w*|\.disabled\b/),
  excuse(/\.swift$/, /\bXCTExpectFailure\b|\bwithKnownIssue\b/),
  skip(/\.dart$/, /\bskip:\s*(?!false\b)\S|@Skip\b|\bmarkTestSkipped\b/),
  skip(C, /\bGTEST_SKIP\b|\bDISABLED_\w|\bSKIP\s*\(|"\[\.[\w]*\]|\bdoctest::skip\b/),
  excuse(C, /\[!(?:shouldfail|mayfail)\]|\bdoctest::(?:should|may)_fail\b/),
  skip(/\.t$/, /\bskip_all\b|^\s*skip\b|\bTODO\b/),
  skip(/\.bats$/, /^\s*skip\b/),
  skip(/\.zig$/, /\berror\.SkipZigTest\b/),
  skip(/\.lua$/, /\bpending\s*\(/),
];

/** How tests are declared: in one line, or by a mark and the line that follows it. */
interface Declaration {
  files: RegExp;
  pattern: RegExp;
  mark?: RegExp;
}

const DECLARATIONS: readonly Declaration[] = [
  {
    files: JS,
    pattern:
      /\b(?:it|test|specify|Deno\.test)(?:\.\w+)*\s*\(\s*(?:\{\s*name:\s*)?(["'`])(?<name>.*?)\1/,
  },
  { files: PYTHON, pattern: /^\s*(?:async )?def (?<name>test\w*)\s*\(/ },
  { files: /\.go$/, pattern: /^func (?<name>(?:Test|Example|Fuzz)\w*)\(/ },
  { files: /\.rs$/, mark: /#\[(?:\w+::)*test\b/, pattern: /\bfn (?<name>\w+)/ },
  { files: JVM, mark: /@(?:Parameterized|Repeated)?Test\b/, pattern: /(?<name>\w+|`[^`]+`)\s*\(/ },
  {
    files: DOTNET,
    mark: /\[<?(?:Fact|Theory|Test|TestCase|TestMethod)\b/,
    pattern: /(?<name>\w+)\s*\(/,
  },
  { files: RUBY, pattern: /^\s*(?:it|specify|test|example)\s*\(?\s*(["'])(?<name>.*?)\1/ },
  { files: RUBY, pattern: /^\s*def (?<name>test_\w+)/ },
  { files: /\.php$/, pattern: /\bfunction (?<name>test\w+)\s*\(/ },
  { files: /\.php$/, pattern: /^\s*(?:it|test)\s*\(\s*(["'])(?<name>.*?)\1/ },
  { files: /\.exs$/, pattern: /^\s*test\s+"(?<name>[^"]*)"/ },
  { files: /\.swift$/, pattern: /\bfunc (?<name>test\w+)\s*\(/ },
  { files: /\.swift$/, mark: /@Test\b/, pattern: /\bfunc (?<name>\w+|`[^`]+`)\s*\(/ },
  { files: /\.dart$/, pattern: /\btest(?:Widgets)?\s*\(\s*(["'])(?<name>.*?)\1/ },
  { files: C, pattern: /\bTEST(?:_[FP]|_CASE)?\s*\(\s*(?<name>[^)]+?)\s*\)/ },
  { files: /\.t$/, pattern: /\bsubtest\s+(["'])(?<name>.*?)\1/ },
  { files: /\.bats$/, pattern: /^@test\s+(["'])(?<name>.*?)\1/ },
  { files: /\.zig$/, pattern: /^\s*test\s+"(?<name>[^"]*)"/ },
];

/** The tests that lines declare, by their names. */
export function declaredTests(
  path: string,
  lines: readonly { line: number; text: string }[],
): { name: string; line: number }[] {
  const declarations = DECLARATIONS.filter(({ files }) => files.test(path));
  return lines.flatMap(({ line, text }, at) => {
    for (const { pattern, mark } of declarations) {
      const name = pattern.exec(text)?.groups?.["name"];
      if (name === undefined) continue;
      const isMarked = mark === undefined ||
        [text, ...lines.slice(Math.max(0, at - 3), at).map((one) => one.text)]
          .some((one) => mark.test(one));
      if (isMarked) return [{ name, line }];
    }
    return [];
  });
}
