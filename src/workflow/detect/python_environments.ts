/**
 * tox and nox, with the interpreter and the packages that are there.
 * Rule: one environment, the current interpreter's; never all that a release is tested in.
 */
import { type Manifests, placeOfLine, type TomlManifest } from "./manifests.ts";

/** How tests run in an environment of tox or nox. */
export interface PythonEnvironments {
  command: string;
  source: string;
  /** Whether pytest is what runs in it: it can run without the environment, too. */
  runsPytest: boolean;
}

/** What tox.ini, setup.cfg, pyproject.toml or noxfile.py say; tox goes before nox. */
export function pythonEnvironments(
  manifests: Manifests,
  pyproject: TomlManifest | undefined,
): PythonEnvironments | undefined {
  return ofTox(manifests, pyproject) ?? ofNox(manifests);
}

function ofTox(
  manifests: Manifests,
  pyproject: TomlManifest | undefined,
): PythonEnvironments | undefined {
  const setup = placeOfLine(
    "setup.cfg",
    manifests.text("setup.cfg") ?? "",
    (line) => line.startsWith("[tox:tox]"),
  );
  const ini = manifests.text("tox.ini") ??
    (setup === "setup.cfg"
      ? pyproject?.value("tool", "tox", "legacy_tox_ini")
      : manifests.text("setup.cfg"));
  const source = manifests.has("tox.ini")
    ? "tox.ini"
    : setup !== "setup.cfg"
    ? setup
    : pyproject?.has("tool", "tox")
    ? pyproject.place("tool", "tox")
    : manifests.first("tox.toml");
  if (source === undefined) return undefined;
  const text = typeof ini === "string" ? ini : "";
  const names = text === ""
    ? [
      ...pyproject?.texts("tool", "tox", "env_list") ?? [],
      ...(manifests.has("tox.toml") ? manifests.toml("tox.toml")?.texts("env_list") ?? [] : []),
    ]
    : environmentsOf(text);
  const all = text + JSON.stringify(pyproject?.table("tool", "tox") ?? {}) +
    (manifests.text("tox.toml") ?? "");
  return {
    command: `tox -e ${currentEnvironment(names)}`,
    source,
    runsPytest: /\b(?:pytest|py\.test)\b/.test(all),
  };
}

/** The environments of an INI's `envlist`, braces expanded. */
function environmentsOf(text: string): string[] {
  const list = /^env_?list\s*=[ \t]*((?:.*(?:\r?\n[ \t]+|$))*.*)$/m.exec(text)?.[1] ?? "";
  const plain = list.replaceAll(/\s*#.*$/gm, "");
  return (plain.match(/(?:[^\s,{}]|\{[^}]*\})+/g) ?? []).flatMap(expanded);
}

/** `py{310,311}-x` as `py310-x`, `py311-x`. */
function expanded(name: string): string[] {
  const braces = /^(.*?)\{([^}]*)\}(.*)$/.exec(name);
  if (braces === null) return [name];
  const [, before = "", choices = "", after = ""] = braces;
  return choices.split(",").flatMap((choice) => expanded(`${before}${choice.trim()}${after}`));
}

/** The environment to run: of those for some Python the first, for the current one; else the one named after tests. */
function currentEnvironment(names: readonly string[]): string {
  const versioned = /^(?:py(?:thon)?(?:3[\d.]*)?)(?=-|$)/;
  const found = names.find((name) => versioned.test(name) && !/lint|doc|type|mypy/.test(name));
  if (found !== undefined) return found.replace(versioned, "py");
  return names.find((name) => /^(?:tests?|unit|pytest|check)/.test(name)) ?? "py";
}

function ofNox(manifests: Manifests): PythonEnvironments | undefined {
  const text = manifests.text("noxfile.py");
  if (text === undefined) return undefined;
  const sessions = [
    ...text.matchAll(/^@(?:nox\.)?session\b(?:(?!^def )[\s\S])*?^(?:async )?def (\w+)/gm),
  ].map(([decorator, name = ""]) => /\bname\s*=\s*["']([^"']+)["']/.exec(decorator)?.[1] ?? name);
  const isTest = (name: string) =>
    /^(?:tests?|unit|pytest|run_tests|test[_-].*|unit.*)$/.test(name);
  const session = sessions.find((name) => name === "tests" || name === "test") ??
    sessions.find(isTest);
  if (session === undefined) {
    const reason = sessions.length === 0
      ? "no session is defined in it by name"
      : `none of its sessions is named after tests (${sessions.join(", ")})`;
    manifests.leftOut.push({ source: "noxfile.py", what: "nox", reason });
    return undefined;
  }
  return {
    command: `nox --no-venv --no-install -s ${session}`,
    source: placeOfLine("noxfile.py", text, (line) => line.startsWith(`def ${session}(`)),
    runsPytest: /\bpytest\b/.test(text),
  };
}
