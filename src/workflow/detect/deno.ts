/**
 * Deno projects: deno.json or deno.jsonc.
 * Rule: tasks are the checks; `deno test` stands in where there are tests and no task for them.
 */
import type { DetectedCheck, DetectedEcosystem } from "./detected.ts";
import { frameworksAmong, JAVASCRIPT_FRAMEWORKS } from "./frameworks.ts";
import type { JsonManifest, Manifests } from "./manifests.ts";
import { isTestFileOf, TestLook } from "./look.ts";
import { checksAmongScripts } from "./scripts.ts";

/** Detects a Deno project. */
export function detectDeno(manifests: Manifests): DetectedEcosystem | undefined {
  const path = manifests.first("deno.json", "deno.jsonc");
  if (path === undefined) return undefined;
  const manifest = manifests.json(path);
  const frameworks = manifest === undefined
    ? []
    : frameworksAmong(importedPackages(manifest), JAVASCRIPT_FRAMEWORKS);
  const checks = denoChecks(manifests, path, manifest);
  const lockEvidence = manifests.has("deno.lock") ? 3 : 0;
  return {
    type: "Deno",
    language: "TypeScript",
    packageManager: "deno",
    frameworks,
    isMonorepo: manifest?.has("workspace") ?? false,
    checks,
    evidence: 12 + lockEvidence + frameworks.length + checks.length,
  };
}

function denoChecks(
  manifests: Manifests,
  path: string,
  manifest: JsonManifest | undefined,
): DetectedCheck[] {
  const tasks = new Map<string, string>();
  for (const task of manifest?.keys("tasks") ?? []) {
    const command = manifest?.text("tasks", task) ?? manifest?.text("tasks", task, "command");
    // A task of dependencies alone has no command of its own; what it runs is not known here.
    tasks.set(task, command ?? "deno task");
  }
  const found = checksAmongScripts(tasks);
  const placeOf = (task: string) => manifest?.place("tasks", task) ?? path;
  const checks: DetectedCheck[] = found.checks.map(({ name, script }) => ({
    name,
    command: `deno task ${script}`,
    source: placeOf(script),
  }));
  for (const { script, reason } of found.leftOut) {
    manifests.leftOut.push({ source: placeOf(script), what: `the task \`${script}\``, reason });
  }
  const lacks = (name: string) => !checks.some((check) => check.name === name);
  if (lacks("lint") && manifest?.has("lint")) {
    checks.push({ name: "lint", command: "deno lint", source: manifest.place("lint") });
  }
  if (!lacks("test")) return checks;
  if (manifest?.has("test")) {
    checks.push({ name: "test", command: "deno test -A", source: manifest.place("test") });
    return checks;
  }
  if (manifests.has("package.json")) return checks;
  const tests = new TestLook(manifests).first(isTestFileOf("Deno"));
  if (tests !== undefined) checks.push({ name: "test", command: "deno test -A", source: tests });
  return checks;
}

/** The names that are imported, and the packages behind them: `npm:react@19` is `react`. */
function importedPackages(manifest: JsonManifest): string[] {
  return manifest.keys("imports").flatMap((name) => {
    const target = manifest.text("imports", name) ?? "";
    const match = /^(?:npm|jsr):\/?((?:@[^/]+\/)?[^@/]+)/.exec(target);
    return match?.[1] === undefined ? [name] : [name, match[1]];
  });
}
