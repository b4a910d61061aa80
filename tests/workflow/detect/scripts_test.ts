import assert from "node:assert/strict";
import { needsCi, provesSomething, whyNoCheck } from "../../../src/workflow/detect/no_check.ts";
import { checksAmongScripts } from "../../../src/workflow/detect/scripts.ts";

Deno.test("provesSomething() sees through scripts that are only words", () => {
  for (
    const command of [
      'echo "Error: no test specified" && exit 1',
      "echo 'No tests yet'",
      "true",
      "exit 0",
      "",
      ": ; echo ok",
    ]
  ) {
    assert.equal(provesSomething(command), false, command);
  }
  for (const command of ["jest", "echo building && tsc", "NODE_ENV=test mocha"]) {
    assert.equal(provesSomething(command), true, command);
  }
});

/** Commands that are no checks, with a word of the reason. */
const NO_CHECKS: readonly (readonly [command: string, reason: RegExp])[] = [
  ...[
    "jest --watch",
    "jest --watchAll",
    "tsc -w",
    "rollup -cw",
    "nodemon x.js",
    "deno test --watch",
    "vitest watch",
    "vitest -w",
    "ava -w",
    "ava --watch",
    "mocha -w",
    "npx mocha --watch",
    "cross-env NODE_ENV=test mocha -w",
    "node --test --watch",
    "bun test --watch",
    "ptw",
    "uv run ptw",
    "cargo watch -x test",
    "dotnet watch test",
    "./gradlew test -t",
    "karma start",
    "karma start karma.conf.js --single-run=false",
    "ember test --server",
    "npm run build && karma start",
    "tsx watch test.ts",
  ].map((command) => [command, /never ends/] as const),
  ...["vite", "vite dev", "vite preview", "next dev", "http-server .", "ng serve"].map((command) =>
    [command, /serves/] as const
  ),
  ["docker compose up", /serves/],
  ["vitest --ui", /serves/],
  ["cypress open", /waits for a person/],
  ["playwright test --ui", /waits for a person/],
  ["node --inspect-brk node_modules/.bin/jest", /debugger/],
  ["mocha | tee out.txt", /`mocha \| tee`: the exit code is tee's/],
  ["mocha 2>&1 | grep -v noise", /exit code is grep's/],
  ["eslint . && mocha | tee out.txt", /exit code is tee's/],
  ["pytest || true", /passes whatever fails/],
  ["pytest || echo failed", /passes whatever fails/],
  ["pytest || :", /passes whatever fails/],
  ["pytest || exit 0", /passes whatever fails/],
  ["pytest; exit 0", /what comes last/],
  ["pytest ; echo done", /what comes last/],
  ["pytest &", /nobody waits/],
  ['echo "no test specified" && exit 1', /tests nothing/],
  ["true", /tests nothing/],
];

for (const [command, reason] of NO_CHECKS) {
  Deno.test(`whyNoCheck() says why \`${command}\` is none`, () => {
    assert.match(whyNoCheck(command) ?? "nothing", reason);
  });
}

Deno.test("whyNoCheck() has nothing against what ends with its own exit code", () => {
  for (
    const command of [
      "jest --watchAll=false",
      "tsc",
      "npm run build -w pkg",
      "jest -w 2",
      "vite build",
      "vitest",
      "karma start --single-run",
      "cypress run",
      "playwright test",
      "tape test/*.js | tap-spec",
      "set -o pipefail; mocha | tee out.txt",
      "cat input.txt | node check.js",
      "yes | npm test",
      "pytest || (cat log; exit 1)",
      "pytest || exit 1",
      "rm -rf x; pytest",
      "docker compose up --abort-on-container-exit",
      "ember test",
      "testem ci",
      "echo testing && jest",
      "jest; true && eslint .",
    ]
  ) assert.equal(whyNoCheck(command), undefined, command);
});

Deno.test("whyNoCheck() follows the scripts that a script runs", () => {
  const scripts = new Map([
    ["watch", "mocha -w"],
    ["a", "npm run b"],
    ["b", "npm run a && npm run watch"],
    ["unit:x", "ava -w"],
    ["once", "mocha"],
  ]);
  for (
    const command of [
      "npm run watch",
      "npm run -s watch",
      "npm run a",
      "yarn watch",
      "pnpm run watch -- -x",
      "bun run watch",
      "node --run watch",
      "deno task watch",
      "run-s once watch",
      "run-p 'unit:*'",
      "npm-run-all unit:**",
      "concurrently 'npm:watch'",
      "@watch",
    ]
  ) assert.match(whyNoCheck(command, scripts) ?? "nothing", /never ends/, command);
  for (const command of ["npm run once", "npm run nowhere", "mocha watch", "npm test"]) {
    assert.equal(whyNoCheck(command, scripts), undefined, command);
  }
});

Deno.test("needsCi() knows commands that watch only at a terminal", () => {
  for (const command of ["vitest", "vitest --coverage", "react-scripts test"]) {
    assert.equal(needsCi(command), true, command);
  }
  for (const command of ["vitest run", "vitest --run", "jest"]) {
    assert.equal(needsCi(command), false, command);
  }
});

Deno.test("checksAmongScripts() takes a script called check for what its program proves", () => {
  const checks = (check: string, more: [string, string][] = []) =>
    checksAmongScripts(new Map([["check", check], ...more])).checks;
  assert.deepEqual(checks("tsc --noEmit"), [{ name: "typecheck", script: "check" }]);
  assert.deepEqual(checks("biome check ."), [{ name: "lint", script: "check" }]);
  assert.deepEqual(checks("prettier -c ."), []);
  assert.deepEqual(checks("eslint .", [["lint", "eslint src"]]), [{
    name: "lint",
    script: "lint",
  }]);
});

Deno.test("checksAmongScripts() passes over what is no check, and says it where nothing else is there", () => {
  const found = (scripts: Record<string, string>) =>
    checksAmongScripts(new Map(Object.entries(scripts)));
  assert.deepEqual(found({ test: "ava -w", "test:ci": "ava" }), {
    checks: [{ name: "test", script: "test:ci" }],
    leftOut: [],
  });
  assert.deepEqual(found({ test: "npm run test:watch", "test:watch": "ava -w" }), {
    checks: [],
    leftOut: [
      { script: "test", reason: "`ava -w`: it watches for changes and never ends" },
      { script: "test:watch", reason: "`ava -w`: it watches for changes and never ends" },
    ],
  });
  assert.deepEqual(found({ "test:e2e": "cypress run", "test:node": "node --test" }).checks, [
    { name: "test", script: "test:node" },
  ]);
  assert.deepEqual(found({ lint: "eslint --fix .", "lint:check": "eslint ." }).checks, [
    { name: "lint", script: "lint:check" },
  ]);
  assert.deepEqual(found({ lint: "eslint --fix ." }).checks, [{ name: "lint", script: "lint" }]);
});
