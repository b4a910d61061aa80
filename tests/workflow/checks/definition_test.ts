import assert from "node:assert/strict";
import { dirname, join } from "@std/path";
import { definitionOf, type TreeReader } from "../../../src/workflow/checks/definition.ts";
import { compareDefinitions } from "../../../src/workflow/checks/definition_change.ts";
import { withTemporaryFolder } from "../../support/temporary.ts";

type Files = Record<string, string>;

function tree(files: Files): TreeReader {
  return {
    files: () => Promise.resolve(Object.keys(files)),
    read: (path) => Promise.resolve(files[path]),
  };
}

async function partsOf(command: string, files: Files): Promise<string[]> {
  return (await definitionOf(command, tree(files))).map(({ path, what }) => `${path}: ${what}`);
}

const scripts = (scripts: Record<string, string>, more: Record<string, unknown> = {}) =>
  JSON.stringify({ scripts, ...more });

/** A check's command, a project, what defines the check. */
const CASES: readonly (readonly [name: string, command: string, files: Files, parts: string[]])[] =
  [
    [
      "a Makefile's settings and what it includes",
      "make test",
      {
        Makefile:
          "include mk/*.mk $(X)/y.mk\n-include .env.mk\nSHELL := /bin/true\nCC = gcc\ntest: export A = 1\ntest:\n\tsh run.sh\n" +
          "define RULE\nlint:\n\ttrue\nendef\n$(eval $(RULE))\n%.t: %.c\n\t./$@\n.IGNORE:\n",
        "mk/test.mk": "test: a\na:\n\tnode a.js\n",
        "other/y.mk": "",
        "other/z.mk": "",
        "a.js": "",
        "run.sh": "",
      },
      [
        "Makefile: the settings beside its recipes",
        "Makefile: the target `a`",
        "Makefile: the target `test`",
        "a.js: the file",
        "mk/test.mk: the file",
        "other/y.mk: the file",
        "run.sh: the file",
      ],
    ],
    [
      "a Makefile of another name, and a justfile's settings",
      "make -f build.mk test; just lint",
      {
        "build.mk": "test:\n\ttrue\n",
        Makefile: "test:\n\ttrue\n",
        justfile: "set shell := ['true']\nlint:\n  ruff check\n",
      },
      [
        "build.mk: the file",
        "build.mk: the target `test`",
        "justfile: the settings beside its recipes",
        "justfile: the target `lint`",
      ],
    ],
    [
      "what a package manager and node are told beside the script",
      "cd web && npm test",
      {
        "web/package.json": scripts({ test: "node --env-file=test.env --test" }, {
          dependencies: { a: "^1.0.0", b: "file:./b" },
          overrides: { a: "2" },
        }),
        "web/.npmrc": "script-shell=/bin/true\n",
        ".npmrc": "",
        "web/test.env": "NODE_OPTIONS=--import=./fake.js\n",
        "pnpm-workspace.yaml": "packages:\n  - web\nscriptShell: /bin/true\n",
      },
      [
        ".npmrc: the file",
        "pnpm-workspace.yaml: its settings",
        "web/.npmrc: the file",
        "web/package.json: `overrides`",
        "web/package.json: the script `test`",
        "web/package.json: where `a` of `dependencies` leads",
        "web/package.json: where `b` of `dependencies` leads",
        "web/test.env: the file",
      ],
    ],
    [
      "modules that Python takes in place of the runner's",
      "python -m pytest",
      {
        "pytest.py": "",
        "sitecustomize.py": "",
        "tests/unittest/__init__.py": "",
        "app/logging.py": "",
        "tests/test_logging.py": "",
      },
      [
        "pytest.py: the file",
        "sitecustomize.py: the file",
        "tests/unittest/__init__.py: the file",
      ],
    ],
    [
      "where the names of a Deno project lead",
      "deno test",
      { "deno.json": '{ "imports": { "@std/assert": "jsr:@std/assert@^1.0.0", "x": "./x.ts" } }' },
      [
        "deno.json: where `@std/assert` of `imports` leads",
        "deno.json: where `x` of `imports` leads",
      ],
    ],
    [
      "what cargo, go and maven read by its path",
      "cd a && cargo test && go test ./... && mvn test",
      {
        "a/.cargo/config.toml": "",
        ".cargo/config.toml": "",
        "b/.cargo/config.toml": "",
        "a/Cargo.toml": "[package]\nautotests = false\nname = 'a'\n",
        "a/build.rs": "",
        "go.work": "",
        "a/go.mod": "module a\nrequire x v1\nreplace (\n\tx => ./x\n)\n",
        "a/.mvn/maven.config": "-DskipTests",
        "a/pom.xml": "",
      },
      [
        ".cargo/config.toml: the file",
        "a/.cargo/config.toml: the file",
        "a/.mvn/maven.config: the file",
        "a/Cargo.toml: `package.autotests`",
        "a/build.rs: the file",
        "a/go.mod: the replacements",
        "a/pom.xml: the file",
        "go.work: the file",
      ],
    ],
    [
      "scripts that run scripts, with pre and post, and no test file",
      "CI=true npm test",
      {
        "package.json": scripts({
          pretest: "npm run build",
          build: "node build.js",
          test: "npm run lint && node test.js",
          lint: "eslint .",
          other: "x",
        }),
        "build.js": "",
        "test.js": "",
        "index.js": "",
        "eslint.config.js": "",
      },
      [
        "build.js: the file",
        "eslint.config.js: the file",
        "package.json: the script `build`",
        "package.json: the script `lint`",
        "package.json: the script `pretest`",
        "package.json: the script `test`",
      ],
    ],
    [
      "a recipe with prerequisites, variables and a shell script",
      "make test",
      {
        Makefile:
          "PY ?= python3\nRUN = $(PY) -m pytest\nall: x\n\ntest: deps\n\t@$(RUN) -q\n\tsh ./scripts/test.sh\ndeps:\n\techo\nother:\n\ttrue\n",
        "scripts/test.sh": "#!/bin/sh\n# ruff\nmypy src\n",
        "pytest.ini": "",
        "tests/conftest.py": "",
        "tests/test_a.py": "",
        "mypy.ini": "",
        "ruff.toml": "",
      },
      [
        "Makefile: the target `deps`",
        "Makefile: the target `test`",
        "Makefile: the variable `PY`",
        "Makefile: the variable `RUN`",
        "mypy.ini: the file",
        "pytest.ini: the file",
        "scripts/test.sh: the file",
        "tests/conftest.py: the file",
      ],
    ],
    [
      "sections of files with other things in them",
      "uv run pytest --cov",
      {
        "pyproject.toml":
          "[project]\nname = 'x'\n[tool.pytest.ini_options]\naddopts = '-q'\n[tool.coverage.run]\nbranch = true\n",
        "setup.cfg": "[tool:pytest]\nx = 1\n[flake8]\ny = 2\n",
        "tox.ini": "[tox]\n",
      },
      [
        "pyproject.toml: `tool.coverage`",
        "pyproject.toml: `tool.pytest`",
        "setup.cfg: `tool:pytest`",
      ],
    ],
    [
      "a folder of its own",
      "cd backend && uv run pytest",
      {
        "backend/pytest.ini": "",
        "pytest.ini": "",
        "conftest.py": "",
        "backend/a/conftest.py": "",
      },
      ["backend/a/conftest.py: the file", "backend/pytest.ini: the file"],
    ],
    [
      "a workspace's packages",
      "CI=true pnpm -r run test",
      {
        "package.json": scripts({ build: "x" }),
        "packages/a/package.json": scripts({ test: "vitest" }),
        "packages/a/vitest.config.ts": "",
        "packages/b/package.json": scripts({ lint: "eslint" }),
      },
      ["packages/a/package.json: the script `test`", "packages/a/vitest.config.ts: the file"],
    ],
    [
      "turbo over its packages",
      "npx --no-install turbo run test",
      { "turbo.json": "{}", "a/package.json": scripts({ test: "jest" }, { jest: { bail: 1 } }) },
      ["a/package.json: `jest`", "a/package.json: the script `test`", "turbo.json: the file"],
    ],
    [
      "tasks of deno's, one of them with a command",
      "deno task test",
      {
        "deno.jsonc":
          '{ // x\n "tasks": { "test": { "command": "deno task a && deno test -A" }, "a": "deno lint" },\n "test": { "include": ["t"] }, "imports": {}, }',
      },
      [
        "deno.jsonc: `test`",
        "deno.jsonc: the script `a`",
        "deno.jsonc: the script `test`",
      ],
    ],
    [
      "cargo's sections of every package",
      "cargo test --workspace",
      {
        "Cargo.toml": "[workspace]\nmembers = ['a']\n[workspace.dependencies]\n",
        "a/Cargo.toml":
          "[package]\nname = 'a'\n[lib]\ntest = false\n[dependencies]\n[[test]]\nname = 'x'\n",
        ".config/nextest.toml": "",
      },
      [
        ".config/nextest.toml: the file",
        "Cargo.toml: `workspace`",
        "a/Cargo.toml: `lib`",
        "a/Cargo.toml: `test`",
      ],
    ],
    [
      "tox and the pytest that it names",
      "tox -e py",
      { "tox.ini": "[testenv]\ncommands = pytest\n", "conftest.py": "", "pytest.ini": "" },
      ["conftest.py: the file", "pytest.ini: the file", "tox.ini: the file"],
    ],
    [
      "composer's scripts in a list",
      "composer run-script test",
      {
        "composer.json": JSON.stringify({
          scripts: { test: ["@lint", "phpunit"], lint: "pint --test" },
        }),
        "phpunit.xml.dist": "",
        "pint.json": "{}",
        "package.json": scripts({ test: "x" }),
      },
      [
        "composer.json: the script `lint`",
        "composer.json: the script `test`",
        "phpunit.xml.dist: the file",
        "pint.json: the file",
      ],
    ],
    [
      "configuration that an option names",
      "jest --config=config/unit.js && mocha --require ./setup && pytest -c x.ini",
      { "config/unit.js": "", "setup.js": "", "x.ini": "", "src/a.js": "" },
      ["config/unit.js: the file", "setup.js: the file", "x.ini: the file"],
    ],
    ["nothing that the project defines", "go test ./...", { "go.mod": "", "a_test.go": "" }, []],
  ];

