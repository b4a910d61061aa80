/** Detection over fixture manifests of every ecosystem. */
import assert from "node:assert/strict";
import { checkLabel, describeLeftOut } from "../../../src/workflow/detect/detected.ts";
import { describeEcosystem, detectProject } from "../../../src/workflow/detect/project.ts";
import { type Files, json, reader } from "./case.ts";
import { COMPILED_CASES } from "./compiled_cases.ts";
import { FOLDER_CASES } from "./folder_cases.ts";
import { JAVASCRIPT_CASES } from "./javascript_cases.ts";
import { LOOK_CASES } from "./look_cases.ts";
import { SCRIPT_CASES } from "./script_cases.ts";

const CASES = [
  ...JAVASCRIPT_CASES,
  ...SCRIPT_CASES,
  ...COMPILED_CASES,
  ...LOOK_CASES,
  ...FOLDER_CASES,
];

for (const [name, files, type, packageManager, frameworks, checks] of CASES) {
  Deno.test(`detectProject() finds ${name}`, () => {
    const project = detectProject(reader(files));
    assert.ok(project.primary !== undefined);
    assert.equal(describeEcosystem(project.primary), type);
    assert.equal(project.primary.packageManager, packageManager);
    assert.deepEqual(project.primary.frameworks, frameworks);
    assert.deepEqual(
      project.checks.map((check) => `${checkLabel(check)}: ${check.command} @ ${check.source}`),
      checks,
    );
    assert.deepEqual(project.problems, []);
  });
}

Deno.test("detectProject() finds nothing in an empty folder", () => {
  assert.deepEqual(detectProject(reader({ "README.md": "" })), {
    primary: undefined,
    others: [],
    checks: [],
    problems: [],
    leftOut: [],
  });
});

Deno.test("detectProject() takes the ecosystem with more evidence, and lists the others", () => {
  const project = detectProject(reader({
    "package.json": json({
      devDependencies: { prettier: "3" },
      scripts: { lint: "prettier -c ." },
    }),
    "pyproject.toml":
      '[project]\nname = "x"\ndependencies = ["django"]\n[tool.pytest.ini_options]\n',
  }));
  assert.equal(project.primary?.type, "Python");
  assert.deepEqual(project.others.map(({ type }) => type), ["Node"]);
  assert.deepEqual(project.checks.map(({ command }) => command), [
    "npm run lint",
    "python3 -m pytest",
  ]);
});

for (
  const [path, text, line, reason] of [
    [
      "package.json",
      '{\n  "name": "x",\n  "scripts": {,}\n}',
      3,
      /^not valid JSON: value expected/,
    ],
    ["package.json", "[]", 1, /must hold one JSON object/],
    ["deno.json", "", 1, /^not valid JSON: value expected|must hold one JSON object/],
    ["composer.json", '{"a": 1', 1, /^not valid JSON: close brace expected/],
    ["pyproject.toml", '[project]\nname = "x\n', 2, /^not valid TOML: /],
    ["Cargo.toml", "[package]\n[package]\n", 2, /^not valid TOML: /],
    ["pom.xml", "<project>\n<a>\n</project>", 3, /^not valid XML: <\/project> closes nothing/],
    ["pom.xml", "<project>\n<a>\n", 2, /^not valid XML: <a> is not closed/],
    ["x.csproj", "no", 1, /^not valid XML: there is no element/],
  ] as const
) {
  Deno.test(`detectProject() reports a broken ${path} (${reason.source}) and looks on`, () => {
    const project = detectProject(reader({ [path]: text, "go.mod": "module x\n" }));
    assert.equal(project.problems.length, 1);
    assert.equal(project.problems[0]?.path, path);
    assert.equal(project.problems[0]?.line, line);
    assert.match(project.problems[0]?.reason ?? "", reason);
    const types = [project.primary, ...project.others].map((ecosystem) => ecosystem?.type);
    assert.equal(types.length, 2);
    assert.ok(types.includes("Go"));
  });
}

