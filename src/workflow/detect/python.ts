/**
 * Python projects: pyproject.toml, setup.py, requirements.txt, with uv, poetry, pdm, pipenv or pip.
 * Rule: a tool is used when the project depends on it or configures it.
 */
import type { CheckName, DetectedCheck, DetectedEcosystem } from "./detected.ts";
import { frameworksAmong, PYTHON_FRAMEWORKS } from "./frameworks.ts";
import { isTable, type Manifests, placeOfLine, type TomlManifest } from "./manifests.ts";
import { pythonEnvironments } from "./python_environments.ts";
import { lookAtPythonTests } from "./python_tests.ts";

/** Where requirements stand, besides files of the root with that word in their names. */
const REQUIREMENT_FOLDERS = ["requirements", "tests", "test"];

const OTHER_MANIFESTS = ["package.json", "Cargo.toml", "go.mod", "composer.json", "Gemfile"];

/** Detects a Python project. */
export function detectPython(manifests: Manifests): DetectedEcosystem | undefined {
  const own = ["pyproject.toml", "setup.py", "setup.cfg", "Pipfile", "manage.py"];
  const isProject = manifests.has(...own);
  const isOther = requirementFiles(manifests).length > 0 || manifests.has("tox.ini", "noxfile.py");
  if (!isProject && !isOther && !isBarePython(manifests)) return undefined;
  const project = new PythonProject(manifests);
  const frameworks = frameworksAmong(project.dependencies.keys(), PYTHON_FRAMEWORKS);
  const checks = project.checks();
  const lockEvidence = manifests.has("uv.lock", "poetry.lock", "pdm.lock", "Pipfile.lock") ? 3 : 0;
  return {
    type: "Python",
    language: "",
    packageManager: project.packageManager,
    frameworks,
    isMonorepo: project.pyproject?.has("tool", "uv", "workspace") ?? false,
    checks,
    evidence: (isProject ? 10 : 6) + lockEvidence + frameworks.length + checks.length,
  };
}

/** Whether a folder without a manifest holds tests in Python that say what they are. */
function isBarePython(manifests: Manifests): boolean {
  if (manifests.has(...OTHER_MANIFESTS)) return false;
  const isInRoot = manifests.endingIn(".py").length > 0;
  const folders = ["tests", "test"].filter((folder) => manifests.has(folder));
  const isInFolder = folders.some((folder) =>
    manifests.reader.list(folder).some((name) => /^test_.*\.py$|_test\.py$/.test(name))
  );
  return (isInRoot || isInFolder) && lookAtPythonTests(manifests) !== undefined;
}

function requirementFiles(manifests: Manifests): string[] {
  const isOne = (name: string) => /requirements?.*\.(?:txt|in)$/.test(name);
  const below = REQUIREMENT_FOLDERS.flatMap((folder) =>
    manifests.reader.list(folder).filter((name) =>
      folder === "requirements" ? name.endsWith(".txt") : isOne(name)
    ).map((name) => `${folder}/${name}`)
  );
  return [...[...manifests.names].filter(isOne), ...below].sort();
}

class PythonProject {
  readonly pyproject: TomlManifest | undefined;
  /** Package names, normalised, with the place where each is named. */
  readonly dependencies: ReadonlyMap<string, string>;
  readonly packageManager: string;
  readonly #manifests: Manifests;

  constructor(manifests: Manifests) {
    this.#manifests = manifests;
    this.pyproject = manifests.toml("pyproject.toml");
    this.dependencies = collectDependencies(manifests, this.pyproject);
    this.packageManager = this.#findPackageManager();
  }