for (const [name, command, files, parts] of CASES) {
  Deno.test(`definitionOf() reads ${name}`, async () => {
    assert.deepEqual(await partsOf(command, files), parts);
  });
}

Deno.test("definitionOf() ends where scripts, targets and variables run in circles", async () => {
  const files = {
    "package.json": scripts({ test: "npm run a", a: "npm test" }),
    Makefile: "X = $(Y)\nY = $(X)\ntest: b\n\t$(X)\nb: test\n\tmake test\n",
  };
  assert.deepEqual(await partsOf("npm test && make test", files), [
    "Makefile: the target `b`",
    "Makefile: the target `test`",
    "Makefile: the variable `X`",
    "Makefile: the variable `Y`",
    "package.json: the script `a`",
    "package.json: the script `test`",
  ]);
});

/** A check that is turned off in some way, and the words for it. */
const TURNED_OFF: readonly (readonly [command: string, Files, Files, string[]])[] = [
  [
    "npm test",
    { "package.json": scripts({ test: "node test.js" }, { version: "1" }) },
    { "package.json": scripts({ test: "true" }, { version: "2", dependencies: { x: "1" } }) },
    ["package.json: the script `test` was changed", "-node test.js", "+true"],
  ],
  [
    "make test",
    { Makefile: "test:\n\t./run\nother:\n\tx\n" },
    { Makefile: "test:\n\t@true\nother:\n\ty\n" },
    ["Makefile: the target `test` was changed", "-\t./run", "+\ttrue"],
  ],
  [
    "make test",
    { Makefile: "test:\n\t./run\n" },
    { Makefile: "test:\n\t-./run\n" },
    ["Makefile: the target `test` was changed", "-\t./run", "+\t-./run"],
  ],
  [
    "python3 -m pytest",
    { "pyproject.toml": "[tool.pytest.ini_options]\naddopts = '-q'\n" },
    {
      "pyproject.toml":
        "# x\n[project]\nname = 'x'\n[tool.pytest.ini_options]\naddopts = '-q'\ntestpaths = ['none']\n",
    },
    [
      "pyproject.toml: `tool.pytest` was changed",
      '-    "addopts": "-q"',
      '+    "addopts": "-q",',
      '+    "testpaths": [',
      '+      "none"',
      "+    ]",
    ],
  ],
  [
    "python3 -m pytest",
    { "tests/test_a.py": "x" },
    { "tests/test_a.py": "y", "tests/conftest.py": "collect_ignore = ['test_a.py']\n" },
    ["tests/conftest.py: the file was added", "+collect_ignore = ['test_a.py']"],
  ],
  [
    "npx jest",
    { "jest.config.js": "a\n" },
    {},
    ["jest.config.js: the file was removed", "-a"],
  ],
  ["npm test", { "package.json": scripts({ test: "x" }) }, {
    "package.json": '{"scripts":\n{"test":"x"}}',
  }, []],
];

