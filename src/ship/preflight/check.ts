/**
 * What one preflight check finds.
 * Rule: a check that does not pass says where, and what to do.
 */

/** The checks, in the order in which they are listed. */
export const CHECK_NAMES = [
  "repository",
  "branch",
  "operation",
  "index lock",
  "changes",
  "verification",
  "tasks",
  "ignored files",
  "submodules",
  "earlier changes",
  "dependencies",
  "followed files",
  "hooks",
  "secrets",
  "conflict markers",
  "left to do",
  "debug prints",
  "large files",
  "proof",
] as const;
export type CheckName = (typeof CHECK_NAMES)[number];

/** The flags that let a ship go on where a check would block it. */
const OVERRIDES = ["--unverified", "--partial", "--include-dirty", "--changed-hooks"] as const;
export type Override = (typeof OVERRIDES)[number];

/** The result of one check. */
export interface PreflightCheck {
  name: CheckName;
  verdict: "pass" | "warn" | "block";
  /** What was found, in one line. */
  summary: string;
  /** `path` or `path:line`. */
  places: string[];
  /** What to do about it; empty when it passes. */
  advice: string;
  /** The flag without which this would have blocked. */
  overriddenBy?: Override;
}

/** A check that found nothing. */
export function passed(name: CheckName, summary: string): PreflightCheck {
  return { name, verdict: "pass", summary, places: [], advice: "" };
}

/** A check that found something. */
export function found(
  name: CheckName,
  verdict: "warn" | "block",
  summary: string,
  advice: string,
  places: readonly string[] = [],
): PreflightCheck {
  return { name, verdict, summary, places: [...places], advice };
}

/** `check`, let through by `flag` when that was given. */
export function overridable(
  check: PreflightCheck,
  flag: Override,
  given: ReadonlySet<Override>,
): PreflightCheck {
  if (check.verdict !== "block") return check;
  if (!given.has(flag)) {
    return { ...check, advice: `${check.advice} To ship all the same: ${flag}.` };
  }
  return {
    ...check,
    verdict: "warn",
    summary: `${check.summary} (${flag} was given)`,
    overriddenBy: flag,
  };
}

/** Whether nothing blocks. */
export function mayShip(checks: readonly PreflightCheck[]): boolean {
  return checks.every(({ verdict }) => verdict !== "block");
}
