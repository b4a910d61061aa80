/** Detection over fixture manifests of every ecosystem. */
import assert from "node:assert/strict";
import { describeEcosystem, detectProject } from "../../../src/workflow/detect/project.ts";
import { json, reader } from "./case.ts";
import { COMPILED_CASES } from "./compiled_cases.ts";
import { JAVASCRIPT_CASES } from "./javascript_cases.ts";
import { SCRIPT_CASES } from "./script_cases.ts";

const CASES = [...JAVASCRIPT_CASES, ...SCRIPT_CASES, ...COMPILED_CASES];

for (const [name, files, type, packageManager, frameworks, checks] of CASES) {
  Deno.test(`detectProject() finds ${name}`, () => {
    const project = detectProject(reader(files));
    assert.ok(project.primary !== undefined);
    assert.equal(describeEcosystem(project.primary), type);
    assert.equal(project.primary.packageManager, packageManager);
    assert.deepEqual(project.primary.frameworks, frameworks);
    assert.deepEqual(
      project.checks.map(({ name, command, source }) => `${name}: ${command} @ ${source}`),
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
