/**
 * What is to be taken back, and what that would do.
 * Rule: pure; what stands in the way is an error that says what helps.
 */
import type { RollbackFile } from "../git/rollback.ts";
import { UsageError, WorkFailed } from "../platform/errors.ts";
import type { Turn } from "../session/turns.ts";
import type { RewindPlace } from "./rewind.ts";
import type { CheckpointState } from "./state.ts";

/** Where to: before the last so many checkpoints, to a checkpoint, or with the conversation to the end of a turn. */
export type UndoTarget =
  | { kind: "undo"; steps: number }
  | { kind: "rollback"; to: number }
  | { kind: "rewind"; turn: number };

/** A turn that a conversation can go back to. */
export interface ListedTurn extends Turn {
  /** What it changed that is in the tree. */
  files: string[];
}

/** A checkpoint in a list. */
export interface ListedCheckpoint
  extends Pick<CheckpointState, "number" | "task" | "turn" | "kind" | "to" | "files"> {
  /** As in `task 2: Mend the parser`. */
  subject: string;
  /** Its work is in the tree. An undo has none of its own. */
  isLive: boolean;
}

/** What an undo would do. */
export interface UndoPreview {
  kind: UndoTarget["kind"];
  session: string;
  /** Of a rewind: the turn whose end the conversation goes back to. */
  rewind?: RewindPlace;
  /** The checkpoint whose state comes back; 0 for before the first change. */
  to: number;
  /** The number of the checkpoint that the undo will be. */
  number: number;
  /** Whose work goes, the newest first. */
  takenBack: ListedCheckpoint[];
  /** Whose work comes back that had been taken back, the oldest first. */
  broughtBack: ListedCheckpoint[];
  files: RollbackFile[];
  /** The change as a patch, files in conflict included. */
  patch: string;
}

/** Whether a file, or what the log says of the tasks, would change. */
export function movesFiles({ takenBack, broughtBack, files }: UndoPreview): boolean {
  return takenBack.length + broughtBack.length > 0 ||
    files.some(({ verdict }) => verdict === "restore" || verdict === "conflict");
}

/** The turns with what they changed that is in the tree. */
export function withFiles(
  turns: readonly Turn[],
  checkpoints: readonly ListedCheckpoint[],
): ListedTurn[] {
  const live = checkpoints.filter(({ isLive }) => isLive);
  return turns.map((turn) => {
    const own = live.filter((checkpoint) => checkpoint.turn === turn.turn);
    return { ...turn, files: [...new Set(own.flatMap(({ files }) => files))] };
  });
}

/** Names what the checkpoints could not keep; such a file stays as it is, whatever else is known of it. */
export function withUnkept(
  files: readonly RollbackFile[],
  undone: readonly Pick<CheckpointState, "unkept">[],
): RollbackFile[] {
  const unkept = new Map(
    undone.flatMap((checkpoint) => checkpoint.unkept).map(({ path, why }) => [path, why]),
  );
  const nothing = { current: null, target: null, wasDirty: false };
  return [
    ...files.filter(({ path }) => !unkept.has(path)),
    ...[...unkept].map((
      [path, reason],
    ) => ({ path, reason, verdict: "unkept", ...nothing } as const)),
  ];
}

/** What is said of files that hold what is not m31a's. */
export function conflictError(conflicts: readonly RollbackFile[]): WorkFailed {
  const lines = conflicts.map(({ path, reason }) => `  ${path}: ${reason}`);
  return new WorkFailed(
    `nothing was changed, because these files hold what is not m31a's:\n${lines.join("\n")}\n` +
      "Put your changes elsewhere first, or let them be overwritten, with a copy kept: --force",
  );
}

/**
 * The checkpoint before the oldest of the last `steps` that are live.
 *
 * @throws {UsageError} when there are not so many
 */
export function beforeLast(checkpoints: readonly ListedCheckpoint[], steps: number): number {
  const live = checkpoints.filter(({ isLive }) => isLive);
  const oldest = live.at(-steps);
  if (live.length === 0) {
    throw new UsageError("there is nothing to take back: nothing was changed");
  }
  if (oldest === undefined) {
    throw new UsageError(
      `only ${live.length} ${
        live.length === 1 ? "checkpoint" : "checkpoints"
      } can be taken back, ` +
        `not ${steps}`,
    );
  }
  const index = checkpoints.indexOf(oldest);
  return checkpoints[index - 1]?.number ?? 0;
}
