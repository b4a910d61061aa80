/**
 * What runs a project's Python tests, by the look of them.
 * Rule: a bare `def test_` is pytest's; unittest is taken only for files that it will find.
 */
import { isTestFileOf, TestLook } from "./look.ts";
import type { Manifests } from "./manifests.ts";

/** What the test files look like. */
export interface PythonLook {
  runner: "pytest" | "unittest";
  /** The file that says it. */
  source: string;
  /** For unittest: the module with its arguments; `undefined` when no one command finds all tests. */
  command?: string;
}

/** What only pytest runs. */
const PYTEST =
  /^(?:async )?def test_?\w*\s*\(|^(?:import|from) pytest\b|^@pytest\.|^class Test\w*\s*(?:\(\s*(?:object)?\s*\))?\s*:/m;

const UNITTEST = /^\s*(?:import|from) (?:unittest2?|django\.test|twisted\.trial|absl\.testing)\b/m;

/** How the tests of the project look; `undefined` when there are none. */
export function lookAtPythonTests(manifests: Manifests): PythonLook | undefined {
  const cases: string[] = [];
  for (const path of new TestLook(manifests).paths()) {
    if (/(?:^|\/)conftest\.py$/.test(path)) return { runner: "pytest", source: path };
    if (!isTestFileOf("Python")(path)) continue;
    const text = manifests.text(path) ?? "";
    if (PYTEST.test(text)) return { runner: "pytest", source: path };
    if (UNITTEST.test(text) && /^class /m.test(text)) cases.push(path);
  }
  const [source] = cases;
  if (source === undefined) return undefined;
  const command = discoverCommand(manifests, cases);
  return { runner: "unittest", source, ...(command === undefined ? {} : { command }) };
}

/** The `unittest discover` that finds all of these files; `undefined` when there is none. */
function discoverCommand(manifests: Manifests, paths: readonly string[]): string | undefined {
  const names = paths.map((path) => path.split("/").at(-1) ?? "");
  const pattern = ["test*.py", "*_test.py"].find((glob) =>
    names.every((name) => glob === "test*.py" ? name.startsWith("test") : name.endsWith("_test.py"))
  );
  if (pattern === undefined) return undefined;
  const option = pattern === "test*.py" ? "" : ` -p '${pattern}'`;
  // Discovery goes into packages only: each folder between its start and a file has an __init__.py.
  const isFoundFrom = (start: string) =>
    paths.every((path) => {
      if (start !== "" && !path.startsWith(`${start}/`)) return false;
      const between = path.split("/").slice(0, -1).slice(
        start === "" ? 0 : start.split("/").length,
      );
      return between.every((_, at) => {
        const folder = [...(start === "" ? [] : [start]), ...between.slice(0, at + 1)].join("/");
        return manifests.reader.list(folder).includes("__init__.py");
      });
    });
  if (isFoundFrom("")) return `unittest discover${option}`;
  const folder = (paths[0] ?? "").split("/").slice(0, -1);
  const start = folder.map((_, at) => folder.slice(0, at + 1).join("/")).find(isFoundFrom);
  return start === undefined ? undefined : `unittest discover -s ${start}${option}`;
}
