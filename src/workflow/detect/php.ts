/**
 * PHP projects: composer.json.
 * Rule: composer's scripts first; a tool without a script is used when it is required or configured.
 */
import type { CheckName, DetectedCheck, DetectedEcosystem } from "./detected.ts";
import { frameworksAmong, PHP_FRAMEWORKS } from "./frameworks.ts";
import type { JsonManifest, Manifests } from "./manifests.ts";
import { checksAmongScripts } from "./scripts.ts";

/** Tools: what they check, the package, the files that configure them, the command. */
const TOOLS: readonly (readonly [CheckName, string, readonly string[], string])[] = [
  ["test", "pestphp/pest", [], "vendor/bin/pest"],
  ["test", "phpunit/phpunit", ["phpunit.xml", "phpunit.xml.dist"], "vendor/bin/phpunit"],
  [
    "typecheck",
    "phpstan/phpstan",
    ["phpstan.neon", "phpstan.neon.dist"],
    "vendor/bin/phpstan analyse",
  ],
  ["typecheck", "vimeo/psalm", ["psalm.xml", "psalm.xml.dist"], "vendor/bin/psalm"],
  ["lint", "laravel/pint", ["pint.json"], "vendor/bin/pint --test"],
  [
    "lint",
    "friendsofphp/php-cs-fixer",
    [".php-cs-fixer.dist.php", ".php-cs-fixer.php"],
    "vendor/bin/php-cs-fixer check",
  ],
  ["lint", "squizlabs/php_codesniffer", ["phpcs.xml", "phpcs.xml.dist"], "vendor/bin/phpcs"],
];

/** Detects a PHP project. */
export function detectPhp(manifests: Manifests): DetectedEcosystem | undefined {
  if (!manifests.has("composer.json")) return undefined;
  const manifest = manifests.json("composer.json");
  const required = ["require", "require-dev"].flatMap((key) => manifest?.keys(key) ?? []);
  const frameworks = frameworksAmong(required, PHP_FRAMEWORKS);
  const checks = manifest === undefined ? [] : phpChecks(manifests, manifest);
  return {
    type: "PHP",
    language: "",
    packageManager: "composer",
    frameworks,
    isMonorepo: false,
    checks,
    evidence: 10 + (manifests.has("composer.lock") ? 3 : 0) + frameworks.length + checks.length,
  };
}

function phpChecks(manifests: Manifests, manifest: JsonManifest): DetectedCheck[] {
  const scripts = new Map<string, string>();
  for (const script of manifest.keys("scripts")) {
    const text = manifest.text("scripts", script) ?? manifest.texts("scripts", script).join(" && ");
    scripts.set(script, text);
  }
  const found = checksAmongScripts(scripts);
  const checks: DetectedCheck[] = found.checks.map(({ name, script }) => ({
    name,
    command: `composer run-script ${script}`,
    source: manifest.place("scripts", script),
  }));
  for (const { script, reason } of found.leftOut) {
    const source = manifest.place("scripts", script);
    manifests.leftOut.push({ source, what: `the script \`${script}\``, reason });
  }
  for (const [name, packageName, files, command] of TOOLS) {
    if (checks.some((check) => check.name === name)) continue;
    const key = ["require-dev", "require"].find((group) => manifest.has(group, packageName));
    const source = key === undefined ? manifests.first(...files) : manifest.place(key, packageName);
    if (source !== undefined) checks.push({ name, command, source });
  }
  return checks;
}
