/**
 * Ruby projects: Gemfile, a gemspec, Rakefile.
 * Rule: a tool is used when the Gemfile or gemspec names its gem, or the project configures it.
 */
import type { DetectedCheck, DetectedEcosystem } from "./detected.ts";
import { frameworksAmong, RUBY_FRAMEWORKS } from "./frameworks.ts";
import { type Manifests, placeOfLine } from "./manifests.ts";

/** Detects a Ruby project. */
export function detectRuby(manifests: Manifests): DetectedEcosystem | undefined {
  const [gemspec] = manifests.endingIn(".gemspec");
  const files = ["Gemfile", gemspec].filter((name) => name !== undefined)
    .filter((name) => manifests.has(name));
  if (files.length === 0) return undefined;
  const gems = new Map<string, string>();
  for (const path of files) {
    (manifests.text(path) ?? "").split("\n").forEach((line, at) => {
      const gem = /^\s*(?:gem|\w+\.add_(?:development_|runtime_)?dependency)[\s(]+["']([^"']+)/
        .exec(line);
      if (gem?.[1] !== undefined && !gems.has(gem[1])) gems.set(gem[1], `${path}:${at + 1}`);
    });
  }
  const frameworks = frameworksAmong(gems.keys(), RUBY_FRAMEWORKS);
  const checks = rubyChecks(manifests, gems);
  return {
    type: "Ruby",
    language: "",
    packageManager: "bundler",
    frameworks,
    isMonorepo: false,
    checks,
    evidence: 10 + (manifests.has("Gemfile.lock") ? 3 : 0) + frameworks.length + checks.length,
  };
}

function rubyChecks(manifests: Manifests, gems: ReadonlyMap<string, string>): DetectedCheck[] {
  const checks: DetectedCheck[] = [];
  const rubocop = gems.get("rubocop") ?? manifests.first(".rubocop.yml");
  if (rubocop !== undefined) {
    checks.push({ name: "lint", command: "bundle exec rubocop", source: rubocop });
  } else if (gems.has("standard")) {
    checks.push({
      name: "lint",
      command: "bundle exec standardrb",
      source: gems.get("standard") ?? "",
    });
  }
  const rspec = gems.get("rspec") ?? gems.get("rspec-rails") ?? manifests.first(".rspec");
  const rakefile = manifests.text("Rakefile") ?? "";
  const rakeTest = placeOfLine(
    "Rakefile",
    rakefile,
    (line) => /TestTask\.new|^\s*task\s+:?["']?test\b/.test(line),
  );
  if (rspec !== undefined) {
    checks.push({ name: "test", command: "bundle exec rspec", source: rspec });
  } else if (gems.has("rails") && manifests.has("test")) {
    checks.push({
      name: "test",
      command: "bundle exec rails test",
      source: gems.get("rails") ?? "",
    });
  } else if (rakeTest !== "Rakefile") {
    checks.push({ name: "test", command: "bundle exec rake test", source: rakeTest });
  }
  return checks;
}
