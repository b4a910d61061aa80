/**
 * What kind of proof a check is.
 * Rule: its name decides, then the programs in its command.
 */
/** `other`: neither the name nor the command says it. */
export type CheckKind = "build" | "typecheck" | "lint" | "test" | "other";

/** Words of names, the most telling first: `backend: test`, `unit-tests`, `lint:css`. */
const NAMES: readonly (readonly [CheckKind, RegExp])[] = [
  ["typecheck", /\b(?:type-?checks?|types?|tsc|mypy|pyright)\b/i],
  ["lint", /\b(?:lint(?:er|ing)?|format|fmt|style|clippy|vet|eslint|ruff|prettier)\b/i],
  ["test", /(?:\b|_)(?:tests?|specs?|e2e|unit|integration)(?:\b|_)/i],
  ["build", /\b(?:build|compile|bundle|package)\b/i],
];

/** Programs, by what they prove. A command that tests is a test, whatever else it does. */
const COMMANDS: readonly (readonly [CheckKind, RegExp])[] = [
  [
    "test",
    /\b(?:jest|vitest|mocha|ava|tape|jasmine|karma|pytest|unittest|tox|nox|rspec|phpunit|pest|ctest|prove|nextest)\b|\b(?:npm|pnpm|yarn|bun|deno|go|cargo|mix|swift|dart|flutter|dotnet|gradle|gradlew|mvn|mvnw|make|just|rake|zig|sbt|lein|cabal|stack|task|node --)(?: run| -\S+)* ?test\b/,
  ],
  ["typecheck", /\b(?:tsc|vue-tsc|svelte-check|mypy|pyright|deno check|phpstan|psalm)\b/],
  [
    "lint",
    /\b(?:eslint|biome|oxlint|ruff|flake8|pylint|rubocop|clippy|golangci-lint|go vet|deno lint|prettier|stylelint|pint|phpcs)\b/,
  ],
  ["build", /\b(?:build|compile|assemble|package|make)\b/],
];

/** The kind of a check. */
export function kindOfCheck({ name, command }: { name: string; command: string }): CheckKind {
  return NAMES.find(([, sign]) => sign.test(name))?.[0] ??
    COMMANDS.find(([, sign]) => sign.test(command))?.[0] ?? "other";
}
