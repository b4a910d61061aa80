/** Detection over real folders, its commands run by the real tools where they are installed. */
import assert from "node:assert/strict";
import { dirname, join } from "@std/path";
import { describeLeftOut } from "../../../src/workflow/detect/detected.ts";
import { folderReader } from "../../../src/workflow/detect/folder_reader.ts";
import { detectProject } from "../../../src/workflow/detect/project.ts";
import { withTemporaryFolder } from "../../support/temporary.ts";

/** A project whose `test` check passes with `right` in `file` and fails with `wrong`. */
const PROJECTS: readonly (readonly [
  tool: string,
  files: Record<string, string>,
  file: string,
  right: string,
  wrong: string,
])[] = [
  [
    "deno",
    {
      "deno.jsonc": '{\n  // checks\n  "tasks": { "test": "deno test -A" },\n}',
      "add_test.ts":
        'import { add } from "./add.ts";\nDeno.test("add", () => { if (add(1, 2) !== 3) throw new Error("no"); });\n',
    },
    "add.ts",
    "export const add = (a: number, b: number) => a + b;\n",
    "export const add = (a: number, b: number) => a - b;\n",
  ],
  [
    "node",
    {
      "package.json": '{ "type": "module", "scripts": { "test": "node --test" } }',
      "add.test.js":
        'import assert from "node:assert";\nimport test from "node:test";\nimport { add } from "./add.js";\ntest("add", () => assert.equal(add(1, 2), 3));\n',
    },
    "add.js",
    "export const add = (a, b) => a + b;\n",
    "export const add = (a, b) => a - b;\n",
  ],
  [
    "python3",
    {
      "pyproject.toml": '[project]\nname = "x"\nversion = "1"\n',
      "tests/test_add.py":
        "import unittest\nfrom add import add\n\nclass T(unittest.TestCase):\n    def test(self):\n        self.assertEqual(add(1, 2), 3)\n",
      "tests/__init__.py": "",
    },
    "add.py",
    "def add(a, b):\n    return a + b\n",
    "def add(a, b):\n    return a - b\n",
  ],
  [
    "make",
    { Makefile: "test:\n\t@sh ./add.sh\n" },
    "add.sh",
    "test $((1 + 2)) = 3\n",
    "test $((1 - 2)) = 3\n",
  ],
];

for (const [tool, files, file, right, wrong] of PROJECTS) {
  Deno.test({
    name: `detectProject() finds a test command that ${tool} runs, passing and failing`,
    ignore: !isInstalled(tool),
    fn: () =>
      withTemporaryFolder((folder) => {
        for (const [path, text] of Object.entries(files)) write(join(folder, path), text);
        const { checks, problems } = detectProject(folderReader(folder));
        assert.deepEqual(problems, []);
        const test = checks.find(({ name }) => name === "test");
        assert.ok(test !== undefined);
        write(join(folder, file), right);
        assert.equal(run(test.command, folder), 0);
        write(join(folder, file), wrong);
        assert.notEqual(run(test.command, folder), 0);
      }),
  });
}

Deno.test("folderReader() reads no file through a symbolic link, and none outside", () =>
  withTemporaryFolder((folder) => {
    const root = join(folder, "project");
    write(join(folder, "outside.json"), "{}");
    write(join(root, "go.mod"), "\ufeffmodule x\n");
    Deno.symlinkSync(join(folder, "outside.json"), join(root, "package.json"));
    const reader = folderReader(root);
    assert.deepEqual([...reader.list()].sort(), ["go.mod", "package.json"]);
    assert.equal(reader.read("go.mod"), "module x\n");
    for (const path of ["package.json", "../outside.json", join(folder, "outside.json"), "none"]) {
      assert.equal(reader.read(path), undefined, path);
    }
    assert.equal(detectProject(reader).primary?.type, "Go");
  }));

Deno.test("folderReader() says which file is too large to be read", () =>
  withTemporaryFolder((root) => {
    write(join(root, "package.json"), `{"x": "${"x".repeat(1024 * 1024)}"}`);
    const project = detectProject(folderReader(root));
    assert.deepEqual(project.leftOut.map(describeLeftOut), [
      "package.json: the file is no check: it is larger than 1048576 bytes, and was not read",
    ]);
  }));

function write(path: string, text: string): void {
  Deno.mkdirSync(dirname(path), { recursive: true });
  Deno.writeTextFileSync(path, text);
}

function isInstalled(tool: string): boolean {
  return run(`command -v ${tool}`, ".") === 0;
}

function run(command: string, cwd: string): number {
  // Python keeps compiled files by their second; two versions of a file within one would be taken for the same.
  const env = { PYTHONDONTWRITEBYTECODE: "1" };
  return new Deno.Command("sh", { args: ["-c", command], cwd, env, stdin: "null" }).outputSync()
    .code;
}
