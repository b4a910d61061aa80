/**
 * An undo as the log has it.
 * Rule: the checkpoint of an undo holds what it overwrote and what it brought back, and is made before a file is touched.
 */
import type { RecordDraft } from "../session/records.ts";
import type { CheckpointState, WorkflowState } from "./state.ts";
import { movesTasks, whereUndoLeads } from "./undo_fold.ts";

/** `undo`: the last tasks; `rollback`: to a checkpoint. */
export type UndoKind = "undo" | "rollback";

/** An undo, once its checkpoint is made. */
export interface MadeUndo {
  kind: UndoKind;
  to: number;
  number: number;
  commit: string;
  files: string[];
  /** The conversation follows, to the end of this turn; null when it stays. */
  turn: number | null;
}

export type CheckpointDraft = Extract<RecordDraft, { type: "checkpoint" }>;

/** A checkpoint of a task or a turn as the state will have it once its record is in the log. */
export function checkpointOf(draft: CheckpointDraft): CheckpointState {
  const { number, commit, task, files, unkept, kind, turn = null } = draft;
  return { number, commit, task, files, unkept, kind, turn, to: null, plan: null, end: null };
}

/** The number of the newest checkpoint in the log; 0 when there is none. */
export function lastNumber({ checkpoints }: Pick<WorkflowState, "checkpoints">): number {
  return checkpoints.reduce((last, { number }) => Math.max(last, number), 0);
}

/** The subject of an undo's checkpoint, for whoever looks at git's refs. */
export function undoSubject(kind: UndoKind, to: number): string {
  return `${kind} to ${to}`;
}

/**
 * The records of an undo. Where the work of tasks is taken back, what was verified is not any more: executing goes on
 * with what is pending, when it is asked for.
 *
 * @param checkpoints those before it
 */
export function undoDrafts(
  { phase }: Pick<WorkflowState, "phase">,
  checkpoints: WorkflowState["checkpoints"],
  { kind, to, number, commit, files, turn }: MadeUndo,
): RecordDraft[] {
  const hasExecuted = phase !== null && ["execute", "verify", "ship"].includes(phase.phase);
  const detail = `${kind}: ${whereUndoLeads(to)}`;
  const along = turn === null ? {} : { turn };
  return [
    ...hasExecuted && movesTasks(checkpoints, to)
      ? [{ type: "phase", phase: "execute", status: "failed", detail } as const]
      : [],
    { type: "checkpoint", number, commit, task: null, files, unkept: [], kind, to, ...along },
  ];
}
