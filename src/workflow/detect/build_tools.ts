/**
 * Ecosystems whose one build tool brings all checks.
 * Rule: a row each; a check stands here only when the tool runs it in any project of its kind.
 */
import type { CheckName, DetectedEcosystem } from "./detected.ts";
import type { Manifests } from "./manifests.ts";

interface BuildTool {
  type: string;
  packageManager: string;
  manifest: RegExp;
  /** Check, command, and what must be there for it: a file or folder, or words in the manifest. */
  checks: readonly (readonly [CheckName, string, (string | RegExp)?])[];
}

const BUILD_TOOLS: readonly BuildTool[] = [
  {
    type: "Elixir",
    packageManager: "mix",
    manifest: /^mix\.exs$/,
    checks: [
      ["build", "mix compile"],
      ["lint", "mix credo", /:credo\b/],
      ["lint", "mix format --check-formatted", ".formatter.exs"],
      ["test", "mix test", "test"],
    ],
  },
  {
    type: "Swift",
    packageManager: "swift",
    manifest: /^Package\.swift$/,
    checks: [["build", "swift build"], ["test", "swift test", /\.testTarget\b/]],
  },
  {
    type: "Dart",
    packageManager: "pub",
    manifest: /^pubspec\.yaml$/,
    checks: [
      ["lint", "flutter analyze", /^ {2}flutter:/m],
      ["lint", "dart analyze"],
      ["test", "flutter test", /^ {2}flutter_test:/m],
      ["test", "dart test", "test"],
    ],
  },
  {
    type: "Zig",
    packageManager: "zig",
    manifest: /^build\.zig$/,
    checks: [["build", "zig build"], ["test", "zig build test", /step\(\s*"test"/]],
  },
  {
    type: "Scala",
    packageManager: "sbt",
    manifest: /^build\.sbt$/,
    checks: [["build", "sbt compile"], ["test", "sbt test"]],
  },
  {
    type: "Clojure",
    packageManager: "lein",
    manifest: /^project\.clj$/,
    checks: [["test", "lein test", "test"]],
  },
  {
    type: "Haskell",
    packageManager: "stack",
    manifest: /^stack\.yaml$/,
    checks: [["build", "stack build"], ["test", "stack test"]],
  },
  {
    type: "Haskell",
    packageManager: "cabal",
    manifest: /\.cabal$|^cabal\.project$/,
    checks: [["build", "cabal build all"], ["test", "cabal test all"]],
  },
  {
    type: "C/C++",
    packageManager: "meson",
    manifest: /^meson\.build$/,
    checks: [
      ["build", "{ test -d build || meson setup build; } && meson compile -C build"],
      ["test", "{ test -d build || meson setup build; } && meson test -C build", /\btest\s*\(/],
    ],
  },
  {
    type: "Perl",
    packageManager: "cpan",
    manifest: /^(?:Makefile\.PL|Build\.PL|cpanfile|dist\.ini)$/,
    checks: [["test", "prove -lr t", "t"]],
  },
];

/** Detects the ecosystems of the table. */
export function detectBuildTools(manifests: Manifests): DetectedEcosystem[] {
  const found: DetectedEcosystem[] = [];
  for (const { type, packageManager, manifest, checks } of BUILD_TOOLS) {
    const path = [...manifests.names].sort().find((name) => manifest.test(name));
    if (path === undefined || found.some((other) => other.type === type)) continue;
    const text = manifests.text(path) ?? "";
    const isThere = (need: string | RegExp | undefined) =>
      need === undefined || (typeof need === "string" ? manifests.has(need) : need.test(text));
    const usable = checks.filter(([, , need]) => isThere(need))
      .filter(([name], at, all) => all.findIndex(([other]) => other === name) === at);
    found.push({
      type,
      language: "",
      packageManager,
      frameworks: [],
      isMonorepo: false,
      checks: usable.map(([name, command]) => ({ name, command, source: path })),
      evidence: 10 + usable.length,
    });
  }
  return found;
}
