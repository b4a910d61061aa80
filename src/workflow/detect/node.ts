/**
 * Node projects: package.json, with npm, pnpm, yarn or bun.
 * Rule: a check is a script; the `packageManager` field decides before the lock file does.
 */
import type { CheckName, DetectedCheck, DetectedEcosystem } from "./detected.ts";
import { frameworksAmong, JAVASCRIPT_FRAMEWORKS } from "./frameworks.ts";
import { isTestFileOf, TestLook } from "./look.ts";
import type { JsonManifest, Manifests } from "./manifests.ts";
import { needsCi } from "./no_check.ts";
import { workspaceChecks } from "./node_workspaces.ts";
import { checksAmongScripts } from "./scripts.ts";

const LOCK_FILES = [
  ["pnpm", "pnpm-lock.yaml", "pnpm-workspace.yaml"],
  ["yarn", "yarn.lock"],
  ["bun", "bun.lock", "bun.lockb"],
  ["npm", "package-lock.json", "npm-shrinkwrap.json"],
] as const;

const DEPENDENCY_KEYS = [
  "dependencies",
  "devDependencies",
  "peerDependencies",
  "optionalDependencies",
];

/** Detects a Node project. */
export function detectNode(manifests: Manifests): DetectedEcosystem | undefined {
  if (!manifests.has("package.json")) return undefined;
  const manifest = manifests.json("package.json");
  const packageManager = findPackageManager(manifests, manifest);
  const dependencies = DEPENDENCY_KEYS.flatMap((key) => manifest?.keys(key) ?? []);
  const frameworks = frameworksAmong(dependencies, JAVASCRIPT_FRAMEWORKS);
  const isTypeScript = dependencies.includes("typescript") || manifests.has("tsconfig.json");
  const checks = manifest === undefined ? [] : nodeChecks(manifests, manifest, packageManager);
  // A package.json with development tools alone often serves a project in another language.
  const isProduct = manifest === undefined || manifest.keys("dependencies").length > 0 ||
    ["main", "module", "exports", "bin", "workspaces"].some((key) => manifest.has(key)) ||
    isTypeScript;
  const lockEvidence = LOCK_FILES.some(([, ...files]) => manifests.has(...files)) ? 3 : 0;
  return {
    type: "Node",
    language: isTypeScript ? "TypeScript" : "",
    packageManager,
    frameworks,
    isMonorepo: (manifest?.has("workspaces") ?? false) ||
      manifests.has("pnpm-workspace.yaml", "turbo.json", "nx.json", "lerna.json"),
    checks,
    evidence: (isProduct ? 10 : 4) + lockEvidence + frameworks.length + checks.length,
  };
}

function findPackageManager(manifests: Manifests, manifest: JsonManifest | undefined): string {
  const field = manifest?.text("packageManager")?.split("@")[0] ??
    manifest?.text("devEngines", "packageManager", "name");
  const known = LOCK_FILES.find(([name]) => name === field);
  if (known !== undefined) return known[0];
  return LOCK_FILES.find(([, ...files]) => manifests.has(...files))?.[0] ?? "npm";
}

/** Scripts first, then what runs over all packages, then a test runner that the project depends on. */
function nodeChecks(
  manifests: Manifests,
  manifest: JsonManifest,
  packageManager: string,
): DetectedCheck[] {
  const checks = firstOfEach([
    ...scriptChecks(manifests, manifest, packageManager),
    ...turboChecks(manifests, manifest),
  ]);
  const has = (name: CheckName) => checks.some((check) => check.name === name);
  checks.push(...workspaceChecks(manifests, packageManager, has));
  if (!has("test")) checks.push(...runnerCheck(manifests, manifest, packageManager));
  return checks;
}

/** Runners by their package, and what runs them once. */
const RUNNERS: readonly (readonly [packageName: string, command: string])[] = [
  ["vitest", "vitest run"],
  ["jest", "jest"],
  ["mocha", "mocha"],
  ["ava", "ava"],
  ["jasmine", "jasmine"],
];

/** How a package's program is run, without fetching one that is not there. */
const EXECUTE: Readonly<Record<string, string>> = {
  npm: "npx --no-install",
  pnpm: "pnpm exec",
  yarn: "yarn run",
  bun: "bun run",
};

/** The test runner that the project depends on, where no script starts it but test files are there. */
function runnerCheck(
  manifests: Manifests,
  manifest: JsonManifest,
  packageManager: string,
): DetectedCheck[] {
  for (const [name, command] of RUNNERS) {
    const key = DEPENDENCY_KEYS.find((group) => manifest.has(group, name));
    if (key === undefined) continue;
    if (new TestLook(manifests).first(isTestFileOf("Node")) === undefined) return [];
    return [{
      name: "test",
      command: `${EXECUTE[packageManager]} ${command}`,
      source: manifest.place(key, name),
      isGuess: true,
    }];
  }
  const tests = new TestLook(manifests).first((path) =>
    /\.[cm]?js$/.test(path) && isTestFileOf("Node")(path) &&
    /["']node:test["']/.test(manifests.text(path) ?? "")
  );
  if (tests === undefined) return [];
  return [{ name: "test", command: "node --test", source: tests, isGuess: true }];
}

function scriptChecks(
  manifests: Manifests,
  manifest: JsonManifest,
  packageManager: string,
): DetectedCheck[] {
  const scripts = new Map<string, string>();
  for (const script of manifest.keys("scripts")) {
    scripts.set(script, manifest.text("scripts", script) ?? "");
  }
  const found = checksAmongScripts(scripts);
  for (const { script, reason } of found.leftOut) {
    const source = manifest.place("scripts", script);
    manifests.leftOut.push({ source, what: `the script \`${script}\``, reason });
  }
  return found.checks.map(({ name, script }) => {
    const text = scripts.get(script) ?? "";
    const run = packageManager === "npm" && script === "test"
      ? "npm test"
      : `${packageManager} run ${script}`;
    const separator = packageManager === "npm" ? " --" : "";
    const once = /\bng test\b/.test(text) && !text.includes("--watch")
      ? `${run}${separator} --watch=false`
      : run;
    return {
      name,
      command: needsCi(text) ? `CI=true ${once}` : once,
      source: manifest.place("scripts", script),
    };
  });
}

/** Tasks that turbo or nx run over all packages, where the root has no script for them. */
function turboChecks(manifests: Manifests, manifest: JsonManifest): DetectedCheck[] {
  const names = ["build", "typecheck", "lint", "test"] as const;
  const uses = (tool: string) => DEPENDENCY_KEYS.some((key) => manifest.has(key, tool));
  const turbo = uses("turbo") ? manifests.json("turbo.json") : undefined;
  const nx = uses("nx") ? manifests.json("nx.json") : undefined;
  return names.flatMap((name): DetectedCheck[] => {
    const key = turbo?.has("tasks") ? "tasks" : "pipeline";
    if (turbo?.has(key, name)) {
      const command = `npx --no-install turbo run ${name}`;
      return [{ name, command, source: turbo.place(key, name) }];
    }
    if (!nx?.has("targetDefaults", name)) return [];
    const command = `npx --no-install nx run-many -t ${name}`;
    return [{ name, command, source: nx.place("targetDefaults", name) }];
  });
}

function firstOfEach(checks: readonly DetectedCheck[]): DetectedCheck[] {
  return checks.filter((check, at) =>
    checks.findIndex((other) => other.name === check.name) === at
  );
}