for (const [command, before, after, expected] of TURNED_OFF) {
  Deno.test(`compareDefinitions() says what changed: ${expected[0] ?? "nothing"}, ${expected[1] ?? ""}`, async () => {
    const changes = compareDefinitions(
      await definitionOf(command, tree(before)),
      await definitionOf(command, tree(after)),
    );
    assert.deepEqual(changes.flatMap(({ words, difference }) => [words, ...difference]), expected);
  });
}

Deno.test("compareDefinitions() says how much of a long difference it does not show", () => {
  const part = (text: string) => [{ what: "the file", path: "a", text, sha256: text }];
  const [change] = compareDefinitions(part(""), part("x\n".repeat(50)));
  assert.equal(change?.difference.length, 31);
  assert.equal(change?.difference.at(-1), "… and 20 lines more");
});

Deno.test("definitionOf() reads a tree of git's as it reads the working tree", () =>
  withTemporaryFolder(async (root) => {
    const git = (...args: string[]) => {
      const { success, stdout, stderr } = new Deno.Command("git", {
        args: ["-c", "user.name=a", "-c", "user.email=a@example.org", ...args],
        cwd: root,
      }).outputSync();
      return { success, text: new TextDecoder().decode(success ? stdout : stderr) };
    };
    const write = (path: string, text: string) => {
      Deno.mkdirSync(dirname(join(root, path)), { recursive: true });
      Deno.writeTextFileSync(join(root, path), text);
    };
    git("init", "-q");
    write("package.json", scripts({ test: "mocha" }));
    write(".mocharc.json", "{}");
    git("add", "-A");
    git("commit", "-qm", "x");
    write("package.json", scripts({ test: "mocha || true" }));
    const ofGit = (revision: string): TreeReader => ({
      files: () =>
        Promise.resolve(
          git("ls-tree", "-rz", "--name-only", revision).text.split("\0").filter(Boolean),
        ),
      read: (path) => {
        const { success, text } = git("cat-file", "blob", `${revision}:${path}`);
        return Promise.resolve(success ? text : undefined);
      },
    });
    const before = await definitionOf("npm test", ofGit("HEAD"));
    git("add", "-A");
    const after = await definitionOf("npm test", ofGit(git("write-tree").text.trim()));
    assert.deepEqual(compareDefinitions(before, after).map(({ words }) => words), [
      "package.json: the script `test` was changed",
    ]);
    assert.deepEqual(before.map(({ path }) => path), [".mocharc.json", "package.json"]);
  }));

Deno.test("compareDefinitions() takes a name that leads elsewhere for a change, and no new name or version", async () => {
  const changes = async (before: string, now: string) => {
    const at = (imports: string) => definitionOf("deno test", tree({ "deno.json": imports }));
    return compareDefinitions(await at(before), await at(now)).map(({ words }) => words);
  };
  const imports = (assert: string, more = {}) => JSON.stringify({ imports: { assert, ...more } });
  const first = imports("jsr:@std/assert@^1.0.0");
  assert.deepEqual(await changes(first, imports("jsr:@std/assert@2", { b: "./b.ts" })), []);
  assert.deepEqual(await changes(first, imports("./fake.ts")), [
    "deno.json: where `assert` of `imports` leads was changed",
  ]);
});
