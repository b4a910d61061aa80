/**
 * Which files of a project a goal is about, without a model.
 * Rule: pure; what the goal names goes before what a failing check names, and no test is ever among them.
 */
import { isTestFile } from "../../ship/checks/test_files.ts";

/** What there is to go by. */
export interface Evidence {
  goal: string;
  /** What the checks that fail have printed. */
  outputs: readonly string[];
  /** What earlier sessions showed. */
  digest: string;
  /** Files that say how the project is checked: no guess falls on them. */
  defining?: ReadonlySet<string>;
}

/** A file of the project with its text. */
export interface ProjectText {
  path: string;
  text: string;
}

/** How many files are tried where the goal names none. */
const MOST_GUESSED = 3;

/** Names of files that hold code. */
const CODE =
  /\.(?:[cm]?[jt]sx?|py|rb|go|rs|java|kts?|cs|fs|php|swift|dart|lua|pl|pm|exs?|scala|groovy|cc?|cpp|cxx|hh?|hpp|sh|sql|vue|svelte|html?|css)$/i;

/** What a sign is worth; one of a kind counts once a file. */
const WORTH = { defines: 20, printed: 10, imported: 8, isNamedAlike: 6, known: 2 } as const;

/**
 * The files, the likeliest first: those that the goal names, else a few that bear on it.
 *
 * @param files what may be changed; tests among them are read for what they import
 *
 * @example
 * ```ts
 * import { likelyFiles } from "./likely_files.ts";
 * import assert from "node:assert/strict";
 *
 * const files = [{ path: "add.js", text: "" }, { path: "sub.js", text: "" }];
 * assert.deepEqual(likelyFiles({ goal: "Mend sub.js.", outputs: [], digest: "" }, files), ["sub.js"]);
 * ```
 */
export function likelyFiles(evidence: Evidence, files: readonly ProjectText[]): string[] {
  const { goal } = evidence;
  const paths = files.map(({ path }) => path);
  const named = namedPaths(goal, paths).filter((path) => !isTestFile(path));
  if (named.length > 0) return named;
  const fresh = newPath(goal);
  if (fresh !== undefined && !isTestFile(fresh)) return [fresh];
  const tests = files.filter(({ path }) => isTestFile(path));
  const code = files.filter(({ path }) =>
    CODE.test(path) && !isTestFile(path) && !evidence.defining?.has(path)
  );
  const scored = code.map((file) => ({ path: file.path, score: scoreOf(file, evidence, tests) }));
  const likely = scored.filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1));
  const guessed = likely.length > 0 ? likely : scored;
  return guessed.slice(0, MOST_GUESSED).map(({ path }) => path);
}

/** The paths that a text names, in its order: whole, or their end where that is the name of one file alone. */
function namedPaths(text: string, paths: readonly string[]): string[] {
  const words = text.match(/[\w@./+-]*\w\.\w+/g) ?? [];
  const found = words.map((word) => word.replace(/^\.\//, "")).flatMap((word) => {
    const matching = paths.filter((path) => path === word || path.endsWith(`/${word}`));
    return matching.includes(word) ? [word] : matching.length === 1 ? matching : [];
  });
  return [...new Set(found)];
}

/** A file that the goal wants made. */
function newPath(goal: string): string | undefined {
  const asked =
    /\b(?:create|new (?:file|module|script)|(?:add|write|make) an? (?:new )?(?:file|module|script))\b[^.\n]{0,40}?([\w@/+-][\w@./+-]*\.\w+)/i
      .exec(goal)?.[1];
  return asked !== undefined && CODE.test(asked) && !asked.includes("..") && !asked.startsWith("/")
    ? asked
    : undefined;
}

function scoreOf(
  { path, text }: ProjectText,
  { goal, outputs, digest }: Evidence,
  tests: readonly ProjectText[],
): number {
  const name = path.split("/").at(-1) ?? path;
  const stem = name.replace(/\.\w+$/, "");
  const isPrinted = outputs.some((output) => namesFile(output, name));
  const imports = new RegExp(
    String.raw`^.*\b(?:import|from|require|include|use|load|source)\b.*\b${escaped(stem)}\b`,
    "m",
  );
  const ownTests = tests.filter((test) =>
    outputs.some((output) => namesFile(output, test.path.split("/").at(-1) ?? test.path))
  );
  const isImported = (ownTests.length > 0 ? ownTests : tests).some((test) =>
    imports.test(test.text)
  );
  const isAlike = new RegExp(String.raw`\b${escaped(stem)}\b`, "i").test(goal);
  const signs: [boolean, number][] = [
    [symbolsIn(goal).some((symbol) => definitionLine(text, symbol) !== undefined), WORTH.defines],
    [isPrinted, WORTH.printed],
    [isImported, WORTH.imported],
    [isAlike, WORTH.isNamedAlike],
    [namesFile(digest, name), WORTH.known],
  ];
  return signs.reduce((sum, [isThere, worth]) => sum + (isThere ? worth : 0), 0);
}

function namesFile(text: string, name: string): boolean {
  return new RegExp(String.raw`(?<![\w-])${escaped(name)}(?![\w-])`).test(text);
}

/** Names in a goal that stand for something in the code: `add()`, `` `total` ``, `full_name`, `maxSize`. */
export function symbolsIn(goal: string): string[] {
  const called = [...goal.matchAll(/\b([A-Za-z_]\w*)\s?\(/g)].map(([, name = ""]) => name);
  const quoted = [...goal.matchAll(/[`'"]([A-Za-z_]\w*)[`'"]/g)].map(([, name = ""]) => name);
  const shaped = goal.match(
    /\b(?:[a-z]+(?:_[a-z0-9]+)+|[a-z]+(?:[A-Z][a-z0-9]*)+|[A-Z]+(?:_[A-Z0-9]+)+|(?:[A-Z][a-z]+){2,})\b/g,
  ) ?? [];
  return [...new Set([...called, ...quoted, ...shaped])];
}

/** The number of the line, from 0, in which a text defines `symbol`; undefined when none does. */
export function definitionLine(text: string, symbol: string): number | undefined {
  const name = escaped(symbol);
  const definition = new RegExp(
    String
      .raw`\b(?:function\*?|def|fn|func|fun|class|struct|enum|trait|interface|type|module|const|let|var|val|sub|defp?)\s+(?:\([^)]*\)\s*)?${name}\b` +
      String
        .raw`|^\s*(?:(?:public|private|protected|static|async|override|export|final|inline|virtual)\s+)*(?:[\w<>\[\]*&:,]+\s+)*${name}\s*(?:\([^;]*\)\s*(?:[{:]|=>|->|$)|[:=](?!=))`,
  );
  const line = text.split("\n").findIndex((line) => definition.test(line));
  return line === -1 ? undefined : line;
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
