import assert from "node:assert/strict";
import { readEnvironment, readOwnVariable } from "../../src/platform/environment.ts";

/** Runs `test` while the variables of `environment` are set. */
function withVariables(environment: Record<string, string>, test: () => void): void {
  const before = Object.keys(environment).map((name) => [name, Deno.env.get(name)] as const);
  for (const [name, value] of Object.entries(environment)) Deno.env.set(name, value);
  try {
    test();
  } finally {
    for (const [name, value] of before) {
      if (value === undefined) Deno.env.delete(name);
      if (value !== undefined) Deno.env.set(name, value);
    }
  }
}

Deno.test("readEnvironment() takes keys without the blanks and line ends around them, and paths as they are", () => {
  withVariables({ OPENAI_API_KEY: " sk-1\r\n", M31A_API_KEY: "\n", EDITOR: "vi " }, () => {
    const environment = readEnvironment();
    assert.equal(environment.OPENAI_API_KEY, "sk-1");
    assert.ok(!("M31A_API_KEY" in environment), "a key of blanks is none");
    assert.equal(environment.EDITOR, "vi ");
  });
});

Deno.test("readOwnVariable() gives M31A_* alone, without the line end of a file it came from", () => {
  withVariables({ M31A_TEST_TOKEN: "token\n", OTHER_TOKEN: "other" }, () => {
    assert.equal(readOwnVariable("M31A_TEST_TOKEN"), "token");
    assert.equal(readOwnVariable("OTHER_TOKEN"), undefined);
  });
});
