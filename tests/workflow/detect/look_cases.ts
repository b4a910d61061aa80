/** Projects whose checks show in the look of their files: Python tests, Makefiles, tox, nox, tools of one command. */
import type { Case } from "./case.ts";

const BARE = "def test_add():\n    assert 1 + 2 == 3\n";
const UNITTEST = "import unittest\n\nclass TestAdd(unittest.TestCase):\n    def test(self): pass\n";

export const LOOK_CASES: readonly Case[] = [
  [
    "bare test functions with pytest configured nowhere",
    { "setup.py": "", "f.py": "", "tests/test_f.py": BARE },
    "Python",
    "pip",
    [],
    ["test: python3 -m pytest @ tests/test_f.py"],
  ],
  [
    "tests without any manifest",
    { "f.py": "", "test_f.py": BARE },
    "Python",
    "pip",
    [],
    ["test: python3 -m pytest @ test_f.py"],
  ],
  [
    "a conftest.py among the tests",
    { "pyproject.toml": "[project]\n", "tests/conftest.py": "", "tests/test_f.py": UNITTEST },
    "Python",
    "pip",
    [],
    ["test: python3 -m pytest @ tests/conftest.py"],
  ],
  [
    "a class of pytest's beside unittest's, deep in src",
    {
      "pyproject.toml": "[project]\n",
      "src/p/__init__.py": "",
      "src/p/tests/test_a.py": UNITTEST,
      "src/p/tests/test_b.py": "class TestB:\n    def test(self): pass\n",
    },
    "Python",
    "pip",
    [],
    ["test: PYTHONPATH=src python3 -m pytest @ src/p/tests/test_b.py"],
  ],
  [
    "a pytest plugin in requirements of the tests",
    { "setup.py": "", "tests/requirements.txt": "pytest-cov\n", "tests/test_a.py": UNITTEST },
    "Python",
    "pip",
    [],
    ["test: python3 -m pytest @ tests/requirements.txt:1"],
  ],
  [
    "unittest in packages, found from the root",
    { "setup.py": "", "test/__init__.py": "", "test/test_a.py": UNITTEST },
    "Python",
    "pip",
    [],
    ["test: python3 -m unittest discover @ test/test_a.py"],
  ],
  [
    "unittest with names that discovery would not find",
    { "setup.py": "", "tests/add_test.py": UNITTEST, "uv.lock": "" },
    "Python",
    "uv",
    [],
    ["test: uv run python -m unittest discover -s tests -p '*_test.py' @ tests/add_test.py"],
  ],
  [
    "a Makefile's test before a guess, and no make all",
    {
      "setup.py": "",
      "test/test_toposort.py": UNITTEST,
      Makefile: "all: dist\n\ntest:\n\tPYTHONPATH=src python3 -m unittest test.test_toposort\n",
    },
    "Python",
    "pip",
    [],
    ["test: make test @ Makefile:3"],
  ],
  [
    "a Makefile's lint, folded lines, and a test that only starts tox",
    {
      "setup.py": "",
      "tox.ini": "[tox]\nenvlist = py{310,311}\n[testenv]\ncommands = pytest {posargs}\n",
      "tests/test_a.py": BARE,
      Makefile:
        "FILES = a \\\n  b\n\nlint:\n\truff check \\\n\t  $(FILES)\n\n.PHONY: test\ntest:\n\ttox\n",
    },
    "Python",
    "pip",
    [],
    ["lint: make lint @ Makefile:4", "test: python3 -m pytest @ tests/test_a.py"],
  ],
  [
    "tox with eight environments and a runner of its own: the current interpreter's one",
    {
      "setup.py": "",
      "tox.ini":
        "[tox]\nenv_list =\n    lint\n    py{310, 311, 312, 313}-{unit,integration}  # all\n    docs\n[testenv]\ncommands = stestr run\n",
      "tests/test_a.py": UNITTEST,
    },
    "Python",
    "pip",
    [],
    ["test: tox -e py-unit @ tox.ini"],
  ],
  [
    "tox in pyproject.toml with an environment named after tests",
    {
      "pyproject.toml": '[project]\nname = "x"\n[tool.tox]\nenv_list = ["lint", "tests"]\n',
    },
    "Python",
    "pip",
    [],
    ["test: tox -e tests @ pyproject.toml:3"],
  ],
  [
    "nox that runs pytest: pytest itself",
    {
      "noxfile.py": '@nox.session\ndef tests(session):\n    session.run("pytest")\n',
      "pyproject.toml": "[project]\n",
      "tests/test_a.py": UNITTEST,
    },
    "Python",
    "pip",
    [],
    ["test: python3 -m pytest @ tests/test_a.py"],
  ],
  [
    "a workspace of uv",
    {
      "pyproject.toml":
        '[project]\ndependencies = ["pytest"]\n[tool.uv.workspace]\nmembers = ["a"]\n',
    },
    "Python (monorepo)",
    "uv",
    [],
    ["test: uv run --all-packages pytest @ pyproject.toml:2"],
  ],
  [
    "a justfile",
    {
      justfile:
        "set shell := [\"sh\"]\n\nbuild:\n    cc x.c\n\ntest filter='': build\n    ./x {{filter}}\n",
    },
    "Make",
    "",
    [],
    ["build: just build @ justfile:3", "test: just test @ justfile:6"],
  ],
  [
    "Elixir",
    { "mix.exs": '{:credo, "~> 1.7"}\n', "test/x_test.exs": "" },
    "Elixir",
    "mix",
    [],
    ["build: mix compile @ mix.exs", "lint: mix credo @ mix.exs", "test: mix test @ mix.exs"],
  ],
  [
    "Swift",
    { "Package.swift": 'targets: [.target(name: "X"), .testTarget(name: "XTests")]\n' },
    "Swift",
    "swift",
    [],
    ["build: swift build @ Package.swift", "test: swift test @ Package.swift"],
  ],
  [
    "Perl",
    { "Makefile.PL": "", "t/a.t": "" },
    "Perl",
    "cpan",
    [],
    ["test: prove -lr t @ Makefile.PL"],
  ],
  [
    "Deno with tests below the root only",
    { "deno.json": "{}", "src/lib/add_test.ts": "" },
    "Deno (TypeScript)",
    "deno",
    [],
    ["test: deno test -A @ src/lib/add_test.ts"],
  ],
];
