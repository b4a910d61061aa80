/** Records of workflows for tests, and the state that they lead to. */
import type { RecordDraft, SessionRecord } from "../../src/session/records.ts";
import { sessionRecord } from "../../src/session/records.ts";
import { nextState } from "../../src/workflow/fold.ts";
import { NO_WORKFLOW, type Plan, type WorkflowState } from "../../src/workflow/state.ts";

/** Places drafts in a log, a second apart. */
export function recordsFrom(drafts: readonly RecordDraft[]): SessionRecord[] {
  return drafts.map((draft, index) =>
    sessionRecord.parse({
      ...draft,
      seq: index + 1,
      prev: "0".repeat(16),
      at: new Date(Date.UTC(2026, 0, 2, 3, 4, index)).toISOString(),
    })
  );
}

/** The state after `drafts`. */
export function stateAfter(...drafts: RecordDraft[]): WorkflowState {
  return recordsFrom(drafts).reduce(nextState, NO_WORKFLOW);
}

/** A plan of tasks with those IDs, each depending on what `dependsOn` says. */
export function planOf(ids: readonly string[], dependsOn: Record<string, string[]> = {}): Plan {
  return {
    summary: "Do it.",
    tasks: ids.map((id) => ({
      id,
      title: `Task ${id}`,
      detail: "",
      files: [`src/${id}.ts`],
      dependsOn: dependsOn[id] ?? [],
      acceptance: "It works.",
    })),
    risks: [],
    verification: [],
    leavesFailing: [],
  };
}

export const GOAL: RecordDraft = { type: "goal", text: "Mend the parser", mode: "run" };

export function entered(phase: "discuss" | "plan" | "execute" | "verify"): RecordDraft {
  return { type: "phase", phase, status: "entered", detail: "" };
}

export function approvedPlanOf(...ids: string[]): RecordDraft {
  return { type: "plan", version: 1, approved: true, plan: planOf(ids) };
}

export function running(task: string, heals = 0): RecordDraft {
  const why = heals === 0 ? {} : { cause: "test_failure" as const, detail: "check test failed" };
  return { type: "task", task, status: "running", heals, ...why };
}

export function brief(phase: "execute" | "verify" | "plan", task: string | null): RecordDraft {
  return { type: "user", text: "Do it.", source: "brief", about: { phase, task } };
}

export function reply(text: string, ...tools: string[]): RecordDraft {
  return {
    type: "assistant",
    parts: [
      { kind: "text", text },
      ...tools.map((tool, index) => ({ kind: "call" as const, call: index + 1, tool, input: {} })),
    ],
    finish: tools.length > 0 ? "tool-calls" : "stop",
    request: { sizeBytes: 1, sha256: "0".repeat(64) },
  };
}

export function check(task: string | null, passed: boolean, name = "test"): RecordDraft {
  const exitCode = passed ? 0 : 1;
  return {
    type: "check",
    name,
    command: "./check",
    task,
    passed,
    exitCode,
    output: passed ? "ok" : "1 failed",
    durationMs: 5,
    purpose: "attempt",
    tests: null,
    tree: { unknown: "not taken" },
    touched: [],
    unknown: [],
    restored: [],
  };
}
