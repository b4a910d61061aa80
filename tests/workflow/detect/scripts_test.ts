import assert from "node:assert/strict";
import {
  checksAmongScripts,
  isWatching,
  needsCi,
  provesSomething,
} from "../../../src/workflow/detect/scripts.ts";

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

Deno.test("isWatching() knows commands that do not end", () => {
  for (
    const command of [
      "jest --watch",
      "jest --watchAll",
      "tsc -w",
      "rollup -cw",
      "nodemon x.js",
      "deno test --watch",
      "vitest watch",
      "vite dev",
    ]
  ) {
    assert.equal(isWatching(command), true, command);
  }
  for (
    const command of [
      "jest --watchAll=false",
      "tsc",
      "npm run build -w pkg",
      "jest -w 2",
      "vite build",
    ]
  ) {
    assert.equal(isWatching(command), false, command);
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
    checksAmongScripts(new Map([["check", check], ...more]));
  assert.deepEqual(checks("tsc --noEmit"), [{ name: "typecheck", script: "check" }]);
  assert.deepEqual(checks("biome check ."), [{ name: "lint", script: "check" }]);
  assert.deepEqual(checks("prettier -c ."), []);
  assert.deepEqual(checks("eslint .", [["lint", "eslint src"]]), [{
    name: "lint",
    script: "lint",
  }]);
});
