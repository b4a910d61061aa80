/**
 * The closed lists of names that a ledger entry uses.
 * Rule: a name is only ever added, and together with a new entry version.
 */

/** How a session can end; `unknown`: another agent worked, and nobody said how it came out. */
export const OUTCOMES = ["shipped", "failed", "abandoned", "unknown"] as const;

/** What time and tokens go to, in the order of a session; `chat` is everything outside the workflow. */
export const PHASES = [
  "initialize",
  "discuss",
  "plan",
  "execute",
  "verify",
  "ship",
  "chat",
] as const;
/** One of {@linkcode PHASES}. */
export type Phase = typeof PHASES[number];

/** Why a task failed, derived from evidence (exit code, tool, output), never from the model's opinion. */
export const CAUSES = [
  "build_error",
  "type_error",
  "syntax_error",
  "test_failure",
  "lint_error",
  "missing_dependency",
  "cannot_start",
  "cannot_write_cache",
  "no_network",
  "permission_denied",
  "timeout",
  "limit_reached",
  "context_overflow",
  "model_error",
  "edit_conflict",
  "unknown",
] as const;
/** One of {@linkcode CAUSES}. */
export type Cause = typeof CAUSES[number];

/** Where a cost comes from; `mixed`: some requests reported one and others were estimated; `none`: no price is known. */
export const COST_SOURCES = ["reported", "estimated", "mixed", "none"] as const;
/** One of {@linkcode COST_SOURCES}. */
export type CostSource = typeof COST_SOURCES[number];