/** Projects with what is left out, in words. */
const LEFT_OUT: readonly (readonly [name: string, files: Files, lines: readonly string[]])[] = [
  [
    "a browser that stays open",
    { "package.json": json({ scripts: { test: "karma start" } }) },
    [
      "package.json:3: the script `test` is no check: `karma start`: it watches for changes and never ends: give it --single-run",
    ],
  ],
  [
    "a watcher in a package of a workspace; its neighbour runs alone",
    {
      "package.json": json({ workspaces: ["*"] }),
      "a/package.json": json({ scripts: { test: "ava -w" } }),
      "b/package.json": json({ scripts: { test: "ava" } }),
    },
    [
      "a/package.json:3: the script `test` is no check: `ava -w`: it watches for changes and never ends",
    ],
  ],
  [
    "a Makefile's test that passes whatever fails",
    { Makefile: "test: deps\n\t-./run\ntests:\n\t./run || true\ndeps:\n\techo\n" },
    [
      'Makefile:1: the target `test` is no check: a "-" in its recipe lets `make test` pass whatever fails',
      "Makefile:3: the target `tests` is no check: `./run || true`: it passes whatever fails",
    ],
  ],
  [
    "a task of deno's and a script of composer's",
    {
      "deno.json": json({ tasks: { test: "deno test --watch" } }),
      "composer.json": json({ scripts: { test: ["@watch"], watch: "phpunit | tee x" } }),
    },
    [
      "deno.json:3: the task `test` is no check: `deno test --watch`: it watches for changes and never ends",
      "composer.json:3: the script `test` is no check: `phpunit | tee`: the exit code is tee's, not that of what is tested",
    ],
  ],
  [
    "tests of unittest's that no one command finds",
    {
      "setup.py": "",
      "a/test_a.py": "import unittest\nclass A(unittest.TestCase): pass\n",
      "b/test_b.py": "import unittest\nclass B(unittest.TestCase): pass\n",
    },
    [
      "a/test_a.py: the test in it is no check: no single unittest discover finds all test files: name the command in planning/config.toml, [ship.checks]",
    ],
  ],
  [
    "nox without a session for tests",
    { "noxfile.py": "@nox.session\ndef docs(session): pass\n" },
    [
      "noxfile.py: nox is no check: none of its sessions is named after tests (docs)",
    ],
  ],
  [
    "a package of another kind beside a root with tests",
    {
      "package.json": json({ scripts: { test: "node --test" } }),
      "backend/go.mod": "module b\n",
      "other/package.json": json({ scripts: { test: "x" } }),
    },
    [
      'backend: the package in it is no check: the root has tests of its own; to run these too, add "cd backend && go test ./..." to planning/config.toml, [ship.checks]',
    ],
  ],
  [
    "a collection of packages",
    Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`p${at}/go.mod`, "module x\n"])),
    [
      ".: what is in its folders is no check: 21 packages lie below the root, more than 20; name the checks that matter in planning/config.toml, [ship.checks]",
    ],
  ],
  [
    "packages deeper than is looked",
    { "a/b/c/go.mod": "module c\n" },
    [
      ".: what lies deeper is no check: packages are looked for in folders at most 2 deep; name the checks that matter in planning/config.toml, [ship.checks]",
    ],
  ],
  [
    "tests deeper than is looked",
    {
      "deno.json": "{}",
      ...Object.fromEntries(Array.from({ length: 1001 }, (_, at) => [`f${at}/a.ts`, ""])),
    },
    [
      ".: what lies deepest is no check: more than 1000 folders; tests were looked for in the nearest",
    ],
  ],
];

for (const [name, files, lines] of LEFT_OUT) {
  Deno.test(`detectProject() says what is left out: ${name}`, () => {
    assert.deepEqual(detectProject(reader(files)).leftOut.map(describeLeftOut), lines);
  });
}