  #findPackageManager(): string {
    const manifests = this.#manifests;
    const configures = (tool: string) => this.pyproject?.has("tool", tool) ?? false;
    if (manifests.has("uv.lock") || configures("uv")) return "uv";
    if (manifests.has("poetry.lock") || configures("poetry")) return "poetry";
    if (manifests.has("pdm.lock") || configures("pdm")) return "pdm";
    if (manifests.has("Pipfile")) return "pipenv";
    return "pip";
  }

  /** A command that runs `module` of the project's environment. */
  #run(module: string): string {
    if (this.packageManager !== "pip") return `${this.packageManager} run ${module}`;
    const python = [".venv", "venv"].find((name) => this.#manifests.has(name));
    return `${python === undefined ? "python3" : `${python}/bin/python`} -m ${module}`;
  }

  #runPython(argument: string): string {
    if (this.packageManager !== "pip") return `${this.packageManager} run python ${argument}`;
    return this.#run("x").replace("-m x", argument);
  }

  /** Where a tool is configured or depended on; `undefined` when the project does not use it. */
  #placeOf(tool: string, files: readonly string[], sections: readonly string[] = []) {
    if (this.pyproject?.has("tool", tool)) return this.pyproject.place("tool", tool);
    const file = this.#manifests.first(...files);
    if (file !== undefined) return file;
    for (const name of ["setup.cfg", "tox.ini"]) {
      const text = this.#manifests.text(name) ?? "";
      const place = placeOfLine(
        name,
        text,
        (line) => sections.some((section) => line.trim() === `[${section}]`),
      );
      if (place !== name) return place;
    }
    return this.dependencies.get(tool);
  }

  checks(): DetectedCheck[] {
    const checks: DetectedCheck[] = [];
    const add = (name: CheckName, command: string, source: string | undefined) => {
      if (source === undefined || checks.some((check) => check.name === name)) return;
      checks.push({ name, command, source });
    };
    const ofMypy = this.#placeOf("mypy", ["mypy.ini", ".mypy.ini"], ["mypy"]);
    const hasFiles = ["files", "packages", "modules"].some((key) =>
      this.pyproject?.has("tool", "mypy", key)
    );
    add("typecheck", this.#run(hasFiles ? "mypy" : "mypy ."), ofMypy);
    add("typecheck", this.#run("pyright"), this.#placeOf("pyright", ["pyrightconfig.json"]));
    const ofRuff = this.#placeOf("ruff", ["ruff.toml", ".ruff.toml"]);
    add("lint", this.#run("ruff check ."), ofRuff);
    add("lint", this.#run("flake8"), this.#placeOf("flake8", [".flake8"], ["flake8"]));
    add("lint", this.#run("pylint --recursive=y ."), this.#placeOf("pylint", [".pylintrc"]));
    const test = this.#test();
    if (test !== undefined) checks.push(test);
    return checks;
  }

  /** The test check: what is configured, else what the tests look like, else tox or nox. */
  #test(): DetectedCheck | undefined {
    const check = (command: string, source: string): DetectedCheck => ({
      name: "test",
      command,
      source,
    });
    const ofPytest = this.#placeOf("pytest", ["pytest.ini", "conftest.py"], [
      "tool:pytest",
      "pytest",
    ]) ?? [...this.dependencies].find(([name]) => name.startsWith("pytest-"))?.[1];
    const hasManage = this.#manifests.has("manage.py");
    if (hasManage && !this.dependencies.has("pytest-django")) {
      return check(this.#runPython("manage.py test"), "manage.py");
    }
    if (ofPytest !== undefined) return check(this.#runTests("pytest"), ofPytest);
    const look = lookAtPythonTests(this.#manifests);
    const environments = pythonEnvironments(this.#manifests, this.pyproject);
    if (look?.runner === "pytest" || environments?.runsPytest === true && look !== undefined) {
      return { ...check(this.#runTests("pytest"), look.source), isGuess: true };
    }
    if (environments !== undefined) return check(environments.command, environments.source);
    // Beside another ecosystem the folder may hold that one's tests.
    if (look === undefined || this.#manifests.has(...OTHER_MANIFESTS)) return undefined;
    if (look.command === undefined) {
      const reason = "no single unittest discover finds all test files: name the command in " +
        "planning/config.toml, [ship.checks]";
      this.#manifests.leftOut.push({ source: look.source, what: "the test in it", reason });
      return undefined;
    }
    const module = this.packageManager === "pip" ? look.command : `python -m ${look.command}`;
    return { ...check(this.#runTests(module), look.source), isGuess: true };
  }

  /** A command for tests: where nothing is installed, packages in src/ are found there. */
  #runTests(module: string): string {
    const command = this.#run(
      this.packageManager === "uv" && this.pyproject?.has("tool", "uv", "workspace")
        ? `--all-packages ${module}`
        : module,
    );
    const { reader } = this.#manifests;
    const isInSrc = reader.folders("src").some((name) =>
      reader.list(`src/${name}`).includes("__init__.py")
    );
    return command.startsWith("python3 ") && isInSrc ? `PYTHONPATH=src ${command}` : command;
  }
}

function collectDependencies(
  manifests: Manifests,
  pyproject: TomlManifest | undefined,
): Map<string, string> {
  const found = new Map<string, string>();
  const add = (requirement: string, place: string) => {
    const name = /^\s*([A-Za-z0-9][A-Za-z0-9._-]*)/.exec(requirement)?.[1];
    if (name === undefined) return;
    const normalised = name.toLowerCase().replaceAll(/[._-]+/g, "-");
    if (!found.has(normalised)) found.set(normalised, place);
  };
  const addTexts = (texts: readonly string[]) => {
    for (const text of texts) add(text, pyproject?.placeOfText(text) ?? "pyproject.toml");
  };
  addTexts(pyproject?.texts("project", "dependencies") ?? []);
  for (const table of [["project", "optional-dependencies"], ["dependency-groups"]]) {
    for (const group of Object.keys(pyproject?.table(...table) ?? {})) {
      addTexts(pyproject?.texts(...table, group) ?? []);
    }
  }
  addTexts(pyproject?.texts("tool", "uv", "dev-dependencies") ?? []);
  addTexts(Object.keys(pyproject?.table("tool", "poetry", "dependencies") ?? {}));
  addTexts(Object.keys(pyproject?.table("tool", "poetry", "dev-dependencies") ?? {}));
  for (const group of Object.values(pyproject?.table("tool", "poetry", "group") ?? {})) {
    const dependencies = isTable(group) ? group["dependencies"] : undefined;
    if (isTable(dependencies)) addTexts(Object.keys(dependencies));
  }
  const pipfile = manifests.toml("Pipfile");
  for (const table of ["packages", "dev-packages"]) {
    for (const name of Object.keys(pipfile?.table(table) ?? {})) {
      add(name, pipfile?.placeOfText(name) ?? "Pipfile");
    }
  }
  for (const path of requirementFiles(manifests)) {
    (manifests.text(path) ?? "").split("\n").forEach((line, at) => {
      if (!line.trim().startsWith("-")) add(line, `${path}:${at + 1}`);
    });
  }
  return found;
}
