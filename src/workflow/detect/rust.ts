/**
 * Rust projects: Cargo.toml.
 * Rule: cargo builds and tests any package; clippy is a check only where the project configures it.
 */
import type { DetectedCheck, DetectedEcosystem } from "./detected.ts";
import { frameworksAmong, RUST_FRAMEWORKS } from "./frameworks.ts";
import type { Manifests } from "./manifests.ts";

/** Detects a Rust package or workspace. */
export function detectRust(manifests: Manifests): DetectedEcosystem | undefined {
  if (!manifests.has("Cargo.toml")) return undefined;
  const manifest = manifests.toml("Cargo.toml");
  const isMonorepo = manifest?.has("workspace") ?? false;
  const dependencies = [["dependencies"], ["dev-dependencies"], ["workspace", "dependencies"]]
    .flatMap((path) => Object.keys(manifest?.table(...path) ?? {}));
  const frameworks = frameworksAmong(dependencies, RUST_FRAMEWORKS);
  const all = isMonorepo ? " --workspace" : "";
  const source = manifest?.place(isMonorepo ? "workspace" : "package") ?? "Cargo.toml";
  const checks: DetectedCheck[] = manifest === undefined ? [] : [
    { name: "build", command: `cargo build${all}`, source },
    { name: "test", command: `cargo test${all}`, source },
  ];
  const clippy = [["lints", "clippy"], ["workspace", "lints", "clippy"]]
    .find((path) => manifest?.has(...path));
  const clippyPlace = clippy === undefined
    ? manifests.first("clippy.toml", ".clippy.toml")
    : manifest?.place(...clippy);
  if (clippyPlace !== undefined && manifest !== undefined) {
    checks.push({ name: "lint", command: `cargo clippy${all} --all-targets`, source: clippyPlace });
  }
  return {
    type: "Rust",
    language: "",
    packageManager: "cargo",
    frameworks,
    isMonorepo,
    checks,
    evidence: 10 + (manifests.has("Cargo.lock") ? 3 : 0) + frameworks.length + checks.length,
  };
}
