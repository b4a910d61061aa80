/**
 * C and C++ projects built by CMake, and Makefiles of any project.
 * Rule: a target is a check only when the file really defines it.
 */
import type { CheckName, DetectedCheck, DetectedEcosystem } from "./detected.ts";
import { type Manifests, placeOfLine } from "./manifests.ts";

/** Detects a CMake project. */
export function detectCmake(manifests: Manifests): DetectedEcosystem | undefined {
  if (!manifests.has("CMakeLists.txt")) return undefined;
  const text = manifests.text("CMakeLists.txt") ?? "";
  const at = (pattern: RegExp) =>
    placeOfLine("CMakeLists.txt", text, (line) => pattern.test(line.replace(/#.*/, "")));
  const build = "cmake -S . -B build && cmake --build build";
  const checks: DetectedCheck[] = [
    { name: "build", command: build, source: at(/\bproject\s*\(/i) },
  ];
  const test = at(
    /\b(?:enable_testing|add_test|gtest_discover_tests|catch_discover_tests)\s*\(|include\s*\(\s*CTest/i,
  );
  if (test !== "CMakeLists.txt") {
    const command = `${build} && ctest --test-dir build --output-on-failure`;
    checks.push({ name: "test", command, source: test });
  }
  return {
    type: "C/C++",
    language: "",
    packageManager: manifests.has("vcpkg.json")
      ? "vcpkg"
      : manifests.has("conanfile.txt", "conanfile.py")
      ? "conan"
      : "",
    frameworks: /find_package\s*\(\s*Qt[56]/.test(text) ? ["Qt"] : [],
    isMonorepo: false,
    checks,
    evidence: 10 + checks.length,
  };
}

/** Targets by the check they are, the preferred first. */
const TARGETS: readonly (readonly [CheckName, ...string[]])[] = [
  ["build", "build", "all"],
  ["typecheck", "typecheck", "type-check", "types"],
  ["lint", "lint"],
  ["test", "test", "tests", "check"],
];

/** Detects a Makefile. Beside another ecosystem it only adds what that one lacks. */
export function detectMake(manifests: Manifests): DetectedEcosystem | undefined {
  const path = manifests.first("GNUmakefile", "makefile", "Makefile");
  if (path === undefined) return undefined;
  const targets = targetsOf(manifests.text(path) ?? "");
  const checks = TARGETS.flatMap(([name, ...candidates]): DetectedCheck[] => {
    const target = candidates.find((candidate) => targets.has(candidate));
    if (target === undefined) return [];
    return [{ name, command: `make ${target}`, source: `${path}:${targets.get(target)}` }];
  });
  const isC = manifests.endingIn(".c", ".cc", ".cpp", ".h", ".hpp").length > 0;
  return {
    type: isC ? "C/C++" : "Make",
    language: "",
    packageManager: "",
    frameworks: [],
    isMonorepo: false,
    checks,
    evidence: (isC ? 8 : 1),
  };
}

/** The targets that a Makefile defines by name, with their lines. */
function targetsOf(text: string): Map<string, number> {
  const targets = new Map<string, number>();
  text.split(/\r?\n/).forEach((line, at) => {
    const rule = /^([A-Za-z0-9_./ -]+?)\s*::?(?!=)/.exec(line);
    for (const target of rule?.[1]?.split(/\s+/) ?? []) {
      if (!targets.has(target)) targets.set(target, at + 1);
    }
  });
  return targets;
}
