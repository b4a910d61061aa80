/**
 * Java and Kotlin projects: Maven's pom.xml, Gradle's build and settings files.
 * Rule: the project's own wrapper is used where there is one.
 */
import type { DetectedCheck, DetectedEcosystem } from "./detected.ts";
import { frameworksAmong, JVM_FRAMEWORKS } from "./frameworks.ts";
import { type Manifests, placeOfLine } from "./manifests.ts";
import { childText, elementsNamed, parseXml, type XmlElement, XmlFault } from "./xml.ts";

/** Detects a Maven or Gradle build. */
export function detectJava(manifests: Manifests): DetectedEcosystem | undefined {
  return detectGradle(manifests) ?? detectMaven(manifests);
}

/** Lint goals by the Maven plugin that brings them. */
const MAVEN_LINTERS = [
  ["spotless-maven-plugin", "spotless:check"],
  ["maven-checkstyle-plugin", "checkstyle:check"],
  ["ktlint-maven-plugin", "ktlint:check"],
] as const;

function detectMaven(manifests: Manifests): DetectedEcosystem | undefined {
  if (!manifests.has("pom.xml")) return undefined;
  const pom = readPom(manifests);
  const artifacts = pom === undefined ? [] : [...artifactsOf(pom)];
  const frameworks = frameworksAmong(artifacts.map(({ name }) => name), JVM_FRAMEWORKS);
  const maven = manifests.has("mvnw") ? "./mvnw -B" : "mvn -B";
  const source = pom === undefined ? "pom.xml" : `pom.xml:${pom.line}`;
  const checks: DetectedCheck[] = pom === undefined ? [] : [
    { name: "build", command: `${maven} -DskipTests package`, source },
    { name: "test", command: `${maven} test`, source },
  ];
  for (const [plugin, goal] of MAVEN_LINTERS) {
    const artifact = artifacts.find(({ name }) => name.endsWith(`:${plugin}`));
    if (artifact === undefined || checks.some(({ name }) => name === "lint")) continue;
    checks.push({ name: "lint", command: `${maven} ${goal}`, source: `pom.xml:${artifact.line}` });
  }
  return {
    type: "Java",
    language: artifacts.some(({ name }) => name.endsWith(":kotlin-maven-plugin")) ? "Kotlin" : "",
    packageManager: "maven",
    frameworks,
    isMonorepo: pom !== undefined && !elementsNamed(pom, "module").next().done,
    checks,
    evidence: 10 + frameworks.length + checks.length,
  };
}

function readPom(manifests: Manifests): XmlElement | undefined {
  try {
    return parseXml(manifests.text("pom.xml") ?? "");
  } catch (error) {
    if (!(error instanceof XmlFault)) throw error;
    const reason = `not valid XML: ${error.message}`;
    manifests.problems.push({ path: "pom.xml", line: error.line, reason });
    return undefined;
  }
}

/** What a pom depends on or builds with, as `groupId:artifactId`. */
function* artifactsOf(pom: XmlElement): Generator<{ name: string; line: number }> {
  for (const kind of ["parent", "dependency", "plugin"]) {
    for (const element of elementsNamed(pom, kind)) {
      const name = `${childText(element, "groupId")}:${childText(element, "artifactId")}`;
      yield { name, line: element.line };
    }
  }
}

/** Lint tasks by what a build file says when it applies their plugin. */
const GRADLE_LINTERS = [
  [/com\.diffplug\.spotless/, "spotlessCheck"],
  [/org\.jlleitschuh\.gradle\.ktlint/, "ktlintCheck"],
  [/io\.gitlab\.arturbosch\.detekt/, "detekt"],
  [/^\s*(?:id\s*\(?\s*["'])?checkstyle["']?\)?\s*$|plugin:\s*["']checkstyle["']/, "checkstyleMain"],
] as const;

function detectGradle(manifests: Manifests): DetectedEcosystem | undefined {
  const settings = manifests.first("settings.gradle.kts", "settings.gradle");
  const path = manifests.first("build.gradle.kts", "build.gradle") ?? settings;
  if (path === undefined) return undefined;
  const build = manifests.text(path) ?? "";
  const words = build.split(/["'()\s]+/);
  const frameworks = frameworksAmong(words, JVM_FRAMEWORKS);
  const gradle = manifests.has("gradlew") ? "./gradlew" : "gradle";
  const checks: DetectedCheck[] = [
    { name: "build", command: `${gradle} assemble`, source: path },
    { name: "test", command: `${gradle} test`, source: path },
  ];
  for (const [plugin, task] of GRADLE_LINTERS) {
    const place = placeOfLine(path, build, (line) => plugin.test(line));
    if (place === path || checks.some(({ name }) => name === "lint")) continue;
    checks.push({ name: "lint", command: `${gradle} ${task}`, source: place });
  }
  return {
    type: "Java",
    language: /kotlin\(["']|org\.jetbrains\.kotlin/.test(build) ? "Kotlin" : "",
    packageManager: "gradle",
    frameworks,
    isMonorepo: settings !== undefined && /\binclude\b/.test(manifests.text(settings) ?? ""),
    checks,
    evidence: 10 + (manifests.has("gradlew") ? 1 : 0) + frameworks.length + checks.length,
  };
}
