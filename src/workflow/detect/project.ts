/**
 * What kind of project this is and how it is checked, from its manifests.
 * Rule: pure over an injected reader; a broken manifest is reported and hides nothing else.
 */
import { checksBelow } from "./below.ts";
import { detectBuildTools } from "./build_tools.ts";
import { detectCmake } from "./cmake.ts";
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
import { detectMake, isHeavy } from "./make.ts";
import { Manifests } from "./manifests.ts";
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
  detectBuildTools,
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
 * const project = detectProject({
 *   list: () => [...files.keys()],
 *   folders: () => [],
 *   read: (path) => files.get(path),
 * });
 * assert.deepEqual(project.checks, [
 *   { name: "test", command: "npm test", source: "package.json:1" },
 * ]);
 * ```
 */
export function detectProject(reader: ManifestReader): DetectedProject {
  const manifests = new Manifests(reader);
  const root = detectRoot(manifests);
  const below = checksBelow(manifests, root, (inner) => {
    const found = new Manifests(inner);
    return { ...detectRoot(found), problems: found.problems, leftOut: found.leftOut };
  });
  const [primary, ...others] = [...root.ecosystems, ...below.ecosystems];
  const { problems } = manifests;
  const leftOut = [...manifests.leftOut, ...reader.unread?.() ?? []];
  const checks = inOrder([...root.checks, ...below.checks]);
  return { primary, others, checks, problems, leftOut };
}

/** What the manifests in one folder tell. */
function detectRoot(
  manifests: Manifests,
): { ecosystems: DetectedEcosystem[]; checks: DetectedCheck[] } {
  const found = DETECTORS.flatMap((detect) => detect(manifests) ?? [])
    .toSorted((a, b) => b.evidence - a.evidence);
  const make = detectMake(manifests, found.length === 0);
  const ecosystems = make === undefined ? found : [...found, make];
  return { ecosystems, checks: inOrder(allChecks(manifests, found, make)) };
}

/** The checks of all ecosystems. A Makefile's stand where the others have none of that name, or only guess. */
function allChecks(
  manifests: Manifests,
  found: readonly DetectedEcosystem[],
  make: DetectedEcosystem | undefined,
): DetectedCheck[] {
  const checks = found.flatMap((ecosystem) => ecosystem.checks);
  const named = (make?.checks ?? []).filter((check) => {
    const others = checks.filter(({ name }) => name === check.name);
    if (others.length === 0) return true;
    return others.every(({ isGuess }) => isGuess) && !isHeavy(manifests, check);
  });
  const isReplaced = (check: DetectedCheck) => named.some(({ name }) => name === check.name);
  return [...checks.filter((check) => !isReplaced(check)), ...named];
}

function inOrder(checks: readonly DetectedCheck[]): DetectedCheck[] {
  return CHECK_NAMES.flatMap((name) => checks.filter((check) => check.name === name));
}

/** An ecosystem in words for PROJECT.md, such as `Node (TypeScript, monorepo)`. */
export function describeEcosystem(ecosystem: DetectedEcosystem): string {
  const notes = [ecosystem.language, ecosystem.isMonorepo ? "monorepo" : ""]
    .filter((note) => note !== "");
  return notes.length === 0 ? ecosystem.type : `${ecosystem.type} (${notes.join(", ")})`;
}
