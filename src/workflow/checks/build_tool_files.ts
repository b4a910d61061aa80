/**
 * The files and sections that say how build tools, package managers and interpreters run what a check starts.
 * Rule: a row a tool, as in definition_tools.ts; what a session adds for its own sake (a dependency, a new name) is no
 * change of a check, what leads a known name elsewhere is.
 */
import type { ToolFiles } from "./definition_tools.ts";
import { SHADOWING } from "./shadowing_modules.ts";

const NONE = /^$/;
const PACKAGE = /^package\.json$/;
const PYPROJECT = /^pyproject\.toml$/;
const DENO = /^deno\.jsonc?$/;
const TSCONFIG = /^tsconfig\b.*\.json$/;
const CARGO = /^Cargo\.toml$/;

export const BUILD_TOOLS: readonly ToolFiles[] = [
  {
    command: /^(?:npm|npx|pnpm|pnpx|yarn|bun|bunx|node)\b/,
    files: /^\.npmrc$|^\.yarnrc(?:\.yml)?$|^\.?pnpmfile\.c?js$|^node\.config\.json$/,
    sections: [
      ...["overrides", "resolutions", "pnpm", "config"].map((key) => [PACKAGE, key] as const),
    ],
    leads: ["dependencies", "devDependencies", "imports"].map((key) => [PACKAGE, key] as const),
    lines: [[
      /^pnpm-workspace\.yaml$/,
      /^(?:scriptShell|shellEmulator|nodeOptions|overrides|patchedDependencies|[\w-]*[pP]npmfile)\b.*(?:\n[ \t]+.*)*/gm,
      "its settings",
    ]],
    isInherited: true,
  },
  {
    command: /^(?:tsx|ts-node|bun|jest|vitest|mocha|ava)\b/,
    files: NONE,
    sections: [[TSCONFIG, "compilerOptions", "baseUrl"]],
    leads: [[TSCONFIG, "compilerOptions", "paths"]],
  },
  { command: /\bdotenv\b|--env-file(?:\s|$)/, files: /^\.env(?:\.\w+)*$/, sections: [] },
  {
    command: /^deno\b/,
    files: NONE,
    sections: [
      ...["test", "lint", "fmt", "compilerOptions", "exclude", "importMap", "links", "patch"],
      ...["unstable", "nodeModulesDir"],
    ].map((key) => [DENO, key] as const),
    leads: ["imports", "scopes"].flatMap((key) =>
      [DENO, /^import[_-]?map\.json$/].map((file) => [file, key] as const)
    ),
    isInherited: true,
  },
  {
    command: /\b(?:python[\d.]*|pytest|py\.test|unittest|tox|nox|coverage|trial|nose2)\b/,
    files: NONE,
    paths: SHADOWING,
    sections: [],
    isInherited: true,
  },
  {
    command: /^(?:uvx?|poetry|pdm|hatch|poe|pipenv)\b/,
    files: /^(?:uv|hatch)\.toml$/,
    sections: [
      ...[["uv", "sources"], ["uv", "env-file"], ["pdm", "scripts"], ["poe"], ["hatch", "envs"]]
        .map((keys) => [PYPROJECT, "tool", ...keys] as const),
      [/^Pipfile$/, "scripts"],
    ],
    isInherited: true,
  },
  {
    command: /^cargo\b/,
    files: /^(?:nextest|\.?clippy)\.toml$|^rust-toolchain(?:\.toml)?$|^build\.rs$/,
    paths: /^\.cargo\/config(?:\.toml)?$|^\.config\/nextest\.toml$/,
    sections: [
      ...["lib", "bin", "test", "profile", "lints", "workspace", "patch", "replace"].map((key) =>
        [CARGO, key] as const
      ),
      ...["autotests", "build", "default-run"].map((key) => [CARGO, "package", key] as const),
      [CARGO, "features", "default"],
    ],
    isAnywhere: true,
    isInherited: true,
  },
  {
    command: /^go\b/,
    files: /^go\.work$/,
    sections: [],
    lines: [[
      /^go\.mod$/,
      /^(?:replace|exclude|toolchain|tool)\b(?:[ \t]*\([^)]*\)|.*)/gm,
      "the replacements",
    ]],
    isInherited: true,
  },
  { command: /^golangci-lint\b/, files: /^\.golangci\..*/, sections: [] },
  {
    command: /^(?:\.\/)?gradlew?\b/,
    files: /\.gradle(?:\.kts)?$|^gradle\.properties$/,
    paths: /^gradle\/wrapper\/|^buildSrc\//,
    sections: [],
    isAnywhere: true,
    isInherited: true,
  },
  {
    command: /^(?:\.\/)?mvnw?\b/,
    files: /^pom\.xml$/,
    paths: /^\.mvn\//,
    sections: [],
    isAnywhere: true,
    isInherited: true,
  },
  {
    command: /^dotnet\b/,
    files:
      /\.(?:cs|fs|vb)proj$|\.runsettings$|^Directory\.\w+\.\w+$|^global\.json$|^nuget\.config$|^xunit\.runner\.json$/i,
    sections: [],
    isAnywhere: true,
    isInherited: true,
  },
  {
    command: /^sbt\b/,
    files: /^build\.sbt$|^\.(?:sbt|jvm)opts$/,
    paths: /^project\//,
    sections: [],
  },
  {
    command: /^(?:lein|clojure|clj|bb)\b/,
    files: /^(?:project\.clj|(?:deps|tests|bb)\.edn)$/,
    sections: [],
  },
  {
    command: /^(?:cabal|stack)\b/,
    files: /\.cabal$|^cabal\.project\b.*|^stack\.yaml$|^package\.yaml$/,
    sections: [],
  },
  {
    command: /^(?:cmake|ctest)\b/,
    files: /^CMakeLists\.txt$|^CMake(?:User)?Presets\.json$|^CTest(?:Custom|Config)?\.cmake$/,
    sections: [],
    isAnywhere: true,
  },
  {
    command: /^meson\b/,
    files: /^meson(?:\.build|_options\.txt|\.options)$/,
    sections: [],
    isAnywhere: true,
  },
  {
    command: /^mix\b/,
    files: /^mix\.exs$|^test_helper\.exs$|^\.formatter\.exs$/,
    paths: /^config\/[^/]+\.exs$/,
    sections: [],
    isAnywhere: true,
  },
  { command: /^swift\b/, files: /^Package(?:@.*)?\.swift$/, sections: [] },
  { command: /^zig\b/, files: /^build\.zig(?:\.zon)?$/, sections: [] },
  {
    command: /^(?:dart|flutter)\b/,
    files: /^dart_test\.yaml$|^analysis_options\.yaml$|^pubspec_overrides\.yaml$|^build\.yaml$/,
    sections: [],
  },
  {
    command: /^(?:bundle|rake|rspec|ruby|rails)\b/,
    files: NONE,
    paths: /^\.bundle\/config$/,
    sections: [],
    lines: [[/^Gemfile$/, /^.*\bpath:?\b.*$/gm, "gems that are folders"]],
  },
  { command: /\bprove\b/, files: /^\.proverc$/, sections: [] },
  {
    command: /^(?:composer|php|phpunit|pest)\b/,
    files: NONE,
    sections: [[/^composer\.json$/, "repositories"]],
  },
  { command: /^task\b/, files: /^[Tt]askfile(?:\.dist)?\.ya?ml$/, sections: [], isAnywhere: true },
  {
    command: /^(?:mise|rtx)\b/,
    files: /^\.?mise(?:\..+)?\.toml$/,
    sections: [],
    isInherited: true,
  },
  {
    command: /^(?:docker|podman)\b/,
    files:
      /^(?:docker-)?compose(?:\..+)?\.ya?ml$|^(?:Docker|Container)file(?:\..+)?$|^\.dockerignore$/,
    sections: [],
  },
  {
    command: /^bazel(?:isk)?\b/,
    files: /^(?:MODULE\.bazel|WORKSPACE(?:\.bazel)?|\.bazelrc|\.bazelversion)$/,
    sections: [],
  },
];
