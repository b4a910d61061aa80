/**
 * Which of a manifest's named commands are checks.
 * Rule: the preferred name that is a check wins; where none of a kind is, it is said why.
 */
import type { CheckName } from "./detected.ts";
import { isFixing, whyNoCheck } from "./no_check.ts";

/** The names under which projects keep their checks, the preferred first; patterns take what is left. */
const SCRIPT_NAMES: readonly (readonly [CheckName, ...(string | RegExp)[]])[] = [
  ["build", "build", "compile"],
  [
    "typecheck",
    "typecheck",
    "type-check",
    "types:check",
    "check:types",
    "check-types",
    "tsc",
    "analyse",
    "analyze",
    "phpstan",
    "psalm",
  ],
  ["lint", "lint", "lint:check", "check:lint", "eslint", "cs", "cs:check", "check-style"],
  [
    "test",
    "test",
    "test:run",
    "test:ci",
    "ci:test",
    "test:unit",
    "tests",
    "phpunit",
    "unit",
    /^tests?[:_-](?!e2e|ui|debug)/,
    /^tests?[:_-]/,
  ],
];

/** What a script called `check` does, by the program in it. */
const CHECKERS: readonly (readonly [CheckName, RegExp])[] = [
  ["typecheck", /\b(?:tsc|vue-tsc|svelte-check|astro check|deno check|mypy|pyright|phpstan)\b/],
  ["lint", /\b(?:eslint|biome|deno lint|ruff|oxlint|rubocop|php-cs-fixer|pint)\b/],
  ["test", /\b(?:vitest|jest|mocha|deno test|node --test|pytest|phpunit|pest)\b/],
];

/** Which scripts are checks, and which look like one and are none. */
export interface ScriptChecks {
  checks: { name: CheckName; script: string }[];
  leftOut: { script: string; reason: string }[];
}

/** The checks among scripts: which script to run for which. */
export function checksAmongScripts(scripts: ReadonlyMap<string, string>): ScriptChecks {
  const checks: ScriptChecks["checks"] = [];
  const leftOut: ScriptChecks["leftOut"] = [];
  for (const [name, ...candidates] of SCRIPT_NAMES) {
    const named = candidates.flatMap((candidate) => matching(candidate, scripts));
    const judged = [...new Set(named)].map((script) => ({
      script,
      reason: whyNoCheck(scripts.get(script) ?? "", scripts),
    }));
    const usable = judged.filter(({ reason }) => reason === undefined);
    // A linter that mends what it finds is a check only where no other does.
    const best = usable.find(({ script }) => !isFixing(scripts.get(script) ?? "")) ?? usable[0];
    if (best !== undefined) checks.push({ name, script: best.script });
    else {
      leftOut.push(...judged.map(({ script, reason = "" }) => ({ script, reason })));
    }
  }
  const check = scripts.get("check");
  if (check === undefined || whyNoCheck(check, scripts) !== undefined) return { checks, leftOut };
  for (const [name, checker] of CHECKERS) {
    if (!checker.test(check) || checks.some((other) => other.name === name)) continue;
    checks.push({ name, script: "check" });
    break;
  }
  return { checks, leftOut };
}

function matching(candidate: string | RegExp, scripts: ReadonlyMap<string, string>): string[] {
  if (typeof candidate === "string") return scripts.has(candidate) ? [candidate] : [];
  return [...scripts.keys()].filter((script) => candidate.test(script));
}
