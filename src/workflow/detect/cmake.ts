/**
 * C and C++ projects built by CMake.
 * Rule: ctest is a check only where the file defines tests.
 */
import type { DetectedCheck, DetectedEcosystem } from "./detected.ts";
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
