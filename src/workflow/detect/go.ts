/**
 * Go projects: go.mod, or go.work over several modules.
 * Rule: the go command brings build, test and vet; golangci-lint takes vet's place where it is configured.
 */
import type { DetectedCheck, DetectedEcosystem } from "./detected.ts";
import { frameworksAmong, GO_FRAMEWORKS } from "./frameworks.ts";
import { type Manifests, placeOfLine, shellWord } from "./manifests.ts";

/** Detects a Go module or workspace. */
export function detectGo(manifests: Manifests): DetectedEcosystem | undefined {
  const path = manifests.first("go.work", "go.mod");
  if (path === undefined) return undefined;
  const text = manifests.text(path) ?? "";
  const isMonorepo = path === "go.work";
  const modules = isMonorepo ? directives(text, "use") : ["."];
  const packages = modules.map((module) => shellWord(`${relative(module)}/...`)).join(" ");
  const modFiles = modules.map((module) => `${relative(module)}/go.mod`.replace(/^\.\//, ""));
  const required = modFiles.flatMap((file) => directives(manifests.text(file) ?? "", "require"));
  const frameworks = frameworksAmong(required, GO_FRAMEWORKS);
  const source = placeOfLine(path, text, (line) => /^(?:module|use)\b/.test(line));
  const linter = manifests.first(
    ".golangci.yml",
    ".golangci.yaml",
    ".golangci.toml",
    ".golangci.json",
  );
  const checks: DetectedCheck[] = packages === "" ? [] : [
    { name: "build", command: `go build ${packages}`, source },
    linter === undefined
      ? { name: "lint", command: `go vet ${packages}`, source }
      : { name: "lint", command: `golangci-lint run ${packages}`, source: linter },
    { name: "test", command: `go test ${packages}`, source },
  ];
  return {
    type: "Go",
    language: "",
    packageManager: "go",
    frameworks,
    isMonorepo,
    checks,
    evidence: 10 + (manifests.has("go.sum", "go.work.sum") ? 3 : 0) + frameworks.length +
      checks.length,
  };
}

function relative(module: string): string {
  const path = module.replace(/\/+$/, "");
  return path === "." || path.startsWith("./") || path.startsWith("../") ? path : `./${path}`;
}

/** The first arguments of a directive, alone (`use ./a`) or in a block (`use ( … )`). */
function directives(text: string, keyword: string): string[] {
  const found: string[] = [];
  let isInBlock = false;
  for (const line of text.split(/\r?\n/)) {
    const words = (line.split("//")[0] ?? "").trim().split(/\s+/);
    if (isInBlock && words[0] === ")") isInBlock = false;
    else if (isInBlock && words[0]) found.push(unquoted(words[0]));
    else if (words[0] === keyword && words[1] === "(") isInBlock = true;
    else if (words[0] === keyword && words[1] !== undefined) found.push(unquoted(words[1]));
  }
  return found;
}

function unquoted(word: string): string {
  return word.replace(/^["`](.*)["`]$/, "$1");
}
