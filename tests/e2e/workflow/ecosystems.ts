/**
 * A small project with a test that fails, in three languages, its checks those that m31a finds by itself.
 * Rule: real tools run the tests; nothing is installed or fetched.
 */
import { dirname } from "@std/path";
import type { Project } from "../../support/project.ts";
import { canRun } from "../../support/machine.ts";

/** A project, and what is wrong in it. */
export interface Ecosystem {
  name: string;
  /** Whether this machine has what runs its tests, and what to say where it has not. */
  isHere: boolean;
  missing: string;
  /** What PROJECT.md says it is, and its check. */
  projectType: string;
  command: string;
  files: Record<string, string>;
  /** The file with the mistake, and the text that is it. */
  source: string;
  wrong: string;
  right: string;
  /** Another mistake in place of the first one, of the same length as it. */
  stillWrong: string;
  /** Part of what the failed test says of {@linkcode stillWrong}. */
  complaint: string;
}

export const ECOSYSTEMS: readonly Ecosystem[] = [
  {
    name: "Deno",
    isHere: true,
    missing: "",
    projectType: "Deno (TypeScript)",
    command: "deno task test",
    files: {
      "deno.json": '{ "tasks": { "test": "deno test" } }\n',
      "sum.ts": "export function sum(a: number, b: number): number {\n  return a - b;\n}\n",
      "sum_test.ts": 'import { sum } from "./sum.ts";\n\nDeno.test("sum() adds", () => {\n' +
        '  if (sum(2, 3) !== 5) throw new Error("2 and 3 are " + sum(2, 3));\n});\n',
    },
    source: "sum.ts",
    wrong: "a - b",
    stillWrong: "a * b",
    right: "a + b",
    complaint: "2 and 3 are 6",
  },
  {
    name: "Node",
    isHere: canRun("npm", "--version"),
    missing: "there is no npm here",
    projectType: "Node",
    command: "npm test",
    files: {
      "package.json":
        '{ "name": "sum", "type": "module", "main": "sum.js", "scripts": { "test": "node --test" } }\n',
      "sum.js": "export const sum = (a, b) => a - b;\n",
      "sum.test.js":
        'import assert from "node:assert/strict";\nimport test from "node:test";\nimport { sum } from "./sum.js";\n\n' +
        'test("sum() adds", () => assert.equal(sum(2, 3), 5, "2 and 3 are " + sum(2, 3)));\n',
    },
    source: "sum.js",
    wrong: "a - b",
    stillWrong: "a * b",
    right: "a + b",
    complaint: "2 and 3 are 6",
  },
  {
    name: "Python",
    isHere: canRun("python3", "-m", "unittest", "--help"),
    missing: "there is no python3 here",
    projectType: "Python",
    command: "python3 -m unittest discover",
    files: {
      "pyproject.toml": '[project]\nname = "total"\nversion = "0.1.0"\n',
      "total.py": "def total(a, b):\n    return a - b\n",
      "test_total.py":
        "import unittest\n\nfrom total import total\n\n\nclass TotalTest(unittest.TestCase):\n" +
        '    def test_adds(self):\n        self.assertEqual(total(2, 3), 5, f"2 and 3 are {total(2, 3)}")\n',
    },
    source: "total.py",
    wrong: "a - b",
    stillWrong: "a * b",
    right: "a + b",
    complaint: "2 and 3 are 6",
  },
];

/** Lays an ecosystem's project out and commits it. The Deno that runs the tests is the one its checks find. */
export async function layOut(project: Project, { files }: Ecosystem): Promise<void> {
  const { PATH = "" } = project.variables;
  project.use({ PATH: `${dirname(Deno.execPath())}:${PATH}` });
  project.write({ ...files, ".gitignore": "*.script\n" });
  await project.git("add", "--all");
  await project.git("commit", "--quiet", "--message=all");
}
