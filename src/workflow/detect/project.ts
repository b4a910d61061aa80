/**
 * What kind of project this is and how it is checked, from the manifests in its root.
 * Rule: pure over an injected reader; a broken manifest is reported and hides nothing else.
 */
import { detectDeno } from "./deno.ts";
import {
  CHECK_NAMES,
  type DetectedCheck,
  type DetectedEcosystem,
  type DetectedProject,
  type ManifestReader,
} from "./detected.ts";
import { detectDotnet } from "./dotnet.ts";
import { detectGo } from "./go.ts";
import { detectJava } from "./java.ts";
import { Manifests } from "./manifests.ts";
import { detectCmake, detectMake } from "./native.ts";
import { detectNode } from "./node.ts";
import { detectPhp } from "./php.ts";
import { detectPython } from "./python.ts";
import { detectRuby } from "./ruby.ts";
import { detectRust } from "./rust.ts";

/** The detectors; where the evidence is equal the earlier one wins. */
const DETECTORS = [
  detectDeno,
  detectNode,
  detectPython,
  detectRust,
  detectGo,
  detectJava,
  detectDotnet,
  detectRuby,
  detectPhp,
  detectCmake,
];

/**
 * Detects a project.
 *
 * @example
 * ```ts
 * import { detectProject } from "./project.ts";
 * import assert from "node:assert/strict";
 *
 * const files = new Map([["package.json", '{"scripts":{"test":"node --test"}}']]);
 * const project = detectProject({ list: () => [...files.keys()], read: (path) => files.get(path) });
 * assert.deepEqual(project.checks, [
 *   { name: "test", command: "npm test", source: "package.json:1" },
 * ]);
 * ```
 */
export function detectProject(reader: ManifestReader): DetectedProject {
  const manifests = new Manifests(reader);
  const found = DETECTORS.flatMap((detect) => detect(manifests) ?? [])
    .toSorted((a, b) => b.evidence - a.evidence);
  const make = detectMake(manifests);
  const ecosystems = make === undefined ? found : [...found, make];
  const [primary, ...others] = ecosystems;
  return { primary, others, checks: allChecks(found, make), problems: manifests.problems };
}

/** The checks of all ecosystems in the order to run them; a Makefile's only where the others have none of that name. */
function allChecks(
  found: readonly DetectedEcosystem[],
  make: DetectedEcosystem | undefined,
): DetectedCheck[] {
  const checks = found.flatMap((ecosystem) => ecosystem.checks);
  const isNew = (check: DetectedCheck) => !checks.some(({ name }) => name === check.name);
  const all = [...checks, ...(make?.checks ?? []).filter(isNew)];
  return CHECK_NAMES.flatMap((name) => all.filter((check) => check.name === name));
}

/** An ecosystem in words for PROJECT.md, such as `Node (TypeScript, monorepo)`. */
export function describeEcosystem(ecosystem: DetectedEcosystem): string {
  const notes = [ecosystem.language, ecosystem.isMonorepo ? "monorepo" : ""]
    .filter((note) => note !== "");
  return notes.length === 0 ? ecosystem.type : `${ecosystem.type} (${notes.join(", ")})`;
}
