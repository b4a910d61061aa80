/**
 * What a ship needs to know of a session's workflow, as plain data.
 * Rule: filled in by whoever knows the workflow; a session without one has a goal, if any, and no tasks.
 */

/** The workflow of a session in outline. */
export interface Outline {
  /** Empty when nothing was said yet. */
  goal: string;
  projectType: string;
  /** Empty where none is known. */
  framework: string;
  /** What was asked before the plan, and what was answered. */
  decisions: readonly { question: string; answer: string }[];
  /** The approved plan; undefined without one. */
  plan: { summary: string; risks: readonly string[]; verification: readonly string[] } | undefined;
  /** The plan's tasks, in its order. */
  tasks: readonly OutlineTask[];
  /** What is to be known of the verification besides that the checks passed, in sentences. */
  caveats: readonly string[];
}

/** A task of the plan. */
export interface OutlineTask {
  id: string;
  title: string;
  status: "pending" | "running" | "done" | "failed" | "skipped";
  heals: number;
  /** Why it failed or was skipped; empty otherwise. */
  detail: string;
  /** The files that the plan named for it. */
  files: readonly string[];
  /** It is done, and no file was touched by it. */
  changedNothing: boolean;
}

/** The status in words: `done, nothing changed` for a task that has touched no file. */
export function taskStatus({ status, changedNothing }: OutlineTask): string {
  return changedNothing ? `${status}, nothing changed` : status;
}

/** How many tasks there are, and how they ended. */
export function taskCounts(
  { tasks }: Outline,
): { total: number; done: number; failed: number; skipped: number } {
  const count = (status: OutlineTask["status"]) =>
    tasks.filter((task) => task.status === status).length;
  return {
    total: tasks.length,
    done: count("done"),
    failed: count("failed"),
    skipped: count("skipped"),
  };
}
