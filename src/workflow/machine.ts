/**
 * The workflow as a state machine: which phase comes next.
 * Rule: pure, from the last phase record alone; so starting again is going on.
 */
import type { PhaseName } from "./events.ts";
import type { WorkflowState } from "./state.ts";

/** The phases that run one after the other. `ship` follows by a command of its own. */
export const PHASES = ["initialize", "discuss", "plan", "execute", "verify"] as const;
export type WorkflowPhase = (typeof PHASES)[number];

/** What is to be done next. */
export type Step =
  | { kind: "enter" | "continue"; phase: WorkflowPhase }
  | { kind: "verified" }
  | { kind: "failed"; phase: PhaseName; reason: string };

/** The next step of a workflow that has a goal. */
export function nextStep({ phase: last }: Pick<WorkflowState, "phase">): Step {
  if (last === null) return { kind: "enter", phase: "initialize" };
  // A ship that failed leaves what was verified as it is.
  if (last.phase === "ship") return { kind: "verified" };
  if (last.status === "failed") return { kind: "failed", phase: last.phase, reason: last.detail };
  const index = PHASES.findIndex((phase) => phase === last.phase);
  const current = PHASES[index];
  if (current === undefined) return { kind: "verified" };
  if (last.status === "entered") return { kind: "continue", phase: current };
  const next = PHASES[index + 1];
  return next === undefined ? { kind: "verified" } : { kind: "enter", phase: next };
}
