/**
 * What happens in a workflow, as it happens: for the terminal and for `--json`.
 * Rule: as the agent's events; each is told after its record is on disk.
 */
import type { RecordOf } from "../session/records.ts";
import type { TestCount } from "../ship/checks/test_count.ts";
import type { Plan } from "./state.ts";
import type { FailureCause } from "./causes.ts";
import type { TaskState } from "./state.ts";

/** The phases that a workflow goes through, in their order. */
export type PhaseName = "initialize" | "discuss" | "plan" | "execute" | "verify" | "ship";

/** What a check was run for. */
type CheckPurpose = RecordOf<"check">["purpose"];

/** One thing that happened. */
export type WorkflowEvent =
  | { type: "phase"; phase: PhaseName; status: "entered" | "done" | "failed"; detail: string }
  | { type: "plan"; version: number; approved: boolean; plan: Plan }
  | {
    type: "task";
    task: string;
    title: string;
    status: TaskState["status"];
    /** It is done, and no file was touched by it. */
    changedNothing: boolean;
    heals: number;
    cause?: FailureCause | undefined;
    detail?: string | undefined;
  }
  | {
    type: "check_started";
    name: string;
    command: string;
    task: string | null;
    purpose: CheckPurpose;
  }
  | {
    type: "check";
    name: string;
    command: string;
    task: string | null;
    passed: boolean;
    exitCode: number | null;
    durationMs: number;
    output: string;
    tests: TestCount | null;
    purpose: CheckPurpose;
  }
  | {
    type: "checkpoint";
    number: number;
    commit: string;
    task: string | null;
    files: string[];
    /** Left out by a workflow, whose own are those of its tasks. */
    kind?: RecordOf<"checkpoint">["kind"];
  }
  /** A person's edit of a document was taken over. */
  | { type: "edited"; document: string; differences: string[] }
  | { type: "notice"; text: string };
