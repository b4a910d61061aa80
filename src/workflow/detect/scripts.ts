/**
 * Which of a manifest's named commands are checks.
 * Rule: a script that proves nothing (`echo "no test specified"`) or never ends (`--watch`) is none.
 */
import type { CheckName } from "./detected.ts";

/** The names under which projects keep their checks, the preferred first. */
const SCRIPT_NAMES: readonly (readonly [CheckName, ...string[]])[] = [
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
  ["test", "test", "test:run", "test:ci", "ci:test", "test:unit", "tests", "phpunit"],
];

/** What a script called `check` does, by the program in it. */
const CHECKERS: readonly (readonly [CheckName, RegExp])[] = [
  ["typecheck", /\b(?:tsc|vue-tsc|svelte-check|astro check|deno check|mypy|pyright|phpstan)\b/],
  ["lint", /\b(?:eslint|biome|deno lint|ruff|oxlint|rubocop|php-cs-fixer|pint)\b/],
  ["test", /\b(?:vitest|jest|mocha|deno test|node --test|pytest|phpunit|pest)\b/],
];

/** The checks among scripts: which script to run for which. */
export function checksAmongScripts(
  scripts: ReadonlyMap<string, string>,
): { name: CheckName; script: string }[] {
  const found: { name: CheckName; script: string }[] = [];
  for (const [name, ...candidates] of SCRIPT_NAMES) {
    const script = candidates.find((candidate) => isCheck(scripts.get(candidate)));
    if (script !== undefined) found.push({ name, script });
  }
  const check = scripts.get("check");
  if (check === undefined || !isCheck(check)) return found;
  for (const [name, checker] of CHECKERS) {
    if (!checker.test(check) || found.some((other) => other.name === name)) continue;
    found.push({ name, script: "check" });
    break;
  }
  return found;
}

function isCheck(command: string | undefined): boolean {
  return command !== undefined && provesSomething(command) && !isWatching(command);
}

/** Whether any part of a command is more than `echo`, `true` or `exit`. */
export function provesSomething(command: string): boolean {
  if (/no tests? (?:specified|defined|yet)/i.test(command)) return false;
  return command.split(/&&|\|\||;|\n/).some((part) => {
    const [program] = part.trim().split(/\s+/);
    return !["", ":", "echo", "true", "false", "exit", undefined].includes(program);
  });
}

/** Whether a command waits for changes instead of ending. */
export function isWatching(command: string): boolean {
  return /(?:^|\s)--watch(?:All)?(?=\s|$|=true)/.test(command) ||
    /\b(?:tsc|rollup|webpack|mocha)\b[^&|;]*\s-\w*w\b/.test(command) ||
    /\b(?:nodemon|tsx watch|vite dev|vite serve|next dev|webpack serve|vitest watch)\b/.test(
      command,
    );
}

/** Whether a command watches only at a terminal, and ends when the environment says `CI=true`. */
export function needsCi(command: string): boolean {
  if (/\breact-scripts test\b|\bvue-cli-service test:unit\b/.test(command)) return true;
  return /\bvitest\b/.test(command) && !/\bvitest (?:run|bench|list)\b|--run\b/.test(command);
}
