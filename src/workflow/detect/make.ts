/**
 * Makefiles and justfiles of any project.
 * Rule: a target is a check when the file defines it; `all` only where there is no test to run.
 */
import type { CheckName, DetectedCheck, DetectedEcosystem } from "./detected.ts";
import { commandsOf, recipesOf, type Target, targetsOf } from "./makefile.ts";
import type { Manifests } from "./manifests.ts";
import { whyNoCheck } from "./no_check.ts";

/** Targets by the check they are, the preferred first. */
const TARGETS: readonly (readonly [CheckName, ...string[]])[] = [
  ["build", "build"],
  ["typecheck", "typecheck", "type-check", "types"],
  ["lint", "lint"],
  ["test", "test", "tests", "check", "unittest", "test-unit", "unit-test"],
];

const TOOLS = [
  { program: "make", files: ["GNUmakefile", "makefile", "Makefile"], read: targetsOf },
  { program: "just", files: ["justfile", "Justfile", ".justfile"], read: recipesOf },
] as const;

/** What a recipe starts that is not on every machine, or that works in many environments at once. */
const HEAVY =
  /\b(?:docker|docker-compose|podman|vagrant|kubectl|minikube|tox|nox|curl|wget|twine)\b|\b(?:pip3?|npm|pnpm|go|cargo|gem|apt|apt-get|brew)\s+(?:ci|install)\b|\bpython3?\s+-m\s+build\b|\bsetup\.py\s+(?:sdist|bdist\w*)\b/;

/**
 * Detects the targets of a Makefile or justfile.
 *
 * @param isAlone whether no other ecosystem is known: `make all` is then how the project is built
 */
export function detectMake(manifests: Manifests, isAlone: boolean): DetectedEcosystem | undefined {
  const tool = TOOLS.find(({ files }) => manifests.has(...files));
  const path = tool === undefined ? undefined : manifests.first(...tool.files);
  if (tool === undefined || path === undefined) return undefined;
  const targets = tool.read(manifests.text(path) ?? "");
  const isC = manifests.endingIn(".c", ".cc", ".cpp", ".h", ".hpp").length > 0;
  const checks = TARGETS.flatMap(([name, ...candidates]): DetectedCheck[] => {
    const judged = candidates.filter((candidate) => targets.has(candidate)).map((target) => ({
      target,
      source: `${path}:${targets.get(target)?.line}`,
      reason: whyNoTarget(targets, target, `${tool.program} ${target}`),
    }));
    const usable = judged.find(({ reason }) => reason === undefined);
    if (usable !== undefined) {
      return [{ name, command: `${tool.program} ${usable.target}`, source: usable.source }];
    }
    for (const { target, source, reason = "" } of judged) {
      manifests.leftOut.push({ source, what: `the target \`${target}\``, reason });
    }
    return [];
  });
  const all = targets.get("all");
  if (all !== undefined && checks.length === 0 && (isC || isAlone)) {
    checks.push({ name: "build", command: `${tool.program} all`, source: `${path}:${all.line}` });
  }
  return {
    type: isC ? "C/C++" : "Make",
    language: "",
    packageManager: "",
    frameworks: [],
    isMonorepo: false,
    checks,
    evidence: isC ? 8 : 1,
  };
}

/** Why a target is no check; `undefined` when nothing speaks against it. */
function whyNoTarget(
  targets: ReadonlyMap<string, Target>,
  name: string,
  command: string,
): string | undefined {
  if (targets.get(name)?.ignoresFailure === true) {
    return `a "-" in its recipe lets \`${command}\` pass whatever fails`;
  }
  const commands = commandsOf(targets, name);
  // A target without a recipe of its own may get one from a pattern or an include.
  return commands === "" ? undefined : whyNoCheck(commands);
}

/** Whether a Makefile's check needs more than what is there: a tool's own command goes before it. */
export function isHeavy(manifests: Manifests, { command, source }: DetectedCheck): boolean {
  const [program, target = ""] = command.split(" ");
  const tool = TOOLS.find((known) => known.program === program);
  const path = source.replace(/:\d+$/, "");
  return tool !== undefined &&
    HEAVY.test(commandsOf(tool.read(manifests.text(path) ?? ""), target));
}
