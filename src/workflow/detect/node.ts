/**
 * Node projects: package.json, with npm, pnpm, yarn or bun.
 * Rule: a check is a script; the `packageManager` field decides before the lock file does.
 */
import type { DetectedCheck, DetectedEcosystem } from "./detected.ts";
import { frameworksAmong, JAVASCRIPT_FRAMEWORKS } from "./frameworks.ts";
import type { JsonManifest, Manifests } from "./manifests.ts";
import { checksAmongScripts, needsCi } from "./scripts.ts";

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
  const checks = manifest === undefined
    ? []
    : [...scriptChecks(manifest, packageManager), ...turboChecks(manifests, manifest)];
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
    checks: firstOfEach(checks),
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

function scriptChecks(manifest: JsonManifest, packageManager: string): DetectedCheck[] {
  const scripts = new Map<string, string>();
  for (const script of manifest.keys("scripts")) {
    scripts.set(script, manifest.text("scripts", script) ?? "");
  }
  return checksAmongScripts(scripts).map(({ name, script }) => {
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
